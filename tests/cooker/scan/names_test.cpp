#include "cooker/scan/names.h"

#include <limits>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace simmer {
namespace {

TEST(Utf8, WellFormedTextIsTaken) {
  for (const char* name : {"", "walk.bvh", "a\nb", "größe", "歩く.bvh", "\U0001F43A", "\u0080", "\u07FF", "\u0800",
                           "\uD7FF", "\uE000", "\uFFFF", "\U00010000", "\U0010FFFF"})
    EXPECT_TRUE(isUtf8(name)) << name;
}

TEST(Utf8, AnythingElseIsNot) {
  struct Case {
    const char* bytes;
    const char* why;
  };
  for (const Case& c : {Case{"\x80", "a follower alone"}, Case{"a\xff", "never in UTF-8"}, Case{"\xc3", "cut off"},
                        Case{"\xc3"
                             "a",
                             "not followed"},
                        Case{"\xc0\xaf", "overlong"}, Case{"\xc1\xbf", "overlong"}, Case{"\xe0\x9f\xbf", "overlong"},
                        Case{"\xed\xa0\x80", "a surrogate"}, Case{"\xf0\x8f\xbf\xbf", "overlong"},
                        Case{"\xf4\x90\x80\x80", "above U+10FFFF"}, Case{"\xe6\xad", "cut off"},
                        Case{"\xf0\x9f\x90", "cut off"}, Case{"\xf5\x80\x80\x80", "never in UTF-8"}})
    EXPECT_FALSE(isUtf8(c.bytes)) << c.why;
}

TEST(EscapedName, WritesOnlyTheWrongBytesInHexadecimal) {
  EXPECT_EQ(escapedName("größe"), "größe");
  EXPECT_EQ(escapedName("gr\xf6\xdf"
                        "e.bvh"),
            "gr\\xf6\\xdfe.bvh");
  EXPECT_EQ(escapedName("ö\xc3"), "ö\\xc3");
}

TEST(Stamp, TakesAnyTimeThatAFileSystemKeeps) {
  struct stat info {};
  info.st_size = 3;
  info.st_mtim = {5, 7};
  info.st_ctim = {-1, 999'999'999};
  info.st_ino = 11;
  EXPECT_EQ(stampFrom(info), (FileStamp{3, 5'000'000'007, -1, 11}));
  info.st_mtim = {std::numeric_limits<std::int64_t>::max(), 1};
  EXPECT_EQ(stampFrom(info), stampFrom(info)) << "wraps, and is defined";
}

}  // namespace
}  // namespace simmer
