#include "tests/bench/bench.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "core/base/text.h"

namespace stepwise::bench {

void fail(const std::string& why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path, std::ios::binary);
  if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()))) fail("cannot write " + path.string());
}

bool agree(std::initializer_list<const Series*> series) {
  return std::all_of(series.begin(), series.end(), [](const Series* one) { return one->spread() <= kMaxSpread; });
}

void Report::series(const std::string& what, const Series& series) { rows_.push_back({what, series}); }

void Report::at_most(const std::string& what, double value, double budget, const char* unit, bool measured) {
  figure({what, unit, value, budget, false, measured});
}

void Report::at_least(const std::string& what, double value, double budget, const char* unit, bool measured) {
  figure({what, unit, value, budget, true, measured});
}

void Report::note(const std::string& text) { notes_.push_back(text); }

const char* Report::Figure::verdict() const {
  if (!measured) return "not measured";
  return (is_floor ? value >= budget : value <= budget) ? "met" : "missed";
}

bool Report::missed() const {
  return std::any_of(figures_.begin(), figures_.end(),
                     [](const Figure& one) { return std::string_view(one.verdict()) == "missed"; });
}

void Report::print() const {
  std::printf("\n%s\n", name_.c_str());
  for (const std::string& note : notes_) std::printf("  %s\n", note.c_str());
  if (!rows_.empty()) std::printf("  %-44s %9s %9s %8s %12s\n", "", "CPU s", "wall s", "spread", "peak memory");
  for (const Row& row : rows_) {
    std::printf("  %-44s %9.3f %9.3f %6.1f %% %12s\n", row.what.c_str(), row.series.median_cpu_s(),
                row.series.median_wall_s(), 100 * row.series.spread(), human_bytes(row.series.peak_bytes()).c_str());
  }
  for (const Figure& one : figures_) {
    std::printf("  %-44s %9.3f %-5s %s %.3g: %s\n", one.what.c_str(), one.value, one.unit.c_str(),
                one.is_floor ? "at least" : "at most", one.budget, one.verdict());
  }
  std::fflush(stdout);
}

Json Report::to_json() const {
  Json rows = Json::array(), figures = Json::array();
  for (const Row& row : rows_) {
    rows.push_back({{"what", row.what},
                    {"cpu_s", row.series.median_cpu_s()},
                    {"wall_s", row.series.median_wall_s()},
                    {"spread_ratio", row.series.spread()},
                    {"peak_bytes", row.series.peak_bytes()}});
  }
  for (const Figure& one : figures_) {
    figures.push_back({{"what", one.what},
                       {"value", one.value},
                       {"unit", one.unit},
                       {one.is_floor ? "at_least" : "at_most", one.budget},
                       {"verdict", one.verdict()}});
  }
  return {{"benchmark", name_}, {"series", std::move(rows)}, {"figures", std::move(figures)}, {"notes", notes_}};
}

}  // namespace stepwise::bench
