#include "tests/support/plugin_fixtures.h"

#include <stdlib.h>

namespace simmer::test {

namespace fs = std::filesystem;

std::optional<fs::path> sharedPath(std::string_view name) {
  const fs::path path = fs::path(SIMMER_SOURCE_DIR).parent_path() / "shared" / name;
  return fs::exists(path) ? std::optional(path) : std::nullopt;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "simmer-test-XXXXXX").string();
  m_path = fs::canonical(::mkdtemp(pattern.data()));
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(m_path, ignored);
}

}  // namespace simmer::test
