#pragma once

#include <string>
#include <vector>

#include "cache/store.h"
#include "cooker/plugin/plugin_api.h"

namespace simmer {

/// What is kept of a cook under its key: an artifact's facts, or a negative answer. Holds no file name.
struct CookResult {
  struct Output {
    std::string suffix;
    bool perSource = false;
    BlobRef blob;
  };

  std::vector<Output> outputs;
  double toleranceM = 0;
  double objectHeightM = 0;
  std::string codec;
  std::uint64_t rawBytes = 0;
  std::uint64_t memoryBytes = 0;
  Measures measures;
  double seconds = 0;
  std::vector<std::string> log;
  std::optional<Error> error;  ///< the negative answer

  Record toRecord(std::string keyText) const;
  /// Corrupt when the record's text is not what toRecord() writes.
  static Result<CookResult> fromRecord(const Record& record);
};

/// A kept description, or the error that describing ended in.
struct DescribeResult {
  Result<Description> description;
  std::vector<std::string> log;

  std::string toJsonText() const;
  static Result<DescribeResult> fromJson(std::string_view text);
};

/// File names as a JSON array, and back.
std::string namesToJson(const std::vector<std::string>& names);
Result<std::vector<std::string>> namesFromJson(std::string_view text);

}  // namespace simmer
