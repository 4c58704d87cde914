#include "clients/example/text_file.h"

#include <cerrno>
#include <charconv>
#include <cstring>

namespace stepwise::example {
namespace {

Error write_error(const std::string& path, int code) {
  return {ErrorKind::io, "example.write", "Cannot write " + path + ": " + std::strerror(code) + ".",
          "Choose a directory that is writable and has room.", path};
}

constexpr int64_t kPowersOfTen[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};

}  // namespace

Result<TextFile> TextFile::create(const std::filesystem::path& path) {
  TextFile file;
  file.path_ = path.string();
  file.file_.reset(std::fopen(path.c_str(), "wb"));
  if (!file.file_) return write_error(file.path_, errno);
  file.buffer_.reserve(kFlushBytes + (64u << 10));
  return file;
}

void TextFile::flush() {
  if (!failed_ && std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size()) failed_ = true;
  written_ += static_cast<int64_t>(buffer_.size());
  buffer_.clear();
}

Result<void> TextFile::close() {
  flush();
  const bool closed = std::fclose(file_.release()) == 0;
  if (failed_ || !closed) return write_error(path_, errno);
  return {};
}

TextFile& TextFile::integer(int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return text({digits, static_cast<size_t>(end - digits)});
}

TextFile& TextFile::us3(int64_t ns) {
  char digits[28];
  auto end = std::to_chars(digits, digits + 24, ns / 1'000).ptr;
  const int64_t rest = ns % 1'000;
  *end++ = '.';
  *end++ = static_cast<char>('0' + rest / 100);
  *end++ = static_cast<char>('0' + rest / 10 % 10);
  *end++ = static_cast<char>('0' + rest % 10);
  return text({digits, static_cast<size_t>(end - digits)});
}

TextFile& TextFile::decimal(int64_t value, int digits) {
  char out[32];
  char* end = out;
  if (value < 0) {
    *end++ = '-';
    value = -value;
  }
  const int64_t unit = kPowersOfTen[digits];
  end = std::to_chars(end, out + sizeof out, value / unit).ptr;
  int64_t rest = value % unit;
  *end++ = '.';
  if (rest == 0) *end++ = '0';
  for (int64_t place = unit / 10; rest > 0; place /= 10) {
    *end++ = static_cast<char>('0' + rest / place);
    rest %= place;
  }
  return text({out, static_cast<size_t>(end - out)});
}

TextFile& TextFile::device_us(int64_t ns, int thirty_seconds) {
  if (thirty_seconds == 0) return us(ns);
  // 1/32 ns = 0.00003125 us: eight decimals are exact.
  char out[40];
  auto end = std::to_chars(out, out + 24, ns / 1'000).ptr;
  int64_t rest = (ns % 1'000) * 100'000 + thirty_seconds * 3'125;
  *end++ = '.';
  for (int64_t place = 10'000'000; rest > 0; place /= 10) {
    *end++ = static_cast<char>('0' + rest / place);
    rest %= place;
  }
  return text({out, static_cast<size_t>(end - out)});
}

TextFile& TextFile::python_float(double value) {
  char out[48];
  const auto end = std::to_chars(out, out + sizeof out, value, std::chars_format::fixed).ptr;
  const std::string_view shown(out, static_cast<size_t>(end - out));
  text(shown);
  return shown.find('.') == std::string_view::npos ? text(".0") : *this;
}

TextFile& TextFile::wide_flow_id(int64_t connection, int64_t offset) {
  __extension__ using Wide = unsigned __int128;
  Wide value = (static_cast<Wide>(connection + offset) << 48) + 0xFFFFFFFFull;
  char digits[40];
  char* begin = digits + sizeof digits;
  for (; value > 0; value /= 10) *--begin = static_cast<char>('0' + static_cast<int>(value % 10));
  return text({begin, static_cast<size_t>(digits + sizeof digits - begin)});
}

}  // namespace stepwise::example
