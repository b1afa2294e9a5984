#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace simmer::bench {

/// The clips and the bytes of other codecs that stand beside the corpus (`bench/clips.tsv`, `bench/reference.tsv`).
class PeerSizes {
 public:
  /// Empty where the file is not there.
  explicit PeerSizes(const std::filesystem::path& referenceTsv);

  /// The smallest bytes of a codec at a tolerance ("7.03"); nothing where it does not reach that.
  std::optional<double> bytes(const std::string& clip, const std::string& toleranceMm, const std::string& codec) const;
  bool empty() const { return m_bytes.empty(); }

 private:
  std::map<std::string, double> m_bytes;  // by "clip tolerance codec"
};

/// Names of the first column, without the heading.
std::vector<std::string> firstColumn(const std::filesystem::path& tsv);

}  // namespace simmer::bench
