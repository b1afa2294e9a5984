#include "cooker/base/file.h"

#include <atomic>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace simmer {
namespace {

constexpr std::string_view kTemporaryPrefix = ".simmer-tmp-";

class Descriptor {
 public:
  explicit Descriptor(int number) : m_number(number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return m_number; }
  /// False when the system could not keep what was written.
  bool close() {
    const int number = m_number;
    m_number = -1;
    return number < 0 || ::close(number) == 0;
  }

 private:
  int m_number;
};

tl::unexpected<Error> ioError(std::string_view what, int number) {
  return fail(number == ENOENT || number == ENOTDIR ? ErrorCode::NotFound : ErrorCode::Io, "{}: {}", what,
              systemErrorText(number));
}

bool writeAll(int descriptor, ByteView bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::filesystem::path temporaryPathBeside(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter{0};
  return path.parent_path() / fmt::format("{}{}-{}", kTemporaryPrefix, ::getpid(), counter++);
}

/// Opens a new file, making its folder first when that is missing.
int openNew(const std::filesystem::path& path) {
  constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
  const int number = ::open(path.c_str(), flags, 0666);
  if (number >= 0 || errno != ENOENT) return number;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  return ::open(path.c_str(), flags, 0666);
}

}  // namespace

std::string systemErrorText(int number) {
  return std::generic_category().message(number);
}

bool isTemporaryName(std::string_view fileName) {
  return fileName.starts_with(kTemporaryPrefix);
}

Result<Bytes> readFile(const std::filesystem::path& path, std::uint64_t limit) {
  // O_NONBLOCK: opening a FIFO without a writer must not wait; regular files do not care.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.number() < 0) return ioError("can not open", errno);
  struct stat info {};
  if (::fstat(file.number(), &info) != 0) return ioError("can not stat", errno);
  if (!S_ISREG(info.st_mode)) return fail(ErrorCode::InvalidInput, "not a regular file");
  const auto size = static_cast<std::uint64_t>(info.st_size);
  if (size > limit) return fail(ErrorCode::InvalidInput, "{} bytes, at most {} are read", size, limit);
  Bytes bytes(size);
  std::size_t have = 0;
  // The file may grow or shrink while it is read: what was there to the end of one pass is what counts.
  while (have < bytes.size()) {
    const ssize_t count = ::read(file.number(), bytes.data() + have, bytes.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ioError("can not read", errno);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  bytes.resize(have);
  return bytes;
}

Result<void> writeFileAtomically(const std::filesystem::path& path, ByteView bytes, bool sync) {
  const std::filesystem::path temporary = temporaryPathBeside(path);
  Descriptor file(openNew(temporary));
  if (file.number() < 0) return fail(ErrorCode::Io, "can not create a file in the folder: {}", systemErrorText(errno));
  const bool written = writeAll(file.number(), bytes) && (!sync || ::fsync(file.number()) == 0);
  int error = errno;
  const bool closed = file.close();
  if (written && !closed) error = errno;
  if (!written || !closed || ::rename(temporary.c_str(), path.c_str()) != 0) {
    if (written && closed) error = errno;
    ::unlink(temporary.c_str());
    return fail(ErrorCode::Io, "can not write: {}", systemErrorText(error));
  }
  return {};
}

}  // namespace simmer
