#include "plugins/animation/import/source_file.h"

#include <gtest/gtest.h>

#include "tests/support/plugin_fixtures.h"

namespace simmer::animation {
namespace {

constexpr const char* kPointer =
    "version https://git-lfs.github.com/spec/v1\noid "
    "sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2"
    "393\nsize 12345\n";

TEST(SourceFile, RefusesLfsPointersAndEmptySources) {
  test::MemoryReader reader("walk.bvh", kPointer);
  reader.files["data.bin"] = reader.files["walk.bvh"];
  reader.files["empty.bin"] = {};
  CheckedReader checked(reader);
  EXPECT_EQ(checked.read("walk.bvh").error(),
            (Error{ErrorCode::InvalidInput, "this is a Git LFS pointer, not the file itself: run git lfs pull", ""}));
  EXPECT_EQ(checked.read("data.bin").error().where, "data.bin");
  EXPECT_TRUE(checked.read("empty.bin"));
  EXPECT_EQ(checked.read("absent.bin").error().code, ErrorCode::NotFound);
  test::MemoryReader empty("walk.bvh", "");
  EXPECT_EQ(CheckedReader(empty).read("walk.bvh").error().message, "the file is empty");
}

TEST(SourceFile, ReadsNamesThatAreNotUtf8AsLatin1) {
  EXPECT_EQ(toUtf8("Hüfte"), "Hüfte");
  EXPECT_EQ(toUtf8("H\xFC"
                   "fte"),
            "Hüfte");
  EXPECT_EQ(toUtf8("\xC0\x80"), "À\xC2\x80");              // an overlong form
  EXPECT_EQ(toUtf8("\xED\xA0\x80"), "í\xC2\xA0\xC2\x80");  // half of a surrogate pair
  EXPECT_EQ(toUtf8("cut \xE2\x82"), "cut â\xC2\x82");
}

TEST(SourceFile, QuotesWithoutSurprises) {
  EXPECT_EQ(inQuotes("a b"), "'a b'");
  EXPECT_EQ(inQuotes("\x1B[31m\n"), "'?[31m?'");
  EXPECT_EQ(inQuotes(std::string(50, 'x')), "'" + std::string(40, 'x') + "…'");
}

}  // namespace
}  // namespace simmer::animation
