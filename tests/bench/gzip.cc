// A compressed timeline: wall time of reading it over that of inflating it alone with zlib, which is what a profile's
// owner waits for anyway. The generated one shrinks 18:1, as real ones of this kind do.
#include <zlib.h>

#include <fstream>
#include <vector>

#include "core/base/text.h"
#include "tests/bench/bench.h"
#include "tests/bench/trace_work.h"

namespace stepwise::bench {
namespace {

constexpr double kBudget = 1.3;
constexpr size_t kChunkBytes = 1 << 20;

void compress(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::ifstream in(from, std::ios::binary);
  gzFile out = gzopen(to.c_str(), "wb6");
  if (out == nullptr) fail("cannot write " + to.string());
  std::vector<char> chunk(kChunkBytes);
  while (in.read(chunk.data(), static_cast<std::streamsize>(chunk.size())), in.gcount() > 0) {
    if (gzwrite(out, chunk.data(), static_cast<unsigned>(in.gcount())) == 0) fail("cannot compress");
  }
  if (gzclose(out) != Z_OK) fail("cannot compress");
}

void inflate_only(const std::filesystem::path& path) {
  gzFile in = gzopen(path.c_str(), "rb");
  if (in == nullptr) fail("cannot read " + path.string());
  std::vector<char> chunk(kChunkBytes);
  gzbuffer(in, kChunkBytes);
  int count = 0;
  while ((count = gzread(in, chunk.data(), static_cast<unsigned>(chunk.size()))) > 0) continue;
  if (count < 0) fail("cannot inflate");
  gzclose(in);
}

}  // namespace

void bench_gzip(const Settings& settings, Report& report) {
  const std::filesystem::path packed = settings.folder / "trace_view.json.gz", segment = settings.folder / "segment";
  compress(trace_of(settings), packed);
  Series inflate, ingest;
  run_in_child([&] { inflate_only(packed); });
  for (unsigned i = 0; i < settings.runs; ++i) {
    inflate.add(run_in_child([&] { inflate_only(packed); }));
    ingest.add(run_in_child([&] { ingest_trace(packed, segment, 2); }));
  }
  report.note("trace " + human_bytes(std::filesystem::file_size(packed)) + " compressed");
  report.series("inflate alone (zlib)", inflate);
  report.series("ingest and write, two threads", ingest);
  report.at_most("wall time over inflating", ingest.median_wall_s() / inflate.median_wall_s(), kBudget, "",
                 agree({&inflate, &ingest}));
  report.at_most("memory besides the segment", mib(ingest.peak_bytes()) - mib(std::filesystem::file_size(segment)),
                 kMemoryBudgetMib, "MiB");
}

}  // namespace stepwise::bench
