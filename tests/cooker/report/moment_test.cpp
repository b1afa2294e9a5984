#include "cooker/report/moment.h"

#include <cstdlib>
#include <ctime>

#include <gtest/gtest.h>

namespace simmer {
namespace {

/// All in a zone whose day does not begin with UTC's and that changes its clocks.
class Moments : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* zone = std::getenv("TZ")) m_zone = zone;
    ::setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    ::tzset();
  }
  void TearDown() override {
    m_zone.empty() ? ::unsetenv("TZ") : ::setenv("TZ", m_zone.c_str(), 1);
    ::tzset();
  }
  /// The moment as UTC; "first", "#3", or the message when there is none.
  static std::string at(const char* text, DayEdge edge = DayEdge::Start) {
    const auto moment = parseMoment(text, kNow, edge);
    if (!moment) return moment.error().code == ErrorCode::NotFound ? "not found" : moment.error().message;
    if (moment->kind == Moment::Kind::First) return "first";
    if (moment->kind == Moment::Kind::Run) return fmt::format("#{}", moment->run);
    return isoTime(moment->timeMs);
  }

  static constexpr std::int64_t kNow = 1'796'117'400'000;  // 2026-12-01T09:30:00 UTC, 10:30 in the zone
  std::string m_zone;
};

TEST_F(Moments, AreRead) {
  EXPECT_EQ(isoTime(kNow), "2026-12-01T09:30:00Z");
  EXPECT_EQ(timeText(kNow), "2026-12-01 10:30");
  EXPECT_EQ(at("first"), "first");
  EXPECT_EQ(at("#12"), "#12");
  EXPECT_EQ(at("2026-11-30"), "2026-11-29T23:00:00Z");
  EXPECT_EQ(at("2026-11-30", DayEdge::End), "2026-11-30T22:59:59Z");
  EXPECT_EQ(at("2026-11-30T12:00"), "2026-11-30T11:00:00Z");
  EXPECT_EQ(at("2026-11-30T12:00", DayEdge::End), "2026-11-30T11:00:59Z");
  EXPECT_EQ(at("2026-11-30 12:00:05"), "2026-11-30T11:00:05Z");
  EXPECT_EQ(at("today"), "2026-11-30T23:00:00Z");
  EXPECT_EQ(at("yesterday"), "2026-11-29T23:00:00Z");
  EXPECT_EQ(at("yesterday", DayEdge::End), "2026-11-30T22:59:59Z");
  EXPECT_EQ(at("last-week", DayEdge::End), "2026-11-24T22:59:59Z");
  EXPECT_EQ(at("7d"), "2026-11-24T09:30:00Z");
  EXPECT_EQ(at("3h"), "2026-12-01T06:30:00Z");
  EXPECT_EQ(at("90m"), "2026-12-01T08:00:00Z");
  EXPECT_EQ(at("2w"), "2026-11-17T09:30:00Z");
}

TEST_F(Moments, KnowTheDaysWhenClocksChange) {
  EXPECT_EQ(at("2026-10-25"), "2026-10-24T22:00:00Z");
  EXPECT_EQ(at("2026-10-25", DayEdge::End), "2026-10-25T22:59:59Z") << "a day of 25 hours";
  EXPECT_EQ(at("2026-03-29", DayEdge::End), "2026-03-29T21:59:59Z") << "a day of 23 hours";
}

TEST_F(Moments, SayWhatIsNoDate) {
  EXPECT_EQ(at("2026-02-30"), "'2026-02-30' is no date of the calendar");
  EXPECT_EQ(at("2026-13-01"), "'2026-13-01' is no date of the calendar");
  EXPECT_EQ(at("2026-12-01T25:00"), "'2026-12-01T25:00' is no date of the calendar");
  EXPECT_EQ(at("#"), "'#' names no run: expected # and its number");
  EXPECT_EQ(at("#1x"), "'#1x' names no run: expected # and its number");
  for (const char* text : {"", "d", "-7d", "7y", "report.json", "2026-11", "99999999999999999999d", "+1d"})
    EXPECT_EQ(at(text), "not found") << text;
}

TEST_F(Moments, FindTheRunThatWasLastByThen) {
  std::vector<HistoryRun> runs(4);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].id = static_cast<std::int64_t>(i) + 1;
    runs[i].timeMs = 1000 * runs[i].id;
    runs[i].finished = i != 2;
  }
  const auto idOf = [](const HistoryRun* run) { return run ? run->id : 0; };
  using Kind = Moment::Kind;
  EXPECT_EQ(idOf(runAt(runs, {Kind::First, 0, 0})), 1);
  EXPECT_EQ(idOf(runAt(runs, {Kind::Run, 2, 0})), 2);
  EXPECT_EQ(idOf(runAt(runs, {Kind::Run, 3, 0})), 0) << "a run that was killed has no totals";
  EXPECT_EQ(idOf(runAt(runs, {Kind::Run, 9, 0})), 0);
  EXPECT_EQ(idOf(runAt(runs, {Kind::Time, 0, 999})), 0);
  EXPECT_EQ(idOf(runAt(runs, {Kind::Time, 0, 1000})), 1);
  EXPECT_EQ(idOf(runAt(runs, {Kind::Time, 0, 3500})), 2);
  EXPECT_EQ(idOf(runAt(runs, {Kind::Time, 0, 99999})), 4);
}

}  // namespace
}  // namespace simmer
