#pragma once

namespace simmer {

/// From now on the first Ctrl-C (or SIGTERM) asks the run to stop cleanly; the second one ends the process as usual.
void stopOnInterrupt();
/// Whether somebody asked to stop.
bool interrupted();

}  // namespace simmer
