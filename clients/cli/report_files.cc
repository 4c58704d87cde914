#include "clients/cli/report_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

namespace stepwise::cli {
namespace {

namespace fs = std::filesystem;

Error unwritable(const fs::path& path, const std::string& why) {
  return {ErrorKind::io, "report.unwritable", "The report cannot be written: " + why + ".",
          "Name a directory with -o DIR.", path.string()};
}

Result<void> write_whole(const fs::path& path, const std::string& text) {
  const fs::path part = path.string() + ".part";
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
    written.files.push_back(dir / file.name);
  }
  return written;
}

Result<fs::path> make_temporary_directory() {
  std::error_code ec;
  const fs::path base = fs::temp_directory_path(ec);
  if (ec) return unwritable("/tmp", ec.message());
  std::string name = (base / "stepwise-report-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return unwritable(name, std::strerror(errno));
  return fs::path(name);
}

}  // namespace

bool lies_inside(const fs::path& dir, const fs::path& profile) {
  std::error_code ec;
  const fs::path inner = fs::weakly_canonical(fs::absolute(dir, ec), ec);
  fs::path outer = fs::canonical(profile, ec);
  if (ec) return false;
  if (!fs::is_directory(outer, ec)) outer = outer.parent_path();
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
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
  SW_ASSIGN_OR_RETURN(const fs::path dir, make_temporary_directory());
  SW_ASSIGN_OR_RETURN(WrittenReport written, write_into(dir, files));
  written.note = note;
  return written;
}

}  // namespace stepwise::cli
