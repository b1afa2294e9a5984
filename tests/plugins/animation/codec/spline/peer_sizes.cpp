#include "tests/plugins/animation/codec/spline/peer_sizes.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace simmer::bench {
namespace {

std::vector<std::string> columnsOf(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream in(line);
  for (std::string column; std::getline(in, column, '\t');) columns.push_back(column);
  return columns;
}

std::string keyOf(const std::string& clip, const std::string& tolerance, const std::string& codec) {
  return clip + ' ' + tolerance + ' ' + codec;
}

}  // namespace

PeerSizes::PeerSizes(const std::filesystem::path& referenceTsv) {
  std::ifstream in(referenceTsv);
  for (std::string line; std::getline(in, line);) {
    const std::vector<std::string> columns = columnsOf(line);
    if (columns.size() < 4) continue;
    char* end = nullptr;
    const double bytes = std::strtod(columns[3].c_str(), &end);
    if (end != columns[3].c_str() && *end == '\0') m_bytes[keyOf(columns[0], columns[1], columns[2])] = bytes;
  }
}

std::optional<double> PeerSizes::bytes(const std::string& clip, const std::string& toleranceMm,
                                       const std::string& codec) const {
  const auto found = m_bytes.find(keyOf(clip, toleranceMm, codec));
  return found == m_bytes.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> firstColumn(const std::filesystem::path& tsv) {
  std::ifstream in(tsv);
  std::vector<std::string> names;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line))
    if (const std::string name = line.substr(0, line.find('\t')); !name.empty()) names.push_back(name);
  return names;
}

}  // namespace simmer::bench
