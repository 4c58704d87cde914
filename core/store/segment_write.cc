// Writing a segment: buffers in the order of the tables' names, then the directory that says where they lie. The same
// tables give the same bytes.
#include <algorithm>
#include <cstring>
#include <map>

#include "core/base/hash.h"
#include "core/store/file_writer.h"
#include "core/store/segment.h"
#include "core/store/segment_format.h"

namespace stepwise::store {
namespace {

constexpr uint64_t kRowsOfHoles = 1u << 16;  // fewer are not worth a call
constexpr size_t kPieceBytes = 1u << 15;     // of what repeats: written and hashed out of the nearest cache

void append_padding(FileWriter& file, uint64_t bytes) {
  static constexpr char kZeros[kBufferAlignment] = {};
  file.append(kZeros, padded_bytes(bytes) - bytes);
}

BufferEntry append_buffer(FileWriter& file, const void* data, uint64_t bytes) {
  const BufferEntry buffer{file.offset(), bytes, hash64({static_cast<const char*>(data), bytes})};
  file.append(data, bytes);
  append_padding(file, bytes);
  return buffer;
}

template <class T>
BufferEntry append_values(FileWriter& file, const std::vector<T>& values) {
  return append_buffer(file, values.data(), values.size() * sizeof(T));
}

/// The checksum of zeros: a table's columns of nothing else are of two sizes at most.
class ZerosHash {
 public:
  uint64_t of(uint64_t bytes) {
    static constexpr char kZeros[kPieceBytes] = {};
    const auto [known, is_new] = by_size_.try_emplace(bytes);
    if (is_new) known->second = hash64_of_repeats({kZeros, sizeof kZeros}, bytes);
    return known->second;
  }

