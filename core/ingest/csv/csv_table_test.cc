// Tables of more rows than are gathered at once, cells that repeat the one above them, and files whose columns differ.
#include "core/ingest/csv/csv_table.h"

#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "core/base/decimal.h"
#include "core/base/text.h"
#include "core/ingest/base/readers.h"
#include "core/ingest/csv/column_filler.h"
#include "core/ingest/csv/csv_block.h"
#include "core/ingest/csv/csv_known_cells.h"
#include "core/ingest/csv/csv_last_cell.h"
#include "core/ingest/csv/csv_plain_cell.h"
#include "core/ingest/exports/tables_test_files.h"
#include "tests/catch.h"

namespace stepwise::ingest {
namespace {

using Losses = std::vector<std::string>;

const table::TableDecl& kKernel = table::kernel::kTable;
const std::string kHeader = "Name,Type,Start Time(us),Duration(us),Stream ID,aiv_time(us)\n";

std::string number(int i) { return std::to_string(i); }

}  // namespace

TEST_CASE("every row and null of a table of many blocks is where it belongs") {
  const int rows = GENERATE(1, 63, 64, 65, 128, 200);
  std::string text = kHeader;
  for (int i = 0; i < rows; ++i) {
    text += "k" + number(i / 3) + ",T," + number(1000 + i) + "," + number(i % 2) + "," +
            (i % 5 == 0 ? "N/A" : number(i % 4)) + "," + (i % 7 == 0 ? "" : "1." + number(i % 10)) + "\n";
  }
  Tables tables = read_text(read_kernel_details, text, GENERATE(1u << 16, 7u));
  REQUIRE(tables.rows(kKernel) == static_cast<uint64_t>(rows));
  CHECK(tables.losses().empty());
  for (int i = 0; i < rows; ++i) {
    INFO(i);
    const std::string stream = i % 5 == 0 ? "null" : number(i % 4);
    const std::string aiv = i % 7 == 0 ? "null" : number(1000 + 100 * (i % 10));
    const auto cell = [&](const char* column) { return tables.row(kKernel, static_cast<uint64_t>(i), {column}); };
    CHECK(cell("start_ns") == number((1000 + i) * 1000));
    CHECK(cell("dur_ns") == number(i % 2 * 1000));
    CHECK(cell("name") == "k" + number(i / 3));
    CHECK(cell("stream") == stream);
    CHECK(cell("aiv_time_ns") == aiv);
    CHECK(cell("step") == "null");
    CHECK(cell("class") == "compute");
    CHECK(cell("src_pos") == number(i + 1));
  }
}

TEST_CASE("a row that is left out leaves nothing in the rows around it") {
  // Row 64 of 70 is the last of the first block; its stream is read before its time turns out to be none.
  std::string text = kHeader;
  for (int i = 1; i <= 70; ++i) {
    const bool is_bad = i == 3 || i == 64;
    text += "k,T," + number(i) + "," + (is_bad ? "x" : "2") + "," + (is_bad || i == 65 ? "" : "5") + ",1\n";
  }
  Tables tables = read_text(read_kernel_details, text);
  REQUIRE(tables.rows(kKernel) == 68);
  CHECK(tables.losses() == Losses{"csv.bad_cell 2 @4"});
  for (uint64_t row = 0; row < 68; ++row) {
    INFO(row);
    const std::string place = tables.row(kKernel, row, {"src_pos"});
    CHECK(place == number(static_cast<int>(row) + (row < 2 ? 1 : row < 62 ? 2 : 3)));
    CHECK(tables.row(kKernel, row, {"stream"}) == (place == "65" ? "null" : "5"));
  }
}

TEST_CASE("a cell that repeats the one above it is counted each time") {
  const auto rows_of = [](const std::string& name, const std::string& duration) {
    std::string text = kHeader;
    for (int i = 0; i < 3; ++i) text += name + ",T," + number(i) + "," + duration + ",1,1\n";
    return read_text(read_kernel_details, text).losses();
  };
  CHECK(rows_of("k", "1").empty());
  CHECK(rows_of("k", "1.0005") == Losses{"csv.time_rounded 3"});
  CHECK(rows_of("\xff", "1") == Losses{"text.not_utf8 3"});
  CHECK(rows_of("k", "x") == Losses{"csv.no_rows 1", "csv.bad_cell 3 @2"});
}

TEST_CASE("a cell is passed over only if it says exactly what the one above it says") {
  // Of the same length, and alike at both ends.
  Tables tables =
      read_text(read_kernel_details, kHeader +
                                         "12345678a12345678,T,1,11,10,1\n12345678b12345678,T,2,12,01,1\n"
                                         "123456789,T,3,12,1,1\n123456789,T,4,12,1,1\n12345678,T,5,12,1,1\n"
                                         "abc,T,6,0,1,1\nacc,T,7,0,1,1\nabcd5abc,T,8,0,1,1\nabcd6abc,T,9,0,1,1\n");
  REQUIRE(tables.rows(kKernel) == 9);
  std::string names, streams;
  for (uint64_t row = 0; row < 9; ++row) {
    names += tables.row(kKernel, row, {"name"}) + " ";
    streams += tables.row(kKernel, row, {"stream"}) + " ";
  }
  CHECK(names == "12345678a12345678 12345678b12345678 123456789 123456789 12345678 abc acc abcd5abc abcd6abc ");
  CHECK(streams == "10 1 1 1 1 1 1 1 1 ");
}

TEST_CASE("a value that many rows repeat reaches across blocks, whatever stands between") {
  // 200 rows of one stream, a row that is left out, then none, then another: block borders are at 64, 128, 192, 256.
  std::string text = kHeader;
  for (int i = 1; i <= 300; ++i) {
    const std::string stream = i <= 200 ? "7" : i <= 260 ? "N/A" : "9";
    text += std::string("k,T,") + number(i) + "," + (i == 201 || i == 129 ? "x" : "1") + "," + stream + ",1\n";
  }
  Tables tables = read_text(read_kernel_details, text, GENERATE(1u << 16, 50u));
  REQUIRE(tables.rows(kKernel) == 298);
  for (uint64_t row = 0; row < 298; ++row) {
    INFO(row);
    const int place = std::stoi(tables.row(kKernel, row, {"src_pos"}));
    CHECK(tables.row(kKernel, row, {"stream"}) == (place <= 200 ? "7" : place <= 260 ? "null" : "9"));
  }
}

TEST_CASE("a column is held once only if all its rows are alike, whichever row is not") {
  const table::ColumnDecl& stream = kKernel.columns[table::kernel::stream.index];
  constexpr int kRows = 200;
  const int odd = GENERATE(0, 1, 63, 64, 130, 199, -1);
  const std::string all = GENERATE("5", ""), other = GENERATE("6", "N/A");
  std::string text = kHeader;
  for (int i = 0; i < kRows; ++i) text += "k,T," + number(i) + ",2," + (i == odd ? other : all) + ",1\n";
  Tables tables = read_text(read_kernel_details, text, GENERATE(1u << 16, 50u));
  const bool is_odd = odd >= 0 && !(all.empty() && other == "N/A");
  const auto& held = tables.builder().made_table(kKernel).held_columns()[table::kernel::stream.index];
  REQUIRE(held.decl == &stream);
  CHECK((held.repeated_rows == kRows) == !is_odd);
  for (int i = 0; i < kRows; ++i) {
    const std::string& cell = i == odd ? other : all;
    INFO(i);
    CHECK(tables.row(kKernel, static_cast<uint64_t>(i), {"stream"}) == (cell == "" || cell == "N/A" ? "null" : cell));
  }
  CHECK(tables.row(kKernel, 0, {"class", "aiv_time_ns", "block_dim"}) == "compute|1000|null");
}

TEST_CASE("what cores say of the class is said of all rows where all have one core") {
  const std::string header = "Name,Type,Accelerator Core,Start Time(us),Duration(us)\n";
  const auto classes = [&](const char* first, const char* second) {
    Tables tables =
        read_text(read_kernel_details, header + "k,T," + first + ",1,1\nhcom_allReduce_,T," + second + ",2,1\n");
    return tables.row(kKernel, 0, {"class"}) + " " + tables.row(kKernel, 1, {"class"});
  };
  CHECK(classes("AI_CORE", "AI_CORE") == classes("AI_CORE", "AI_VECTOR_CORE"));
  CHECK(classes("HCCL", "HCCL") == "communication communication");
  CHECK(classes("", "") == "compute communication");  // by their names
}

TEST_CASE("the cell above is told apart at each byte, and kept up to 16 of them") {
  // Longer than any cell, since 16 bytes are read from where one begins.
  const std::string bytes = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz";
  for (size_t size = 0; size <= LastCell::kBytes + 1; ++size) {
    INFO(size);
    LastCell last;
    CHECK_FALSE(last.is_again(std::string_view(bytes).substr(0, size)));
    last.keep(std::string_view(bytes).substr(0, size));
    CHECK(last.is_again(std::string_view(bytes).substr(0, size)) == (size <= LastCell::kBytes));
    CHECK_FALSE(last.is_again(std::string_view(bytes).substr(0, size + 1)));
    for (size_t at = 0; at < size; ++at) {
      std::string other = bytes;
      other[at] = '#';
      CHECK_FALSE(last.is_again(std::string_view(other).substr(0, size)));
    }
    std::string behind = bytes;
    behind[size] = '#';
    CHECK(last.is_again(std::string_view(behind).substr(0, size)) == (size <= LastCell::kBytes));
    last.forget();
    CHECK_FALSE(last.is_again(std::string_view(bytes).substr(0, size)));
  }
}

TEST_CASE("times of every form are what the exact conversion says") {
  for (const std::string cell : {"0",
                                 "7",
                                 "12345678",
                                 "123456789",
                                 "0.5",
                                 "4.25",
                                 "4.125",
                                 "4.1250000",
                                 "4.1250001",
                                 "4.1255",
                                 "4.1245",
                                 "4.",
                                 ".5",
                                 "1700000000000000.001",
                                 "1700000000000000.001\t",
                                 "9223372036854775.807",
                                 "9223372036854775.808",
                                 "9999999999999999.999",
                                 "12345678901234567",
                                 "12345678901234567.5",
                                 "-3.5",
                                 "+3.5",
                                 " 1.5 ",
                                 "1e3",
                                 "1.5e-1",
                                 "1.69512E+15",
                                 "12:30",
                                 "0x10",
                                 "1,5",
                                 "--1",
                                 "\t",
                                 "1\t\t",
                                 "1.2.3",
                                 "00000000000000000001.5"}) {
    INFO(cell);
    const auto exact = us_to_ns(cell);
    const std::string readable = cell + std::string(CsvBlock::kReadable, '5');
    const int64_t plain = plain_us_to_ns(std::string_view(readable).substr(0, cell.size()));
    if (plain != kNotPlain) CHECK(exact == plain);
    Tables tables =
        read_text(read_kernel_details, "Name,Type,Start Time(us),Duration(us),Wait Time(us)\nk,T,1,1," + cell + "\n");
    CHECK((tables.rows(kKernel) == 1) == exact.has_value());
    if (exact) CHECK(tables.row(kKernel, 0, {"wait_ns"}) == std::to_string(*exact));
  }
}

TEST_CASE("plain numbers are what the exact conversions say") {
  std::mt19937 random(5);
  const std::string alphabet = "0123456789012345678901234567890123456789...-\t";
  size_t plain_ones = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string cell;
    for (size_t size = random() % 22; cell.size() < size;) cell += alphabet[random() % (round % 2 ? 43 : 46)];
    if (round % 3 == 0) cell += ".000";
    const std::string readable = cell + std::string(CsvBlock::kReadable, '5');
    const std::string_view view = std::string_view(readable).substr(0, cell.size());
    INFO(cell);
    if (const int64_t whole = plain_whole(view); whole != kNotPlain) {
      REQUIRE(to_integer(cell) == whole);
      ++plain_ones;
    }
    if (const int64_t ns = plain_us_to_ns(view); ns != kNotPlain) {
      REQUIRE(us_to_ns(cell) == ns);
      ++plain_ones;
    }
    if (const double real = plain_number(view); real >= 0) {
      REQUIRE(to_double(cell) == real);
      ++plain_ones;
    }
  }
  CHECK(plain_ones > 10'000);
  const auto is_plain = [](const std::string& cell) {
    const std::string readable = cell + std::string(CsvBlock::kReadable, '5');
    const std::string_view view = std::string_view(readable).substr(0, cell.size());
    return std::tuple(plain_whole(view) != kNotPlain, plain_us_to_ns(view) != kNotPlain, plain_number(view) >= 0);
  };
  CHECK(is_plain("") == std::tuple(false, false, false));
  CHECK(is_plain("7") == std::tuple(true, true, true));
  CHECK(is_plain("1234567890123456") == std::tuple(true, true, false));
  CHECK(is_plain("1700000000000000.001\t") == std::tuple(false, true, false));
  CHECK(is_plain("0.612") == std::tuple(false, true, true));
  CHECK(is_plain(".") == std::tuple(false, false, false));
}

TEST_CASE("a cell that was read before is known by every byte of it") {
  std::string bytes;
  for (int i = 0; i < 80; ++i) bytes += static_cast<char>('0' + i);
  bytes += std::string(16, '.');  // more can be read
  for (size_t size = 0; size <= 80; ++size) {
    INFO(size);
    const std::string_view cell = std::string_view(bytes).substr(0, size);
    KnownCells known;
    CHECK(known.find(cell) == KnownCells::kUnknown);
    known.remember(cell, 7);
    CHECK(known.find(cell) == 7);
    std::string behind = bytes;
    behind[size] = '#';
    CHECK(known.find(std::string_view(behind).substr(0, size)) == 7);
    CHECK(known.find(std::string_view(bytes).substr(0, size + 1)) == KnownCells::kUnknown);
    for (size_t at = 0; at < size; ++at) {
      std::string other = bytes;
      other[at] = '#';
      CHECK(known.find(std::string_view(other).substr(0, size)) == KnownCells::kUnknown);
    }
    known.remember(cell, KnownCells::kNull);
    CHECK(known.find(cell) == KnownCells::kNull);
  }
}

TEST_CASE("texts of many kinds get codes in the order of the rows, whatever is known of them") {
  // More names than are known at once; quoted and plain ones of one text; a bad row's later texts are never seen.
  std::string text = "Name,Type,Start Time(us),Duration(us),Input Shapes\n";
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) {
    const std::string name = "name of a kernel that is longer than thirty-two bytes " + number(i * 7 % 1100);
    const std::string shape = number(i % 300);
    text += (i % 3 == 0 ? "\"" + name + "\"" : name) + ",T" + number(i % 5) + "," + number(i) + "," +
            (i % 50 == 49 ? "bad" : "1") + "," + (i % 2 == 0 ? "\"\"\"" + shape + ",1\"\"\"" : "N/A") + "\n";
    if (i % 50 != 49) names.push_back(name + "|T" + number(i % 5) + "|" + (i % 2 == 0 ? shape + ",1" : "null"));
  }
  Tables tables = read_text(read_kernel_details, text, GENERATE(1u << 18, 1000u));
  CHECK(tables.losses() == Losses{"csv.bad_cell 60 @51"});
  REQUIRE(tables.rows(kKernel) == names.size());
  std::vector<std::string> got;
  for (size_t row = 0; row < names.size(); ++row)
    got.push_back(tables.row(kKernel, row, {"name", "op_type", "input_shapes"}));
  CHECK(got == names);
  // compute is the constant column's; then the first row's cells in the order of the format's columns.
  const store::Dictionary& dictionary = tables.builder().dictionary();
  CHECK(std::string(dictionary.at(1)) == names[0].substr(0, names[0].find('|')));
  CHECK(std::string(dictionary.at(2)) == "T0");
  CHECK(std::string(dictionary.at(3)) == "0,1");
  CHECK(std::string(dictionary.at(4)) == names[1].substr(0, names[1].find('|')));
}

