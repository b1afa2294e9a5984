#include "cooker/cli/interrupt.h"

#include <csignal>

namespace simmer {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

void onInterrupt(int) {
  g_interrupted = 1;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

void stopOnInterrupt() {
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
}

bool interrupted() {
  return g_interrupted != 0;
}

}  // namespace simmer
