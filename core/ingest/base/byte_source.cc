#include "core/ingest/base/byte_source.h"

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stepwise::ingest {
namespace {

Error io_error(const char* code, const std::filesystem::path& path, int error_number) {
  return Error{ErrorKind::io, code, std::string("The file cannot be read: ") + std::strerror(error_number) + ".",
               "Check that it exists and that you may read it.", path.string()};
}

/// An open file and its first bytes, which were read to tell its format and are given out once more.
class File {
 public:
  static Result<File> open(const std::filesystem::path& path) {
    File file(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (file.descriptor_ < 0) return io_error("ingest.open", path, errno);
    struct stat status {};
    if (fstat(file.descriptor_, &status) != 0) return io_error("ingest.open", path, errno);
    if (S_ISDIR(status.st_mode)) return io_error("ingest.open", path, EISDIR);
    file.bytes_ = static_cast<uint64_t>(std::max<off_t>(status.st_size, 0));
    posix_fadvise(file.descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
    return file;
  }
  File(File&& other) noexcept
      : path_(std::move(other.path_)),
        descriptor_(std::exchange(other.descriptor_, -1)),
        bytes_(other.bytes_),
        consumed_(other.consumed_),
        head_(std::move(other.head_)) {}
  File& operator=(File&&) = delete;
  ~File() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  /// The first n bytes, or all if there are fewer. Only before read().
  Result<std::string_view> peek(size_t n) {
    while (head_.size() < n) {
      char byte[64];
      SW_ASSIGN_OR_RETURN(const size_t got, read_descriptor({byte, std::min(sizeof byte, n - head_.size())}));
      if (got == 0) break;
      head_.append(byte, got);
    }
    return std::string_view(head_);
  }

  /// 0 = the end.
  Result<size_t> read(std::span<char> into) {
    size_t got = std::min(head_.size(), into.size());
    if (got != 0) {
      std::memcpy(into.data(), head_.data(), got);
      head_.erase(0, got);
    } else {
      SW_ASSIGN_OR_RETURN(got, read_descriptor(into));
    }
    consumed_ += got;
    return got;
  }

  uint64_t bytes() const { return bytes_; }
  uint64_t consumed() const { return consumed_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  File(std::filesystem::path path, int descriptor) : path_(std::move(path)), descriptor_(descriptor) {}

  Result<size_t> read_descriptor(std::span<char> into) {
    for (;;) {
      const ssize_t got = ::read(descriptor_, into.data(), into.size());
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) return io_error("ingest.read", path_, errno);
    }
  }

  std::filesystem::path path_;
  int descriptor_;
  uint64_t bytes_ = 0, consumed_ = 0;
  std::string head_;
};

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(File file) : file_(std::move(file)) {}
  Result<size_t> read(std::span<char> into) override { return file_.read(into); }
  uint64_t file_bytes() const override { return file_.bytes(); }
  uint64_t consumed_bytes() const override { return file_.consumed(); }

 private:
  File file_;
};

/// Any number of gzip members one after the other; zeros after the last one are padding. By ISA-L, which inflates
/// timelines three times as fast as zlib: else inflating would take as long as half of the reading.
class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(File file) : file_(std::move(file)), input_(kInputBytes) { begin_stream(); }

  Result<size_t> read(std::span<char> into) override {
    size_t got = 0;
    while (got < into.size() && !failure_ && !at_end_) got += inflate_some(into.subspan(got));
    // What came before the damage is delivered first.
    if (got == 0 && failure_) return *failure_;
    return got;
  }
  uint64_t file_bytes() const override { return file_.bytes(); }
  uint64_t consumed_bytes() const override { return file_.consumed() - stream_.avail_in; }

 private:
  static constexpr size_t kInputBytes = 1 << 16;

  Error damaged(const std::string& what) const {
    return Error{ErrorKind::bad_data, "ingest.gzip", "The compressed file is damaged: " + what + ".",
                 "Compress the original file anew, or give the plain one.",
                 file_.path().string() + "@" + std::to_string(consumed_bytes())};
  }

  size_t inflate_some(std::span<char> into) {
    // Without input there may still be output: of a match that did not fit before.
    if (stream_.avail_in == 0 && !is_overfull_ && !refill()) return 0;
    if (between_members_ && !begin_member()) return 0;
    const auto room = static_cast<uint32_t>(std::min<size_t>(into.size(), UINT32_MAX));
    stream_.next_out = reinterpret_cast<uint8_t*>(into.data());
    stream_.avail_out = room;
    const int status = isal_inflate(&stream_);
    is_overfull_ = stream_.avail_out == 0;
    if (status != ISAL_DECOMP_OK) {
      failure_ = damaged(reason(status));
    } else if (stream_.block_state == ISAL_BLOCK_FINISH) {
      between_members_ = true;
      is_overfull_ = false;
    }
    return room - stream_.avail_out;
  }

  static const char* reason(int status) {
    switch (status) {
      case ISAL_INVALID_WRAPPER:
      case ISAL_UNSUPPORTED_METHOD:
        return "its header makes no sense";
      case ISAL_INCORRECT_CHECKSUM:
        return "its checksum is another";
      default:
        return "its data cannot be inflated";
    }
  }

  bool refill() {
    Result<size_t> got = file_.read(input_);
    if (!got.ok()) {
      failure_ = got.take_error();
      return false;
    }
    stream_.next_in = reinterpret_cast<uint8_t*>(input_.data());
    stream_.avail_in = static_cast<uint32_t>(got.value());
    if (got.value() != 0) return true;
    if (between_members_) {
      at_end_ = true;
    } else {
      failure_ = damaged("it ends in the middle");
    }
    return false;
  }

  void begin_stream() {
    isal_inflate_init(&stream_);
    stream_.crc_flag = ISAL_GZIP;  // header and checksums, too
  }

  bool begin_member() {
    while (stream_.avail_in != 0 && *stream_.next_in == 0) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) return false;
    if (*stream_.next_in != 0x1f) {
      failure_ = damaged("something else follows its end");
      return false;
    }
    uint8_t* const next_in = stream_.next_in;
    const uint32_t avail_in = stream_.avail_in;
    begin_stream();
    stream_.next_in = next_in;
    stream_.avail_in = avail_in;
    between_members_ = false;
    return true;
  }

  File file_;
  std::vector<char> input_;
  inflate_state stream_{};
  bool between_members_ = false, at_end_ = false;
  bool is_overfull_ = false;  // all room was taken: more output may be waiting
  std::optional<Error> failure_;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> open_source(const std::filesystem::path& path) {
  SW_ASSIGN_OR_RETURN(File file, File::open(path));
  SW_ASSIGN_OR_RETURN(const std::string_view head, file.peek(2));
  if (head == "\x1f\x8b") return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(file)));
  return std::unique_ptr<ByteSource>(std::make_unique<PlainSource>(std::move(file)));
}

}  // namespace stepwise::ingest
