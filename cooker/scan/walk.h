#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cooker/base/digest.h"
#include "cooker/base/result.h"

namespace simmer {

/// What stat() says of a file: cheap evidence of whether its content may have changed.
struct FileStamp {
  std::uint64_t size = 0;
  std::int64_t mtimeNs = 0;
  std::int64_t ctimeNs = 0;
  std::uint64_t inode = 0;
  bool operator==(const FileStamp&) const = default;
};

struct TreeFile {
  std::string path;  ///< inside the tree, '/' between folders, UTF-8
  FileStamp stamp;
};

struct TreeProblem {
  std::string path;  ///< inside the tree; bytes that are not UTF-8 written as \xNN
  std::string message;
};

struct Tree {
  std::vector<TreeFile> files;        ///< sorted by path (bytes)
  std::vector<TreeProblem> problems;  ///< names that are not UTF-8, folders that can not be read
  /// A digest over all paths and stamps: equal trees give equal digests.
  Digest digest() const;
};

struct WalkOptions {
  std::vector<std::filesystem::path> skip;  ///< absolute folders that are left out (output, state)
  /// Called for each file and folder (folders end in '/'); true leaves it out. May be empty.
  std::function<bool(std::string_view path)> ignore;
  unsigned threads = 1;  ///< that read folders; `ignore` is then called from any of them
};

/// Every regular file below `root`. Hidden version-control folders (.git, .svn, .hg) and temporary files of ours are
/// left out. A link to a file inside the tree is followed, any other link is left out; a link to a folder is never
/// followed. NotFound or Io when the root itself can not be read.
Result<Tree> walkTree(const std::filesystem::path& root, const WalkOptions& options);

}  // namespace simmer
