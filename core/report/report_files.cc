#include "core/report/report_files.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "core/base/output_directory.h"
#include "core/report/html.h"
#include "core/report/markdown.h"

namespace stepwise::report {
namespace {

namespace fs = std::filesystem;

Error unwritable(const fs::path& path, const std::string& why) {
  return {ErrorKind::io, "report.unwritable", "The report cannot be written: " + why + ".",
          "Name a directory with -o DIR.", path.string()};
}

/// A name of its own: equal reports may be written at once, by this process or another.
fs::path part_of(const fs::path& path) {
  static std::atomic<unsigned> parts{0};
  return path.string() + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(++parts);
}

Result<void> write_whole(const fs::path& path, const std::string& text) {
  const fs::path part = part_of(path);
  std::error_code ec;
  {
    std::ofstream out(part, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (!out) {
      const std::string why = std::strerror(errno);
      fs::remove(part, ec);
      return unwritable(path, why);
    }
  }
  fs::rename(part, path, ec);
  if (!ec) return {};
  const std::string why = ec.message();
  fs::remove(part, ec);
  return unwritable(path, why);
}

Result<WrittenReport> write_into(const fs::path& dir, const std::vector<ReportFile>& files) {
  std::error_code ec;
  fs::create_directories(dir, ec);
  if (ec) return unwritable(dir, ec.message());
  WrittenReport written{dir, {}, ""};
  for (const ReportFile& file : files) {
    SW_RETURN_IF_ERROR(write_whole(dir / file.name, file.text));
    written.files.push_back({dir / file.name, file.text.size()});
  }
  return written;
}

}  // namespace

Result<Formats> formats_from(std::span<const std::string> names) {
  Formats wanted{false, false, false};
  for (const std::string& name : names) {
    if (name == "md") {
      wanted.markdown = true;
    } else if (name == "html") {
      wanted.html = true;
    } else if (name == "json") {
      wanted.json = true;
    } else {
      return Error{ErrorKind::usage, "report.format", "The report format `" + name + "` does not exist.",
                   "Formats: md, html, json.", ""};
    }
  }
  return wanted;
}

std::vector<ReportFile> report_files(const Json& model, Formats wanted, Lang lang) {
  std::vector<ReportFile> files;
  if (wanted.markdown) files.push_back({"report.md", to_markdown(model, lang)});
  if (wanted.html) files.push_back({"report.html", to_html(model, lang)});
  if (wanted.json) files.push_back({"report.json", dump_json_pretty(model)});
  return files;
}

Result<WrittenReport> write_report_files(const fs::path& wanted, const fs::path& profile,
                                         const std::vector<ReportFile>& files) {
  std::string note;
  if (lies_inside(wanted, profile)) {
    note = wanted.string() + " lies inside the profile, which is never written to.";
  } else {
    auto written = write_into(wanted, files);
    if (written.ok()) return written;
    note = written.error().message + " (" + written.error().where + ")";
  }
  auto dir = make_temporary_output_directory();
  if (!dir.ok()) return unwritable(dir.error().where, dir.error().message);
  SW_ASSIGN_OR_RETURN(WrittenReport written, write_into(dir.value(), files));
  written.note = note;
  return written;
}

}  // namespace stepwise::report
