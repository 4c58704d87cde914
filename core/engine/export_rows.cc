#include "core/engine/export_rows.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>

#include "core/base/hash.h"
#include "core/base/output_directory.h"
#include "core/base/text.h"

namespace stepwise::engine {
namespace {

namespace fs = std::filesystem;
using query::Cell;

constexpr size_t kBufferBytes = 1u << 16;

Error unwritable(const fs::path& path, const std::string& why) {
  return {ErrorKind::io, "export.write", "The export cannot be written: " + why + ".",
          "Name a directory with --out DIR.", path.string()};
}

std::string csv_text(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + '"';
}

std::string number(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

/// A value of an analysis' row; `text` keeps what the cell points to.
Cell cell_of(const Json& value, std::string& text) {
  if (value.is_null()) return {};
  const bool fits = !value.is_number_unsigned() || value.get<uint64_t>() <= uint64_t{INT64_MAX};
  if (value.is_number_integer() && fits) return {Cell::Kind::integer, value.get<int64_t>()};
  if (value.is_number_float()) return {Cell::Kind::real, 0, value.get<double>()};
  const bool is_text = value.is_string();
  text = is_text ? value.get<std::string>() : dump_json(value);
  return {is_text ? Cell::Kind::text : Cell::Kind::json, 0, 0, text};
}

/// The columns of the text table first, then whatever else the rows have.
std::vector<std::string> columns_of(const ToolDecl& tool, const std::vector<Json>& rows) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const auto is_there = [&rows](const std::string& name) {
    return std::any_of(rows.begin(), rows.end(), [&](const Json& row) { return row.contains(name); });
  };
  for (const std::string& name : tool.view.columns) {
    if (is_there(name)) add(name);
  }
  for (const Json& row : rows) {
    for (const auto& [name, value] : row.items()) add(name);
  }
  return names;
}

}  // namespace

Json export_argument() {
  return {{"type", "string"},
          {"enum", {"csv", "json"}},
          {"description", "Write all rows to a file instead; answers path, rows, bytes."}};
}

Json export_annotations() {
  return {{"readOnlyHint", false}, {"destructiveHint", false}, {"idempotentHint", true}, {"openWorldHint", false}};
}

std::string export_name(const std::string& what, const std::string& call, const std::string& format) {
  char print[16];
  std::snprintf(print, sizeof print, "%08x", static_cast<uint32_t>(hash64(call)));
  return what + "-" + print + "." + format;
}

Result<std::unique_ptr<ExportFile>> ExportFile::create(const fs::path& dir, const fs::path& profile,
                                                       const std::string& name, const std::string& format) {
  std::unique_ptr<ExportFile> made(new ExportFile());
  made->json_ = format == "json";
  if (lies_inside(dir, profile)) {
    made->note_ = dir.string() + " lies inside the profile, which is never written to.";
  } else {
    auto opened = made->open_in(dir, name);
    if (opened.ok()) return made;
    made->note_ = opened.error().message;
  }
  auto other = make_temporary_output_directory();
  if (!other.ok()) return unwritable(dir, other.error().message);
  SW_RETURN_IF_ERROR(made->open_in(other.value(), name));
  return made;
}

Result<void> ExportFile::open_in(const fs::path& dir, const std::string& name) {
  std::error_code ec;
  fs::create_directories(dir, ec);
  if (ec) return unwritable(dir, ec.message());
  path_ = fs::absolute(dir, ec).lexically_normal() / name;
  // A name of its own: equal calls may write at once.
  std::string part = path_.string() + ".part.XXXXXX";
  const int descriptor = ::mkstemp(part.data());
  if (descriptor < 0) return unwritable(dir, std::strerror(errno));
  part_ = part;
  file_ = ::fdopen(descriptor, "wb");
  if (file_ != nullptr) return {};
  const int failed = errno;
  ::close(descriptor);
  return unwritable(dir, std::strerror(failed));
}

ExportFile::~ExportFile() {
  if (file_ != nullptr) std::fclose(file_);
  std::error_code ignored;
  if (!part_.empty()) fs::remove(part_, ignored);
}

Result<void> ExportFile::write(const std::string& text) {
  bytes_ += text.size();
  if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) return unwritable(path_, std::strerror(errno));
  return {};
}

