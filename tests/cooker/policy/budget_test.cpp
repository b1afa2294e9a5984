#include "tests/cooker/policy/policy_fixtures.h"

namespace simmer::test {
namespace {

using Scope = Budget::Scope;

TEST(Budgets, SayWhatTheyLimit) {
  const Project project = goodProject(
      "[profile.npc]\n"
      "[[budget]]\nmax_bytes = '10 MB'\n"
      "[[budget]]\nfolder = 'npc/'\nmax_bytes = 500\nsize = 'memory'\n"
      "[[budget]]\nname = 'the crowd'\nprofile = 'npc'\nmax_growth_percent = 2.5\n"
      "[[budget]]\ntag = 'cutscene'\nmax_error_px = 1\n"
      "[[budget]]\nasset = 'hero/**'\nmax_error_mm = 0.5\nmax_bytes = '12 KiB'\n");
  const std::vector<Budget>& budgets = project.budgets();
  ASSERT_EQ(budgets.size(), 5u);
  EXPECT_EQ(budgets[0].name, "total");
  EXPECT_EQ(budgets[0].maxBytes, 10'000'000u);
  EXPECT_EQ(budgets[0].line, 2);
  EXPECT_EQ(budgets[1].name, "folder npc");
  EXPECT_EQ(budgets[1].of, "npc");
  EXPECT_EQ(budgets[1].size, Budget::Size::Memory);
  EXPECT_EQ(budgets[2].name, "the crowd");
  EXPECT_EQ(budgets[2].scope, Scope::Profile);
  EXPECT_EQ(budgets[2].maxGrowthPercent, 2.5);
  EXPECT_EQ(budgets[3].scope, Scope::Tag);
  EXPECT_EQ(budgets[3].maxErrorPx, 1);
  EXPECT_EQ(budgets[4].scope, Scope::Asset);
  EXPECT_EQ(budgets[4].maxBytes, 12u * 1024);
  EXPECT_EQ(budgets[4].maxErrorMm, 0.5);
}

TEST(Budgets, SayWhatIsWrong) {
  const auto error = [](const char* toml) {
    const auto project = parseProject(toml);
    return project ? std::string("none") : project.error().text();
  };
  EXPECT_EQ(error("[[budget]]\nprofile = 'ncp'\nmax_bytes = 1\n[profile.npc]\n"),
            "simmer.toml:2:11: there is no profile 'ncp'; did you mean 'npc'?");
  EXPECT_EQ(error("[[budget]]\nmax_byte = 1\n"),
            "simmer.toml:2:1: unknown key 'max_byte' in a budget; did you mean 'max_bytes'?");
  EXPECT_EQ(error("[[budget]]\nfolder = 'a'\n"),
            "simmer.toml:1:1: a budget without a limit: expected max_bytes, max_growth_percent, max_error_mm or "
            "max_error_px");
  EXPECT_EQ(error("[[budget]]\nfolder = 'a'\ntag = 'b'\nmax_bytes = 1\n"),
            "simmer.toml:3:7: a budget is for one thing, this one has 'folder' and 'tag'");
  EXPECT_EQ(error("[[budget]]\nmax_bytes = '3 bananas'\n"),
            "simmer.toml:2:13: \"3 bananas\" is no size: expected a number of bytes or a text such as \"10 GB\"");
  EXPECT_EQ(error("[[budget]]\nmax_error_px = -1\n"), "simmer.toml:2:16: max_error_px is -1, expected at least 0");
  EXPECT_EQ(error("[[budget]]\nsize = 'disk'\nmax_bytes = 1\n"),
            "simmer.toml:2:8: size is 'disk', expected artifact or memory");
  EXPECT_EQ(error("[[budget]]\nasset = '['\nmax_bytes = 1\n"), "simmer.toml:2:9: character 1: '[' is not closed");
  EXPECT_EQ(error("[budget]\nmax_bytes = 1\n"), "simmer.toml:1:1: 'budget' is a table, expected [[budget]] for each");
}

}  // namespace
}  // namespace simmer::test
