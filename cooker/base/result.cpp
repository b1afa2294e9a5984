#include "cooker/base/result.h"

namespace simmer {

std::string_view toString(ErrorCode code) {
  switch (code) {
    case ErrorCode::InvalidInput:
      return "invalid-input";
    case ErrorCode::Unsupported:
      return "unsupported";
    case ErrorCode::ToleranceUnmet:
      return "tolerance-unmet";
    case ErrorCode::Io:
      return "io";
    case ErrorCode::Timeout:
      return "timeout";
    case ErrorCode::PluginCrashed:
      return "plugin-crashed";
    case ErrorCode::Cancelled:
      return "cancelled";
    case ErrorCode::NotFound:
      return "not-found";
    case ErrorCode::Corrupt:
      return "corrupt";
  }
  return "unknown";
}

bool isDeterministic(ErrorCode code) {
  return code == ErrorCode::InvalidInput || code == ErrorCode::Unsupported || code == ErrorCode::ToleranceUnmet;
}

}  // namespace simmer
