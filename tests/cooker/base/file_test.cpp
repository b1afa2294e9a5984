#include "cooker/base/file.h"

#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "tests/support/plugin_fixtures.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;
using test::TemporaryFolder;

std::size_t filesIn(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

TEST(ReadFile, GivesAllBytes) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "a b\xff.bin";
  for (const std::size_t size : {0u, 1u, 4096u, 1'000'000u}) {
    const Bytes bytes(size, 0x5A);
    ASSERT_TRUE(writeFileAtomically(path, bytes));
    EXPECT_EQ(readFile(path), bytes);
  }
}

TEST(ReadFile, TellsApartWhatIsWrong) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder.path() / "file", asBytes("12345")));
  EXPECT_EQ(readFile(folder.path() / "absent").error().code, ErrorCode::NotFound);
  EXPECT_EQ(readFile(folder.path() / "file" / "below").error().code, ErrorCode::NotFound);
  EXPECT_EQ(readFile(folder.path()).error(), (Error{ErrorCode::InvalidInput, "not a regular file", {}}));
  EXPECT_EQ(readFile(folder.path() / "file", 4).error(),
            (Error{ErrorCode::InvalidInput, "5 bytes, at most 4 are read", {}}));
  EXPECT_TRUE(readFile(folder.path() / "file", 5));
}

TEST(ReadFile, AFifoOrADeviceDoesNotBlock) {
  TemporaryFolder folder;
  const fs::path fifo = folder.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0666), 0);
  EXPECT_EQ(readFile(fifo).error(), (Error{ErrorCode::InvalidInput, "not a regular file", {}}));
  EXPECT_EQ(readFile("/dev/zero").error(), (Error{ErrorCode::InvalidInput, "not a regular file", {}}));
}

TEST(WriteFile, MakesFoldersAndReplaces) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "a" / "b" / "c";
  ASSERT_TRUE(writeFileAtomically(path, asBytes("old and longer")));
  ASSERT_TRUE(writeFileAtomically(path, asBytes("new"), true));
  EXPECT_EQ(asText(*readFile(path)), "new");
  EXPECT_EQ(filesIn(path.parent_path()), 1u);
}

TEST(WriteFile, LeavesNothingBehindWhereTheNameIsTaken) {
  TemporaryFolder folder;
  fs::create_directories(folder.path() / "name" / "below");
  const auto written = writeFileAtomically(folder.path() / "name", asBytes("x"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::Io);
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(WriteFile, IsAnIoErrorWhereAFileStandsForTheFolder) {
  TemporaryFolder folder;
  ASSERT_TRUE(writeFileAtomically(folder.path() / "file", asBytes("x")));
  const auto written = writeFileAtomically(folder.path() / "file" / "below", asBytes("x"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), (Error{ErrorCode::Io, "can not create a file in the folder: Not a directory", {}}));
}

TEST(WriteFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  ASSERT_TRUE(writeFileAtomically(path, asBytes("old")));
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{100'000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = writeFileAtomically(path, Bytes(200'000));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), (Error{ErrorCode::Io, "can not write: File too large", {}}));
  EXPECT_EQ(asText(*readFile(path)), "old");
  EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(WriteFile, AReaderNeverSeesAPart) {
  TemporaryFolder folder;
  const fs::path path = folder.path() / "file";
  ASSERT_TRUE(writeFileAtomically(path, Bytes(100'000, 0)));
  std::thread writer([&] {
    for (int i = 1; i < 100; ++i) EXPECT_TRUE(writeFileAtomically(path, Bytes(100'000, static_cast<std::uint8_t>(i))));
  });
  for (int i = 0; i < 100; ++i) {
    const auto bytes = readFile(path);
    ASSERT_TRUE(bytes);
    EXPECT_EQ(*bytes, Bytes(100'000, bytes->front()));
  }
  writer.join();
}

TEST(WriteFile, ThreadsDoNotShareTemporaryNames) {
  TemporaryFolder folder;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i)
        EXPECT_TRUE(writeFileAtomically(folder.path() / std::to_string(t), Bytes(100, static_cast<std::uint8_t>(t))));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(filesIn(folder.path()), 4u);
  for (int t = 0; t < 4; ++t)
    EXPECT_EQ(readFile(folder.path() / std::to_string(t)), Bytes(100, static_cast<std::uint8_t>(t)));
}

TEST(TemporaryNames, AreKnown) {
  EXPECT_TRUE(isTemporaryName(".simmer-tmp-12-3"));
  EXPECT_FALSE(isTemporaryName("walk.glb"));
  EXPECT_FALSE(isTemporaryName("walk.simmer.toml"));
}

}  // namespace
}  // namespace simmer
