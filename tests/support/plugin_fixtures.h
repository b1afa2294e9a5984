#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cooker/base/file.h"
#include "cooker/plugin/plugin_api.h"

namespace simmer::test {

/// A context that keeps what was logged, and can be told to be cancelled.
class RecordingContext : public Context {
 public:
  void progress(double fraction) override { lastProgress = fraction; }
  bool cancelled() const override { return cancel; }
  void log(Level level, std::string_view text) override { lines.emplace_back(level, text); }

  double lastProgress = 0;
  bool cancel = false;
  std::vector<std::pair<Level, std::string>> lines;
};

/// A source tree in memory.
class MemoryReader : public SourceReader {
 public:
  MemoryReader(std::string name, Bytes bytes) : m_name(std::move(name)) { files[m_name] = std::move(bytes); }
  MemoryReader(std::string name, std::string_view text)
      : MemoryReader(std::move(name), Bytes(asBytes(text).begin(), asBytes(text).end())) {}

  std::string_view sourceName() const override { return m_name; }
  Result<Bytes> read(std::string_view path) override {
    if (path.find("..") != std::string_view::npos || path.starts_with('/'))
      return fail(ErrorCode::InvalidInput, "'{}' leaves the source tree", path);
    const auto found = files.find(path);
    if (found == files.end()) return fail(ErrorCode::NotFound, "'{}' is not there", path);
    return found->second;
  }

  std::map<std::string, Bytes, std::less<>> files;

 private:
  std::string m_name;
};

/// The files beside a file on the disk.
class DiskReader : public SourceReader {
 public:
  explicit DiskReader(std::filesystem::path file) : m_file(std::move(file)), m_name(m_file.filename().string()) {}

  std::string_view sourceName() const override { return m_name; }
  Result<Bytes> read(std::string_view path) override {
    if (path.find("..") != std::string_view::npos || path.starts_with('/'))
      return fail(ErrorCode::InvalidInput, "'{}' leaves the source tree", path);
    return readFile(m_file.parent_path() / path);
  }

 private:
  std::filesystem::path m_file;
  std::string m_name;
};

/// A file or folder of the shared test data beside the checkout ("data/bvh"), or nothing where it is absent: the test
/// then skips with a line that says so.
std::optional<std::filesystem::path> sharedPath(std::string_view name);

/// A fresh folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
};

}  // namespace simmer::test

/// Skips the test when the shared data is not there, else declares `var` as its path.
#define SIMMER_SHARED(var, name)                                                             \
  const auto var##Found = simmer::test::sharedPath(name);                                    \
  if (!var##Found) GTEST_SKIP() << "../shared/" << (name) << " is not beside this checkout"; \
  const std::filesystem::path var = *var##Found
