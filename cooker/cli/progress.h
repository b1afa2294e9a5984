#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "cooker/engine/events.h"

namespace simmer {

/// Shows how far a run is on stderr: a bar on a terminal, a line every few seconds elsewhere. Nothing at all for a run
/// that is over at once.
class Progress {
 public:
  explicit Progress(bool quiet);
  void operator()(const CookEvent& event);

 private:
  void show(const std::string& what);
  void clear();

  bool m_terminal = false;
  bool m_quiet = false;
  bool m_shown = false;
  std::size_t m_done = 0, m_total = 0, m_failed = 0;
  std::chrono::steady_clock::time_point m_started, m_lastShown;
};

/// Columns of the terminal on stdout; 200 where it is none, so that nothing is cut for a file or a pipe.
std::size_t outputWidth();

}  // namespace simmer