TEST_CASE("columns that one slice of an export has and the next lacks are null there") {
  const TemporaryFolder folder;
  const auto first = folder.write("op_summary_slice_0_20250101000000.csv",
                                  "Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),Stream ID\n"
                                  "a,T,AI_CORE,1,1,7\nb,T,AI_CORE,2,1,7\n");
  const auto second = folder.write("op_summary_slice_1_20250101000000.csv",
                                   "Op Name,OP Type,Task Type,Task Start Time(us),Task Duration(us),Block Dim\n"
                                   "c,T,AI_CORE,3,1,20\n");
  const CancelFlag cancel;
  ProgressGauge progress;
  Diagnostics diagnostics;
  IngestContext context{cancel, progress, diagnostics, {}};
  const std::vector<InputFile> more{{second, second.filename().string()}};
  context.more_slices = more;
  Tables tables;
  REQUIRE(read_op_summary(first, first.filename().string(), context, tables.builder()).ok());
  REQUIRE(tables.rows(kKernel) == 3);
  CHECK(tables.row(kKernel, 0, {"name", "stream"}) == "a|7");
  CHECK(tables.row(kKernel, 0, {"block_dim"}) == "null");
  CHECK(tables.row(kKernel, 2, {"stream"}) == "null");
  CHECK(tables.row(kKernel, 2, {"block_dim"}) == "20");
  CHECK(tables.row(kKernel, 2, {"src_pos"}) == "3");
}

}  // namespace stepwise::ingest
