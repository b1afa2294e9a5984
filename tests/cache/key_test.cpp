#include "cache/key.h"

#include <gtest/gtest.h>

namespace simmer {
namespace {

TEST(KeyText, WritesOneLineForEachValue) {
  KeyText text;
  text.add("schema", "1");
  text.add("item", "Run");
  EXPECT_EQ(text.text(), "schema 1:1\nitem 3:Run\n");
}

TEST(KeyText, WritesDigestsAsHexadecimal) {
  KeyText text;
  text.add("source", sha256("abc"));
  EXPECT_EQ(text.text(), "source 64:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad\n");
}

TEST(KeyText, KeyIsTheDigestOfTheText) {
  KeyText text;
  text.add("a", "b");
  EXPECT_EQ(text.key(), sha256("a 1:b\n"));
}

TEST(KeyText, AValueCanNotPassForTwo) {
  KeyText one, two;
  one.add("a", "x\nb 1:y");
  two.add("a", "x");
  two.add("b", "y");
  EXPECT_NE(one.text(), two.text());
  EXPECT_NE(one.key(), two.key());
}

TEST(KeyText, KeepsZerosAndAnyBytes) {
  KeyText text;
  text.add("a", std::string_view("\0\xff\n", 3));
  EXPECT_EQ(text.text(), std::string("a 3:\0\xff\n\n", 8));
}

TEST(KeyText, CanBeReadBack) {
  KeyText text;
  text.add("a", "x\nb 1:y");
  text.add("b", "");
  text.add("a", std::string_view("\0\xff", 2));
  using Lines = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(*parseKeyText(text.text()), (Lines{{"a", "x\nb 1:y"}, {"b", ""}, {"a", std::string("\0\xff", 2)}}));
  EXPECT_EQ(*parseKeyText(""), Lines{});
  for (const char* damaged :
       {"a", "a 1", "a 1:", "a 1:xy\n", "a 2:x\n", "a -1:x\n", "a 99999999999999999999:x\n", "a:1 x\n"})
    EXPECT_FALSE(parseKeyText(damaged)) << damaged;
}

}  // namespace
}  // namespace simmer
