#include "cooker/scan/walk.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cooker/base/file.h"
#include "cooker/scan/names.h"

namespace simmer {
namespace {

namespace fs = std::filesystem;

struct FolderCloser {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
using Folder = std::unique_ptr<DIR, FolderCloser>;

bool isVersionControl(std::string_view name) {
  return name.starts_with('.') && (name == ".git" || name == ".svn" || name == ".hg");
}

fs::path normalFolder(const fs::path& path) {
  std::error_code error;
  fs::path normal = fs::weakly_canonical(fs::absolute(path, error), error);
  if (error) normal = path.lexically_normal();
  return normal.has_filename() || normal == normal.root_path() ? normal : normal.parent_path();
}

/// One walk. Folders wait in a list and are opened from the root's descriptor by their path inside the tree: no
/// recursion, and one descriptor for each thread besides, however deep the tree is.
class Walk {
 public:
  Walk(fs::path root, const WalkOptions& options) : m_root(std::move(root)), m_options(options) {
    for (const fs::path& folder : options.skip) {
      // As the walk writes it: inside the tree, '/' at the end.
      const std::string inside = normalFolder(folder).lexically_relative(m_root).generic_string();
      if (!inside.empty() && inside != ".." && !inside.starts_with("../")) m_skip.push_back(inside + '/');
    }
  }

  Result<Tree> run() {
    m_rootDescriptor = ::open(m_root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (m_rootDescriptor < 0)
      return fail(errno == ENOENT || errno == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io,
                  "the folder can not be read: {}", systemErrorText(errno));
    const bool rootSkipped = std::find(m_skip.begin(), m_skip.end(), "./") != m_skip.end();
    if (!rootSkipped) m_waiting.emplace_back();
    std::vector<Tree> parts(std::max(1U, m_options.threads));
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < parts.size(); ++i) others.emplace_back([this, &part = parts[i]] { work(part); });
    work(parts[0]);
    for (std::thread& thread : others) thread.join();
    ::close(m_rootDescriptor);
    return merged(parts);
  }

 private:
  /// What one thread finds; `folders` are still to be read.
  struct Found {
    Tree& tree;
    std::vector<std::string> folders;

    void problem(std::string path, std::string message) {
      tree.problems.push_back({std::move(path), std::move(message)});
    }
  };

  static Tree merged(std::vector<Tree>& parts) {
    Tree tree = std::move(parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) {
      std::move(parts[i].files.begin(), parts[i].files.end(), std::back_inserter(tree.files));
      std::move(parts[i].problems.begin(), parts[i].problems.end(), std::back_inserter(tree.problems));
    }
    const auto byPath = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(tree.files.begin(), tree.files.end(), byPath);
    std::sort(tree.problems.begin(), tree.problems.end(), byPath);
    return tree;
  }

  /// Reads waiting folders until none waits and none is being read, which could add more.
  void work(Tree& tree) {
    std::unique_lock lock(m_mutex);
    while (true) {
      m_changed.wait(lock, [this] { return !m_waiting.empty() || m_reading == 0; });
      if (m_waiting.empty()) break;
      const std::string folder = std::move(m_waiting.back());
      m_waiting.pop_back();
      ++m_reading;
      lock.unlock();
      Found found{tree, {}};
      readFolder(folder, found);
      lock.lock();
      --m_reading;
      std::move(found.folders.begin(), found.folders.end(), std::back_inserter(m_waiting));
      m_changed.notify_all();
    }
  }

