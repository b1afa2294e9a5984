#include "cooker/report/escape.h"

#include <gtest/gtest.h>

namespace simmer {
namespace {

const std::string kReplacement = "\xEF\xBF\xBD";

TEST(Escape, KeepsTextThatIsFine) {
  const std::string text = "walk ä 走る 🦊 e\u0301 – ·";
  EXPECT_EQ(cleanText(text), text);
  EXPECT_EQ(markupText(text), text);
}

TEST(Escape, ReplacesBytesThatAreNoUtf8) {
  EXPECT_EQ(cleanText("a\xFFz"), "a" + kReplacement + "z");
  EXPECT_EQ(cleanText("\xC3"), kReplacement) << "cut off";
  EXPECT_EQ(cleanText("\xC0\xAF"), kReplacement + kReplacement) << "overlong '/'";
  EXPECT_EQ(cleanText("\xED\xA0\x80"), kReplacement + kReplacement + kReplacement) << "a surrogate";
  EXPECT_EQ(cleanText("\xF4\x90\x80\x80").size(), 4 * kReplacement.size()) << "above U+10FFFF";
  EXPECT_EQ(cleanText("\xEF\xBF\xBF"), kReplacement) << "U+FFFF, which XML does not have";
}

TEST(Escape, ReplacesControlCharacters) {
  EXPECT_EQ(cleanText(std::string("a\0b", 3)), "a" + kReplacement + "b");
  EXPECT_EQ(cleanText("\x1b[31m"), kReplacement + "[31m");
  EXPECT_EQ(cleanText("\xC2\x9B"), kReplacement) << "the 8-bit escape";
  EXPECT_EQ(cleanText("\u202Egpj.exe"), kReplacement + "gpj.exe") << "turns the direction of text";
  EXPECT_EQ(cleanText("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(cleanLine("a\tb\nc"), "a b c");
}

TEST(Escape, MarkupCanNotBeginOrEnd) {
  EXPECT_EQ(markupText("<script>\"x\"&'y'</script>]]>"),
            "&lt;script&gt;&quot;x&quot;&amp;&#39;y&#39;&lt;/script&gt;]]&gt;");
}

TEST(Escape, UrisHoldNoOtherCharacters) {
  EXPECT_EQ(uriPath("hero/walk.glb"), "hero/walk.glb");
  EXPECT_EQ(uriPath("a b/50%#?ä:"), "a%20b/50%25%23%3F%C3%A4%3A");
}

}  // namespace
}  // namespace simmer