Result<void> ExportFile::columns(std::vector<std::string> names) {
  for (std::string& name : names) {
    if (!json_) buffer_ += (buffer_.empty() ? "" : ",") + csv_text(name);
    names_.push_back(dump_json(name));
  }
  if (!json_) buffer_ += "\n";
  return {};
}

Result<bool> ExportFile::row(std::span<const Cell> cells) {
  json_ ? write_json(cells) : write_csv(cells);
  ++rows_;
  if (buffer_.size() >= kBufferBytes) {
    SW_RETURN_IF_ERROR(write(buffer_));
    buffer_.clear();
  }
  return true;
}

void ExportFile::write_csv(std::span<const Cell> cells) {
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    if (i > 0) buffer_ += ',';
    if (cell.kind == Cell::Kind::integer) buffer_ += std::to_string(cell.integer);
    if (cell.kind == Cell::Kind::real && std::isfinite(cell.real)) buffer_ += number(cell.real);
    if (cell.kind == Cell::Kind::text || cell.kind == Cell::Kind::json) buffer_ += csv_text(cell.text);
  }
  buffer_ += '\n';
}

void ExportFile::write_json(std::span<const Cell> cells) {
  buffer_ += rows_ == 0 ? "[\n{" : ",\n{";
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    buffer_ += (i == 0 ? "" : ",") + names_[i] + ":";
    if (cell.kind == Cell::Kind::integer) {
      buffer_ += std::to_string(cell.integer);
    } else if (cell.kind == Cell::Kind::real && std::isfinite(cell.real)) {
      buffer_ += number(cell.real);
    } else if (cell.kind == Cell::Kind::text) {
      buffer_ += dump_json(std::string(cell.text));
    } else {
      buffer_ += cell.kind == Cell::Kind::json ? cell.text : "null";
    }
  }
  buffer_ += '}';
}

Result<void> ExportFile::finish(ToolResult& result) {
  if (json_) buffer_ += rows_ == 0 ? "[]\n" : "\n]\n";
  SW_RETURN_IF_ERROR(write(buffer_));
  const bool closed = std::fclose(std::exchange(file_, nullptr)) == 0;
  std::error_code ec;
  if (closed) fs::rename(part_, path_, ec);
  if (!closed || ec) return unwritable(path_, closed ? ec.message() : std::strerror(errno));
  part_.clear();
  result.body["path"] = path_.string();
  result.body["rows"] = rows_;
  result.body["bytes"] = bytes_;
  if (!note_.empty()) result.warnings.push_back({"export.elsewhere", note_ + " The file is elsewhere: see `path`."});
  return {};
}

Result<Page> export_page(const CallPlan& plan, const ToolResult& result, const fs::path& out_dir) {
  if (!result.has_rows) {
    return Error{ErrorKind::usage, "export.rows", "`" + plan.tool->decl.name + "` answers no rows.",
                 "Call it without `export`.", "/export"};
  }
  const std::string name = export_name(plan.tool->decl.name, plan.key, plan.host.export_as);
  SW_ASSIGN_OR_RETURN(auto file, ExportFile::create(out_dir, plan.profile->layout.root, name, plan.host.export_as));
  const std::vector<std::string> names = columns_of(plan.tool->decl, result.rows);
  SW_RETURN_IF_ERROR(file->columns(names));
  std::vector<std::string> texts(names.size());
  std::vector<Cell> cells(names.size());
  for (const Json& row : result.rows) {
    for (size_t i = 0; i < names.size(); ++i) cells[i] = cell_of(row.value(names[i], Json()), texts[i]);
    SW_ASSIGN_OR_RETURN([[maybe_unused]] const bool more, file->row(cells));
  }
  ToolResult written;
  written.status = result.status;
  written.missing = result.missing;
  written.warnings = result.warnings;
  if (result.total_rows > result.rows.size()) {
    written.warnings.push_back({"export.partial", "The analysis gives " + std::to_string(result.rows.size()) +
                                                      " of its " + std::to_string(result.total_rows) +
                                                      " rows; the file has these."});
  }
  SW_RETURN_IF_ERROR(file->finish(written));
  return render(plan, written, Reader::client);
}

}  // namespace stepwise::engine
