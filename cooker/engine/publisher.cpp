#include "cooker/engine/publisher.h"

#include <algorithm>

#include "cooker/base/file.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

/// A path in one field of a line: tabs, line ends and backslashes are escaped.
std::string tsvField(std::string_view text) {
  std::string field;
  for (const char c : text) {
    switch (c) {
      case '\t':
        field += "\\t";
        break;
      case '\n':
        field += "\\n";
        break;
      case '\r':
        field += "\\r";
        break;
      case '\\':
        field += "\\\\";
        break;
      default:
        field += c;
    }
  }
  return field;
}

}  // namespace

Publisher::Publisher(fs::path root, const Tree& tree, std::unordered_map<std::string, StateDb::OutputState> known)
    : m_root(std::move(root)), m_known(std::move(known)) {
  m_stamps.reserve(tree.files.size());
  for (const TreeFile& file : tree.files) m_stamps.emplace(file.path, file.stamp);
}

bool Publisher::stands(const PublishedOutput& output) const {
  const std::lock_guard lock(m_mutex);
  const auto known = m_known.find(output.path);
  if (known == m_known.end() || known->second.digest != output.digest) return false;
  const auto stamp = m_stamps.find(output.path);
  return stamp != m_stamps.end() && stamp->second == known->second.stamp;
}

Result<bool> Publisher::publish(const std::string& source, const PublishedOutput& output, double errorMm,
                                const std::function<Result<Bytes>()>& bytes) {
  const bool standing = stands(output);
  {
    const std::lock_guard lock(m_mutex);
    if (output.path == kManifestName)
      return fail(ErrorCode::InvalidInput, "its output would be named {}, which is the manifest's name", kManifestName);
    const auto [claim, first] = m_claimed.try_emplace(output.path, source, output.digest);
    if (!first && claim->second.first != source)
      return fail(ErrorCode::InvalidInput, "its output {} is also the output of {}: rename one of them", output.path,
                  claim->second.first);
    if (!first && claim->second.second != output.digest)
      return fail(ErrorCode::InvalidInput, "two of its outputs are named {} and differ", output.path);
    if (!first) return false;
    if (standing && m_known[output.path].source == source && m_known[output.path].errorMm == errorMm) return false;
  }
  const auto written = write(output, standing, bytes);
  const std::lock_guard lock(m_mutex);
  if (!written) {
    m_claimed.erase(output.path);  // it may be tried again
    return tl::unexpected(written.error());
  }
  m_known[output.path] = {source, output.digest, *written, errorMm};
  m_stamps[output.path] = *written;
  m_changed.insert(output.path);
  return !standing;
}

Result<FileStamp> Publisher::write(const PublishedOutput& output, bool standing,
                                   const std::function<Result<Bytes>()>& bytes) const {
  if (!standing) {
    SIMMER_TRY(content, bytes());
    SIMMER_CHECK(writeFileAtomically(m_root / output.path, content));
  }
  return stampOf(m_root / output.path);
}

void Publisher::keep(const std::string& path) {
  const std::lock_guard lock(m_mutex);
  const auto known = m_known.find(path);
  if (known != m_known.end()) m_claimed.try_emplace(path, known->second.source, known->second.digest);
}

std::size_t Publisher::removeGone(const std::function<bool(const std::string&)>& isGone) {
  const std::lock_guard lock(m_mutex);
  std::size_t removed = 0;
  for (auto entry = m_known.begin(); entry != m_known.end();) {
    if (m_claimed.count(entry->first) || !isGone(entry->second.source)) {
      ++entry;
      continue;
    }
    const fs::path file = m_root / entry->first;
    std::error_code error;
    if (fs::remove(file, error)) ++removed;
    // Fails, as it should, on the first folder that holds something.
    for (fs::path folder = file.parent_path(); folder != m_root && fs::remove(folder, error) && !error;)
      folder = folder.parent_path();
    m_changed.insert(entry->first);
    m_stamps.erase(entry->first);
    entry = m_known.erase(entry);
  }
  return removed;
}

Result<std::uint64_t> Publisher::writeManifest() {
  const std::lock_guard lock(m_mutex);
  std::vector<const std::pair<const std::string, StateDb::OutputState>*> entries;
  for (const auto& entry : m_known) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](auto* a, auto* b) { return a->first < b->first; });
  std::string text = "output\tsource\tsha256\tbytes\terror_mm\n";
  for (const auto* entry : entries) {
    const StateDb::OutputState& state = entry->second;
    text += fmt::format("{}\t{}\t{}\t{}\t{}\n", tsvField(entry->first), tsvField(state.source), state.digest.hex(),
                        state.stamp.size, state.errorMm < 0 ? "" : fmt::format("{:.6g}", state.errorMm));
  }
  // A manifest that says the same already is left alone, so that a run without changes writes nothing.
  if (const auto old = readFile(m_root / kManifestName); old && asText(*old) == text) return text.size();
  SIMMER_CHECK(writeFileAtomically(m_root / kManifestName, asBytes(text)));
  return text.size();
}

std::unordered_map<std::string, std::optional<StateDb::OutputState>> Publisher::takeChanges() {
  const std::lock_guard lock(m_mutex);
  std::unordered_map<std::string, std::optional<StateDb::OutputState>> changes;
  for (const std::string& path : m_changed) {
    const auto known = m_known.find(path);
    changes.emplace(path, known == m_known.end() ? std::nullopt : std::optional(known->second));
  }
  m_changed.clear();
  return changes;
}

std::uint64_t Publisher::shippedBytes() const {
  const std::lock_guard lock(m_mutex);
  std::uint64_t bytes = 0;
  for (const auto& [path, state] : m_known) bytes += state.stamp.size;
  return bytes;
}

}  // namespace simmer
