#include "core/store/segment_format.h"

#include <array>

#include "core/base/hash.h"
#include "core/base/json.h"

namespace stepwise::store {
namespace {

// Names in the file, by the number of the enumerator.
constexpr std::array<std::string_view, 4> kTypeNames{"i64", "f64", "u8", "code"};
constexpr std::array<std::string_view, 5> kUnitNames{"none", "ns", "bytes", "count", "ratio"};

Json to_json(const BufferEntry& buffer) {
  return {{"offset", buffer.offset}, {"bytes", buffer.bytes}, {"xxh3", buffer.checksum}};
}

Json to_json(const ColumnEntry& column) {
  Json json{{"name", column.name},
            {"type", kTypeNames[static_cast<size_t>(column.type)]},
            {"unit", kUnitNames[static_cast<size_t>(column.unit)]},
            {"nulls", column.null_count},
            {"data", to_json(column.data)}};
  if (column.validity) json["validity"] = to_json(*column.validity);
  return json;
}

/// Reads members of the directory; the first that is not as it must be is remembered, and reading goes on with zeros.
class DirectoryReader {
 public:
  explicit DirectoryReader(uint64_t buffers_end) : buffers_end_(buffers_end) {}

  Directory read(const Json& json) {
    Directory directory;
    directory.dictionary = read_dictionary(member(json, "dictionary"));
    for (const Json& table : array(json, "tables")) directory.tables.push_back(read_table(table));
    return directory;
  }
  const std::string& fault() const { return fault_; }

 private:
  void expect(bool holds, const char* what) {
    if (!holds && fault_.empty()) fault_ = what;
  }
  const Json& member(const Json& json, const char* name) {
    static const Json kNull;
    const auto found = json.is_object() ? json.find(name) : json.end();
    const bool there = json.is_object() && found != json.end();
    expect(there, name);
    return there ? *found : kNull;
  }
  const Json& array(const Json& json, const char* name) {
    static const Json kEmpty = Json::array();
    const Json& found = member(json, name);
    expect(found.is_array(), name);
    return found.is_array() ? found : kEmpty;
  }
  uint64_t number(const Json& json, const char* name) {
    const Json& found = member(json, name);
    expect(found.is_number_unsigned(), name);
    return found.is_number_unsigned() ? found.get<uint64_t>() : 0;
  }
  std::string text(const Json& json, const char* name) {
    const Json& found = member(json, name);
    expect(found.is_string(), name);
    return found.is_string() ? found.get<std::string>() : std::string();
  }
  template <class Enum, size_t N>
  Enum one_of(const Json& json, const char* name, const std::array<std::string_view, N>& names) {
    const std::string written = text(json, name);
    for (size_t i = 0; i < N; ++i) {
      if (written == names[i]) return static_cast<Enum>(i);
    }
    expect(false, name);
    return Enum{};
  }

  BufferEntry read_buffer(const Json& json, uint64_t count, uint64_t bytes_each) {
    const BufferEntry buffer{number(json, "offset"), number(json, "bytes"), number(json, "xxh3")};
    // Both ends are multiples of the alignment, so what fits without its padding fits with it.
    const bool inside = buffer.offset % kBufferAlignment == 0 && buffer.offset >= sizeof(FileHeader) &&
                        buffer.offset <= buffers_end_ && buffer.bytes <= buffers_end_ - buffer.offset;
    expect(inside, "offset");
    uint64_t expected = 0;
    expect(!__builtin_mul_overflow(count, bytes_each, &expected) && buffer.bytes == expected, "bytes");
    return buffer;
  }
  DictionaryEntry read_dictionary(const Json& json) {
    DictionaryEntry dictionary;
    dictionary.count = number(json, "count");
    expect(dictionary.count >= 1 && dictionary.count <= INT32_MAX, "count");
    dictionary.offsets = read_buffer(member(json, "offsets"), dictionary.count + 1, sizeof(uint32_t));
    const Json& bytes = member(json, "bytes");
    dictionary.bytes = read_buffer(bytes, number(bytes, "bytes"), 1);
    return dictionary;
  }
  ColumnEntry read_column(const Json& json, uint64_t rows) {
    ColumnEntry column;
    column.name = text(json, "name");
    column.type = one_of<table::Type>(json, "type", kTypeNames);
    column.unit = one_of<table::Unit>(json, "unit", kUnitNames);
    column.null_count = number(json, "nulls");
    expect(column.null_count <= rows, "nulls");
    column.data = read_buffer(member(json, "data"), rows, value_bytes(column.type));
    if (json.is_object() && json.contains("validity")) {
      column.validity = read_buffer(json["validity"], rows / 8 + (rows % 8 != 0 ? 1 : 0), 1);
    }
    expect(column.validity.has_value() == (column.null_count > 0), "validity");
    return column;
  }
  TableEntry read_table(const Json& json) {
    TableEntry table;
    table.name = text(json, "name");
    table.source_file = text(json, "source_file");
    table.rows = number(json, "rows");
    for (const Json& column : array(json, "columns")) table.columns.push_back(read_column(column, table.rows));
    return table;
  }

  uint64_t buffers_end_;
  std::string fault_;
};

}  // namespace

std::string directory_to_text(const Directory& directory) {
  Json tables = Json::array();
  for (const TableEntry& table : directory.tables) {
    Json columns = Json::array();
    for (const ColumnEntry& column : table.columns) columns.push_back(to_json(column));
    tables.push_back({{"name", table.name},
                      {"source_file", table.source_file},
                      {"rows", table.rows},
                      {"columns", std::move(columns)}});
  }
  const DictionaryEntry& dictionary = directory.dictionary;
  return dump_json(
      {{"dictionary",
        {{"count", dictionary.count}, {"offsets", to_json(dictionary.offsets)}, {"bytes", to_json(dictionary.bytes)}}},
       {"tables", std::move(tables)}});
}

Result<Directory> directory_from_text(std::string_view text, uint64_t buffers_end) {
  auto json = parse_json(text);
  if (!json.ok()) return damaged_segment("its directory is no JSON");
  DirectoryReader reader(buffers_end);
  Directory directory = reader.read(json.value());
  if (!reader.fault().empty()) return damaged_segment("its directory has a bad \"" + reader.fault() + "\"");
  return directory;
}

uint64_t directory_checksum(const FileHeader& header, std::string_view directory) {
  return hash64(directory, hash64({reinterpret_cast<const char*>(&header), sizeof header}));
}

Error damaged_segment(std::string what) {
  return {ErrorKind::bad_data, "store.damaged", "A cached segment is damaged: " + std::move(what) + ".",
          "It is made anew from the profile by the next call."};
}

}  // namespace stepwise::store
