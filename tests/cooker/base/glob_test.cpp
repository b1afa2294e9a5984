#include "cooker/base/glob.h"

#include <gtest/gtest.h>

namespace simmer {
namespace {

bool matches(std::string_view pattern, std::string_view path, Glob::Case sensitivity = Glob::Case::Sensitive) {
  const auto glob = Glob::parse(pattern, sensitivity);
  EXPECT_TRUE(glob) << pattern << ": " << glob.error().text();
  return glob && glob->matches(path);
}

struct Row {
  const char* pattern;
  const char* path;
  bool matches;
};

class Globs : public ::testing::TestWithParam<Row> {};

TEST_P(Globs, Match) {
  const Row& row = GetParam();
  EXPECT_EQ(matches(row.pattern, row.path), row.matches) << row.pattern << " on " << row.path;
}

INSTANTIATE_TEST_SUITE_P(
    Table, Globs,
    ::testing::Values(
        // A pattern without '/' is for the name in any folder.
        Row{"*.glb", "walk.glb", true}, Row{"*.glb", "a/b/walk.glb", true}, Row{"*.glb", "walk.glb/x", false},
        Row{"walk.glb", "a/walk.glb", true}, Row{"walk", "walk.glb", false}, Row{"*", "a/b", true},
        Row{"**", "a/b", true}, Row{"**.glb", "a/b.glb", true},
        // One with '/' is for the whole path.
        Row{"a/*.glb", "a/walk.glb", true}, Row{"a/*.glb", "b/a/walk.glb", false},
        Row{"a/*.glb", "a/b/walk.glb", false}, Row{"*/x", "a/x", true}, Row{"*/x", "a/b/x", false},
        Row{"a/*", "a/", true}, Row{"/a", "a", false},
        // Folders.
        Row{"**/x", "x", true}, Row{"**/x", "a/x", true}, Row{"**/x", "a/b/x", true}, Row{"**/x", "ax", false},
        Row{"**/x", "a/bx", false}, Row{"a/**", "a/b", true}, Row{"a/**", "a/b/c", true}, Row{"a/**", "a", false},
        Row{"a/**", "ab/c", false}, Row{"a/**/x", "a/x", true}, Row{"a/**/x", "a/b/c/x", true},
        Row{"a/**/x", "a/b/cx", false}, Row{"a/**/x", "ax", false}, Row{"**/a/**/b", "a/b", true},
        Row{"**/a/**/b", "x/a/y/z/b", true}, Row{"**/a/**/b", "x/a/y/z/bc", false}, Row{"**/a/*/b", "a/x/a/y/b", true},
        Row{"**/a/b", "a/a/b", true}, Row{"**/**/x", "x", true}, Row{"a/**.glb", "a/b/c.glb", true},
        Row{"a/**.glb", "a/c.glb", true}, Row{"a/**.glb", "a/c.bvh", false},
        // Stars inside of a name are plain ones.
        Row{"a**/b", "ab", false}, Row{"a**/b", "axy/b", true}, Row{"a**/b", "a/x/b", false},
        Row{"x/a**b", "x/a/b", false}, Row{"x/a**b", "x/ayb", true},
        // One character.
        Row{"w?lk", "walk", true}, Row{"w?lk", "wlk", false}, Row{"a/?/b", "a/x/b", true}, Row{"a?b/c", "a/b/c", false},
        Row{"?", "\xC3\xA4", true}, Row{"??", "\xC3\xA4", false}, Row{"?", "\xF0\x9F\x92\x83", true},
        Row{"w\xC3\xA4*", "w\xC3\xA4lk", true}, Row{"*\xA4", "\xC3\xA4", false},
        // Sets.
        Row{"[abc]", "b", true}, Row{"[abc]", "d", false}, Row{"[a-c]x", "bx", true}, Row{"[!a-c]x", "bx", false},
        Row{"[!a-c]x", "dx", true}, Row{"[^a]", "b", true}, Row{"[]]", "]", true}, Row{"[!]]", "]", false},
        Row{"[a-]", "-", true}, Row{"a[/]b/c", "a/b/c", false}, Row{"a[!x]b/c", "a/b/c", false},
        Row{"[\xC3\xA4\xC3\xB6]", "\xC3\xB6", true}, Row{"[\xC3\xA4\xC3\xB6]", "\xC3\xBC", false},
        Row{"[a-\xC3\xB6]", "\xC3\xA4", true}, Row{"[{,}]", "{", true}, Row{"[{,}]", ",", true},
        // Either.
        Row{"*.{glb,gltf}", "a.gltf", true}, Row{"*.{glb,gltf}", "a.bvh", false}, Row{"{a,b}/*", "b/x", true},
        Row{"a{,b}", "a", true}, Row{"a{,b}", "ab", true}, Row{"{a,{b,c}d}", "cd", true}, Row{"{a,{b,c}d}", "d", false},
        Row{"{a,b}{c,d}", "bc", true}, Row{"{[,],x}", ",", true}, Row{"a}", "a}", true}, Row{"a,b", "a,b", true},
        // The character itself.
        Row{"\\*", "*", true}, Row{"\\*", "a", false}, Row{"\\[a]", "[a]", true}, Row{"\\{a,b}", "{a,b}", true},
        Row{"{a\\,b,c}", "a,b", true}, Row{"a\\", "a\\", true}, Row{"\\?", "?", true}));

TEST(Glob, CaseCountsUnlessToldOtherwise) {
  EXPECT_FALSE(matches("*.GLB", "walk.glb"));
  EXPECT_TRUE(matches("*.GLB", "WALK.glb", Glob::Case::Insensitive));
  EXPECT_TRUE(matches("[A-C]x", "bX", Glob::Case::Insensitive));
  EXPECT_FALSE(matches("\xC3\x84", "\xC3\xA4", Glob::Case::Insensitive)) << "ASCII letters only";
}

TEST(Glob, ANameThatIsNoUtf8HidesNoFolder) {
  EXPECT_FALSE(matches("a?b/c", "a\xC3/b/c"));
  EXPECT_TRUE(matches("a?/b", "a\xC3/b"));
  EXPECT_TRUE(matches("*/b", "\xE4\xF6/b"));
  EXPECT_FALSE(matches("*/b", "\xF0/x/b"));
}

TEST(Glob, SaysWhatIsWrong) {
  const auto error = [](std::string_view pattern) {
    const auto glob = Glob::parse(pattern);
    return glob ? std::string("fine") : glob.error().text();
  };
  EXPECT_EQ(error(""), "the pattern is empty");
  EXPECT_EQ(error("ab[c"), "character 3: '[' is not closed");
  EXPECT_EQ(error("ab{c"), "character 3: '{' is not closed");
  EXPECT_EQ(error("{a,{b}"), "character 1: '{' is not closed");
  EXPECT_EQ(error(std::string(5000, 'a')), "the pattern has 5000 bytes, at most 4096");
  EXPECT_EQ(error("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"), "braces stand for more than 256 patterns");
}

std::string repeated(std::string_view text, int count) {
  std::string all;
  while (count-- > 0) all += text;
  return all;
}

/// Each of these takes a matcher that tries one way after the other longer than a life.
TEST(Glob, AHostilePatternEndsSoon) {
  const std::string path(4000, 'a');
  EXPECT_FALSE(matches(repeated("a*", 2000) + "b", path));
  EXPECT_FALSE(matches("x/" + repeated("**/", 1300) + "b", "x/" + repeated("a/", 2000)));
  EXPECT_FALSE(matches("**/*" + std::string(1900, 'a') + "b", path));
  EXPECT_FALSE(matches("x/**" + std::string(1900, 'a') + "*b", "x/" + path));
  EXPECT_FALSE(matches(repeated("**/*a*/", 500) + "b", repeated("aaa/", 1000)));
  EXPECT_TRUE(matches(repeated("a*", 2000), path));
}

TEST(Glob, DeepBracesEndSoon) {
  EXPECT_TRUE(matches(repeated("{", 2000) + "a" + repeated("}", 2000), "a"));
  EXPECT_TRUE(matches(repeated("{}", 2000) + "a", "a"));
  EXPECT_FALSE(Glob::parse(repeated("{,}", 1300)));
}

TEST(Glob, KeepsThePatternAsItWasWritten) {
  EXPECT_EQ(Glob::parse("*.{glb,gltf}")->pattern(), "*.{glb,gltf}");
}

/// The same pattern with each letter as a set of one, so that nothing can be seen of it at a glance.
std::string withoutLetters(std::string_view pattern) {
  std::string text;
  for (const char c : pattern) {
    if (c >= 'a' && c <= 'z')
      text.append("[").append(1, c).append("]");
    else
      text += c;
  }
  return text;
}

TEST(Glob, WhatIsSeenAtAGlanceIsWhatTheWholePatternSays) {
  constexpr std::string_view kPatternTokens[] = {"a", "b", "*", "**", "/", "?", "{a,b/}"};
  constexpr std::string_view kPathTokens[] = {"a", "b", "A", "/", "ab", "\u00e9"};
  std::uint32_t state = 1;
  const auto next = [&](std::size_t count) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % count;
  };
  for (int round = 0; round < 20'000; ++round) {
    std::string pattern, path;
    for (std::size_t i = next(6) + 1; i > 0; --i) pattern += kPatternTokens[next(std::size(kPatternTokens))];
    for (std::size_t i = next(7); i > 0; --i) path += kPathTokens[next(std::size(kPathTokens))];
    for (const Glob::Case sensitivity : {Glob::Case::Sensitive, Glob::Case::Insensitive}) {
      const auto quick = Glob::parse(pattern, sensitivity), slow = Glob::parse(withoutLetters(pattern), sensitivity);
      ASSERT_TRUE(quick && slow) << pattern;
      EXPECT_EQ(quick->matches(path), slow->matches(path)) << pattern << " and " << path;
    }
  }
}

}  // namespace
}  // namespace simmer
