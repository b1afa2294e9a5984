#pragma once

#include "cooker/base/result.h"

namespace simmer {

/// What the process ends with. Scripts and build servers go by it.
enum ExitCode : int {
  kFine = 0,
  kAssetFailed = 1,
  kWrongUsage = 2,   ///< wrong usage or configuration
  kEnvironment = 3,  ///< disk, watch, database, daemon
  kBudgetExceeded = 4,
  kVerification = 5,  ///< stored or published bytes are not what they were
};

/// The code for a run that could not be done at all.
inline ExitCode exitCodeFor(const Error& error) {
  const bool configuration = error.code == ErrorCode::InvalidInput || error.code == ErrorCode::NotFound ||
                             error.code == ErrorCode::Unsupported;
  return configuration ? kWrongUsage : kEnvironment;
}

}  // namespace simmer
