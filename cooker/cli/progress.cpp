#include "cooker/cli/progress.h"

#include <cstdio>

#include <sys/ioctl.h>
#include <unistd.h>

#include "cooker/report/numbers.h"

namespace simmer {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kTerminalInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(5);
constexpr std::size_t kBarWidth = 24;

std::size_t columnsOf(int descriptor, std::size_t otherwise) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

std::string bar(std::size_t done, std::size_t total) {
  const std::size_t full = total == 0 ? kBarWidth : kBarWidth * done / total;
  std::string text;
  for (std::size_t i = 0; i < kBarWidth; ++i) text += i < full ? "█" : "░";
  return text;
}

}  // namespace

std::size_t outputWidth() {
  return columnsOf(STDOUT_FILENO, 200);
}

Progress::Progress(bool quiet)
    : m_terminal(::isatty(STDERR_FILENO) == 1), m_quiet(quiet), m_started(Clock::now()), m_lastShown(m_started) {}

void Progress::operator()(const CookEvent& event) {
  if (m_quiet) return;
  if (const auto* started = std::get_if<CookStarted>(&event)) m_total = started->sources;
  if (const auto* done = std::get_if<AssetDone>(&event)) m_failed += done->row.state == AssetState::Failed ? 1 : 0;
  if (const auto* source = std::get_if<SourceDone>(&event)) {
    m_done = source->done;
    show(source->source);
  }
  if (std::holds_alternative<CookEnded>(event)) clear();
}

void Progress::show(const std::string& what) {
  const auto now = Clock::now();
  if (now - m_lastShown < (m_terminal ? Clock::duration(kTerminalInterval) : Clock::duration(kLineInterval))) return;
  m_lastShown = now;
  m_shown = true;
  const std::string failed = m_failed == 0 ? "" : fmt::format(", {} failed", countText(m_failed));
  const std::string counts = fmt::format("{} of {} sources{}", countText(m_done), countText(m_total), failed);
  if (m_terminal) {
    const std::string head = fmt::format("{} {}  ", bar(m_done, m_total), counts);
    const std::size_t columns = columnsOf(STDERR_FILENO, 80);
    const std::size_t room = columns > displayWidth(head) + 1 ? columns - displayWidth(head) - 1 : 0;
    const std::string name = room < 8 ? "" : shortenedMiddle(what, room);
    fmt::print(stderr, "\r\x1b[K{}{}", head, name);
  } else {
    fmt::print(stderr, "cooking: {}\n", counts);
  }
  std::fflush(stderr);
}

void Progress::clear() {
  if (m_terminal && m_shown) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace simmer
