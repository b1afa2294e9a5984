#pragma once

#include <string>
#include <string_view>

#include "cooker/plugin/plugin_api.h"

namespace simmer::animation {

/// A reader in front of another one that refuses what is no content at all: a Git LFS pointer in the place of any
/// file, and an empty source. The other reader must outlive it.
class CheckedReader : public SourceReader {
 public:
  explicit CheckedReader(SourceReader& reader) : m_reader(reader) {}
  std::string_view sourceName() const override { return m_reader.sourceName(); }
  Result<Bytes> read(std::string_view pathNextToSource) override;

 private:
  SourceReader& m_reader;
};

/// What well-known kind of file these bytes are, for a message: "a PNG image", "UTF-16 text". Empty when none is known.
std::string_view knownKind(ByteView bytes);

/// The name as UTF-8: itself where it is UTF-8 already, else read as Latin-1.
std::string toUtf8(std::string_view name);

/// A word of a source as a message quotes it: at most 40 characters, anything but printable ASCII as '?'.
std::string inQuotes(std::string_view word);

}  // namespace simmer::animation
