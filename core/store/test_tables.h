// Tables and segments that the tests of core/store share.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "core/store/segment.h"

namespace stepwise::store::test {

namespace sample {
inline constexpr table::ColumnDecl kColumns[] = {
    table::required_i64("start_ns", table::Unit::ns, "start"),
    table::optional_i64("step", table::Unit::none, "step"),
    table::required_code("name", "name"),
    table::optional_code("shape", "shape"),
    table::optional_f64("share", table::Unit::ratio, "share"),
    table::ColumnDecl{"depth", table::Type::u8, table::Unit::count, true, "depth"},
};
inline constexpr table::TableDecl kTable{"sample", "start_ns", kColumns, "a table for tests"};
SW_COLUMN(start_ns);
SW_COLUMN(step);
SW_COLUMN(name);
SW_COLUMN(shape);
SW_COLUMN(share);
SW_COLUMN(depth);
}  // namespace sample

namespace other {
inline constexpr table::ColumnDecl kColumns[] = {table::required_code("name", "name")};
inline constexpr table::TableDecl kTable{"other", "", kColumns, "a second table for tests"};
SW_COLUMN(name);
}  // namespace other

/// Row i: start 100 i, step i or null when i % 3 == 0, name n<i % 5>, no shape, share i / 8, depth i or null when odd.
inline void fill_sample(SegmentBuilder& builder, int rows) {
  TableBuilder& table = builder.table(sample::kTable);
  builder.set_source_file(sample::kTable, "dir/sample.csv");
  for (int i = 0; i < rows; ++i) {
    table.append(sample::start_ns, int64_t{100} * i);
    i % 3 == 0 ? table.null(sample::step) : table.append(sample::step, int64_t{i});
    table.append(sample::name, "n" + std::to_string(i % 5));
    table.null(sample::shape);
    table.append(sample::share, i / 8.0);
    i % 2 == 1 ? table.null(sample::depth) : table.append(sample::depth, static_cast<uint8_t>(i));
    table.end_row();
  }
  builder.table(other::kTable);
}

/// A directory that goes when the test ends.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "stepwise-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    path_ = name;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
inline void write_file(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

}  // namespace stepwise::store::test