  /// `folder` is its path inside the tree with '/' at the end; empty for the root.
  void readFolder(const std::string& folder, Found& found) {
    const int descriptor = ::openat(m_rootDescriptor, folder.empty() ? "." : folder.c_str(),
                                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const Folder open(descriptor < 0 ? nullptr : ::fdopendir(descriptor));
    if (!open) {
      const int number = errno;
      if (descriptor >= 0) ::close(descriptor);
      // What went away since its name was read is simply not there.
      if (number != ENOENT || folder.empty()) found.problem(folder, "can not be read: " + systemErrorText(number));
      return;
    }
    while (true) {
      errno = 0;
      const dirent* entry = ::readdir(open.get());
      if (!entry) break;
      takeEntry(folder, descriptor, *entry, found);
    }
    if (errno != 0) found.problem(folder, "can not be read to its end: " + systemErrorText(errno));
  }

  void takeEntry(const std::string& folder, int descriptor, const dirent& entry, Found& found) {
    const std::string_view name = entry.d_name;
    if (name == "." || name == ".." || isVersionControl(name) || isTemporaryName(name)) return;
    if (!isUtf8(name)) {
      found.problem(folder + escapedName(name), "the name is not UTF-8, so it is left alone");
      return;
    }
    std::string path;
    path.reserve(folder.size() + name.size() + 1);
    path.append(folder).append(name);
    if (m_root.native().size() + 1 + path.size() >= PATH_MAX) {
      found.problem(path, fmt::format("the path has {} bytes, more than the system opens ({})",
                                      m_root.native().size() + 1 + path.size(), PATH_MAX - 1));
      return;
    }
    struct stat info {};
    unsigned char kind = entry.d_type;
    const bool known = kind == DT_REG || kind == DT_DIR || kind == DT_LNK;
    if (!known && kind != DT_UNKNOWN) return;  // FIFO, socket, device
    if (kind == DT_UNKNOWN) {
      if (!statEntry(descriptor, entry.d_name, AT_SYMLINK_NOFOLLOW, path, info, found)) return;
      kind = S_ISREG(info.st_mode)   ? DT_REG
             : S_ISDIR(info.st_mode) ? DT_DIR
             : S_ISLNK(info.st_mode) ? DT_LNK
                                     : DT_UNKNOWN;
    }
    switch (kind) {
      case DT_DIR:
        takeFolder(std::move(path), found);
        break;
      case DT_LNK:
        takeLink(std::move(path), found);
        break;
      case DT_REG:
        takeFile(std::move(path), descriptor, entry, info, found);
        break;
      default:
        break;
    }
  }

  void takeFolder(std::string path, Found& found) {
    path += '/';
    if (std::find(m_skip.begin(), m_skip.end(), path) != m_skip.end()) return;
    if (m_options.ignore && m_options.ignore(path)) return;
    found.folders.push_back(std::move(path));
  }

  void takeFile(std::string path, int descriptor, const dirent& entry, struct stat& info, Found& found) {
    if (m_options.ignore && m_options.ignore(path)) return;
    const bool alreadyThere = info.st_mode != 0;
    if (!alreadyThere && !statEntry(descriptor, entry.d_name, AT_SYMLINK_NOFOLLOW, path, info, found)) return;
    if (S_ISREG(info.st_mode)) found.tree.files.push_back({std::move(path), stampFrom(info)});
  }

  /// Links are rare, so this may cost: a link counts as the file that it leads to, when that lies in the tree.
  void takeLink(std::string path, Found& found) {
    if (m_options.ignore && m_options.ignore(path)) return;
    const std::unique_ptr<char, decltype(&::free)> target(::realpath((m_root / path).c_str(), nullptr), &::free);
    if (!target) return;
    std::string_view inside = target.get();
    const std::string root = m_root == m_root.root_path() ? m_root.native() : m_root.native() + '/';
    if (!inside.starts_with(root)) return;
    inside.remove_prefix(root.size());
    for (const std::string& skipped : m_skip)
      if (inside.starts_with(skipped)) return;
    struct stat info {};
    if (!statEntry(AT_FDCWD, target.get(), 0, path, info, found) || !S_ISREG(info.st_mode)) return;
    found.tree.files.push_back({std::move(path), stampFrom(info)});
  }

  bool statEntry(int descriptor, const char* name, int flags, const std::string& path, struct stat& info,
                 Found& found) {
    if (::fstatat(descriptor, name, &info, flags) == 0) return true;
    if (errno != ENOENT) found.problem(path, "can not be looked at: " + systemErrorText(errno));
    return false;
  }

  const fs::path m_root;
  const WalkOptions& m_options;
  std::vector<std::string> m_skip;
  int m_rootDescriptor = -1;
  std::mutex m_mutex;  // guards what follows
  std::condition_variable m_changed;
  std::vector<std::string> m_waiting;
  unsigned m_reading = 0;
};

}  // namespace

Digest Tree::digest() const {
  ByteWriter bytes;
  for (const TreeFile& file : files) {
    bytes.putText(file.path);
    bytes.put(file.stamp.size);
    bytes.put(file.stamp.mtimeNs);
    bytes.put(file.stamp.ctimeNs);
    bytes.put(file.stamp.inode);
  }
  return sha256(bytes.take());
}

Result<Tree> walkTree(const fs::path& root, const WalkOptions& options) {
  return Walk(normalFolder(root), options).run();
}

}  // namespace simmer
