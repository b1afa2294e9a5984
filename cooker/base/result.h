#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <tl/expected.hpp>

namespace simmer {

/// What went wrong, and so what to do about it.
enum class ErrorCode {
  InvalidInput,    ///< The source or a setting is wrong: a person has to change it.
  Unsupported,     ///< Valid, but not something this program reads or writes.
  ToleranceUnmet,  ///< No encoding met the bound. Deterministic: kept as a negative answer.
  Io,              ///< The disk or the system refused; may work later.
  Timeout,         ///< Took too long; may work later.
  PluginCrashed,   ///< The plugin died; the framework did not.
  Cancelled,       ///< Somebody asked to stop.
  NotFound,        ///< It is not there.
  Corrupt,         ///< Stored bytes do not match their digest or their format.
};

/// The code's name as it stands in messages and JSON: "invalid-input".
std::string_view toString(ErrorCode code);

/// Whether the same input gives the same error again, so that it may be kept as a negative answer under its key.
bool isDeterministic(ErrorCode code);

/// Why a function could not do what its name says.
struct Error {
  ErrorCode code = ErrorCode::InvalidInput;
  std::string message;  ///< What was seen and what was expected. Holds no file name.
  std::string where;    ///< The place inside the file ("line 12", "/animations/3"); empty when it is all of it.

  /// "where: message", or the message alone.
  std::string text() const { return where.empty() ? message : where + ": " + message; }
  bool operator==(const Error&) const = default;
};

/// A value, or why there is none. Nothing of ours throws.
template <class T>
using Result = tl::expected<T, Error>;

/// An error whose message is formatted as by fmt::format.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> fail(ErrorCode code, fmt::format_string<Args...> format, Args&&... args) {
  return tl::unexpected(Error{code, fmt::format(format, std::forward<Args>(args)...), {}});
}

/// As fail(), with the place inside the file.
template <class... Args>
[[nodiscard]] tl::unexpected<Error> failAt(ErrorCode code, std::string where, fmt::format_string<Args...> format,
                                           Args&&... args) {
  return tl::unexpected(Error{code, fmt::format(format, std::forward<Args>(args)...), std::move(where)});
}

}  // namespace simmer

/// Declares `var` as the value of `expr`, or returns its error from the function around it.
#define SIMMER_TRY(var, expr)                                                \
  auto var##OrError = (expr);                                                \
  if (!var##OrError) return tl::unexpected(std::move(var##OrError).error()); \
  auto& var = *var##OrError

/// Returns the error of a Result<void> from the function around it, if there is one.
#define SIMMER_CHECK(expr)                                                   \
  do {                                                                       \
    auto simmerCheck = (expr);                                               \
    if (!simmerCheck) return tl::unexpected(std::move(simmerCheck).error()); \
  } while (false)