 private:
  std::map<uint64_t, uint64_t> by_size_;
};

BufferEntry append_zeros(FileWriter& file, uint64_t bytes, ZerosHash& hash) {
  const BufferEntry buffer{file.offset(), bytes, hash.of(bytes)};
  file.append_zeros(padded_bytes(bytes));
  return buffer;
}

/// The value in every row. A piece of them stays in the processor's cache, all of them would not.
template <class T>
BufferEntry append_repeated(FileWriter& file, T value, uint64_t rows) {
  const std::vector<T> values(std::min<uint64_t>(rows, kPieceBytes / sizeof(T)), value);
  const std::string_view piece(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  const uint64_t bytes = rows * sizeof(T);
  const BufferEntry buffer{file.offset(), bytes, hash64_of_repeats(piece, bytes)};
  file.append_repeated(piece, bytes);
  append_padding(file, bytes);
  return buffer;
}

template <class T>
bool is_zero(T value) {
  constexpr T kZero{};
  return std::memcmp(&value, &kZero, sizeof value) == 0;  // -0.0 has other bytes
}

BufferEntry append_data(FileWriter& file, const ColumnBuffer& column, ZerosHash& zeros_hash) {
  const uint64_t rows = column.rows();
  const auto append = [&](const auto& values) {
    // What stands in the place of a null is a zero: a column of nothing else is a hole.
    const bool repeats = column.repeated_rows != 0;
    const bool is_zeros = column.null_count == rows || (repeats && is_zero(values.front()));
    if (is_zeros && rows >= kRowsOfHoles) return append_zeros(file, rows * sizeof values.front(), zeros_hash);
    return repeats ? append_repeated(file, values.front(), rows) : append_values(file, values);
  };
  switch (column.decl->type) {
    case table::Type::i64:
      return append(column.i64);
    case table::Type::f64:
      return append(column.f64);
    case table::Type::u8:
      return append(column.u8);
    case table::Type::code:
      break;
  }
  return append(column.code);
}

BufferEntry append_validity(FileWriter& file, const ColumnBuffer& column) {
  const std::vector<bool>& valid = column.valid;
  std::vector<uint8_t> bits((column.rows() + 7) / 8);
  if (column.null_count == column.rows()) return append_values(file, bits);
  auto from = valid.begin();
  for (size_t byte = 0; byte < valid.size() / 8; ++byte) {
    unsigned eight = 0;
    for (unsigned bit = 0; bit < 8; ++bit, ++from) eight |= unsigned{*from} << bit;
    bits[byte] = static_cast<uint8_t>(eight);
  }
  for (unsigned bit = 0; from != valid.end(); ++bit, ++from) {
    bits.back() |= static_cast<uint8_t>(unsigned{*from} << bit);
  }
  return append_values(file, bits);
}

Result<DictionaryEntry> append_dictionary(FileWriter& file, const Dictionary& dictionary) {
  // A mapped offset has 32 bits.
  if (dictionary.bytes() > UINT32_MAX) {
    return Error{ErrorKind::limit, "store.dictionary_limit",
                 "The distinct names of this part of the profile take more than 4 GiB.",
                 "Record fewer steps, or without call stacks."};
  }
  std::vector<uint32_t> offsets{0};
  offsets.reserve(dictionary.size() + 2);
  std::string bytes;
  bytes.reserve(dictionary.bytes());
  for (size_t code = 0; code < dictionary.size(); ++code) {
    bytes += dictionary.at(static_cast<int32_t>(code));
    offsets.push_back(static_cast<uint32_t>(bytes.size()));
  }
  // Never empty, so that the zero in the place of a null is always a code that can be looked up.
  if (dictionary.size() == 0) offsets.push_back(0);

  DictionaryEntry entry;
  entry.count = offsets.size() - 1;
  entry.offsets = append_values(file, offsets);
  entry.bytes = append_buffer(file, bytes.data(), bytes.size());
  return entry;
}

/// What a reader may have got wrong; a segment that is written can be believed.
Result<void> check(TableBuilder& table, const Dictionary& dictionary) {
  const auto bug = [&](const ColumnBuffer& column, const char* what) {
    return Error{ErrorKind::bug, "store.bad_table",
                 std::string("Column ") + column.decl->name + " of table " + table.decl().name + " " + what + ".",
                 "This is a fault of Stepwise; please report it."};
  };
  for (const ColumnBuffer& column : table.held_columns()) {
    if (column.rows() != table.rows()) return bug(column, "has not as many values as the table has rows");
    if (!column.valid.empty() && column.valid.size() != table.rows()) return bug(column, "has a cut validity");
    const auto beyond = [&](int32_t code) {
      return static_cast<size_t>(code) >= std::max<size_t>(1, dictionary.size());
    };
    if (std::any_of(column.code.begin(), column.code.end(), beyond)) return bug(column, "has a code without a string");
  }
  return {};
}

ColumnEntry append_column(FileWriter& file, const ColumnBuffer& column, ZerosHash& zeros_hash) {
  ColumnEntry written{column.decl->name, column.decl->type, column.decl->unit, column.null_count, {}, {}};
  written.data = append_data(file, column, zeros_hash);
  if (column.null_count > 0) written.validity = append_validity(file, column);
  return written;
}

FileHeader make_header(const SegmentKey& key) {
  FileHeader header{};
  std::memcpy(header.magic, kSegmentMagic.data(), sizeof header.magic);
  header.version = kSegmentVersion;
  header.header_bytes = sizeof header;
  header.ingest_print = key.ingest_print;
  header.source_print = key.source_print;
  return header;
}

}  // namespace

Result<void> SegmentBuilder::write_to(int descriptor, const SegmentKey& key) const {
  return write_tables(descriptor, key, [](ColumnBuffer&) {});
}

template <class AfterColumn>
Result<void> SegmentBuilder::write_tables(int descriptor, const SegmentKey& key, AfterColumn after_column) const {
  FileWriter file(descriptor);
  const FileHeader header = make_header(key);
  file.append(&header, sizeof header);

  Directory directory;
  ZerosHash zeros_hash;
  for (const auto& [name, entry] : tables_) {
    TableBuilder& table = *entry.builder;
    SW_RETURN_IF_ERROR(check(table, dictionary_));
    TableEntry written{table.decl().name, entry.source_file, table.rows(), {}};
    for (ColumnBuffer& column : table.held_columns()) {
      written.columns.push_back(append_column(file, column, zeros_hash));
      after_column(column);
    }
    directory.tables.push_back(std::move(written));
  }
  SW_ASSIGN_OR_RETURN(directory.dictionary, append_dictionary(file, dictionary_));

  const std::string text = directory_to_text(directory);
  FileFooter footer{};
  footer.directory_offset = file.offset();
  footer.directory_bytes = text.size();
  footer.checksum = directory_checksum(header, text);
  std::memcpy(footer.magic, kSegmentMagic.data(), sizeof footer.magic);
  file.append(text.data(), text.size());
  file.append(&footer, sizeof footer);
  return file.finish();
}

Result<void> SegmentBuilder::write(const std::filesystem::path& path, const SegmentKey& key) const {
  return replace_file(path, temporary_prefix(path), [&](int descriptor) { return write_to(descriptor, key); });
}

Result<void> SegmentBuilder::write_and_forget(const std::filesystem::path& path, const SegmentKey& key) {
  return replace_file(path, temporary_prefix(path), [&](int descriptor) {
    is_spent_ = true;
    return write_tables(descriptor, key,
                        [](ColumnBuffer& column) { column = {column.decl, {}, {}, {}, {}, {}, 0, 0}; });
  });
}

}  // namespace stepwise::store
