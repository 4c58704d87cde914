#include "core/ingest/base/read_file.h"

#include "core/base/text.h"
#include "core/ingest/base/byte_source.h"

namespace stepwise::ingest {
namespace {

void count_failure(const Error& error, const std::string& file, Diagnostics& diagnostics) {
  const Diag diag = error.kind == ErrorKind::bad_data ? Diag::gzip_damaged : Diag::file_unreadable;
  diagnostics.count(diag, file, std::nullopt, 1, error.message);
}

}  // namespace

Result<ReadEnd> read_file(const std::filesystem::path& file, const std::string& relative_path, IngestContext& context,
                          const ByteSink& sink) {
  auto opened = open_source(file);
  if (!opened.ok()) {
    count_failure(opened.error(), relative_path, context.diagnostics);
    return ReadEnd::broken;
  }
  ByteSource& source = *opened.value();
  uint64_t reported = 0;
  bool got_any = false;
  for (;;) {
    if (context.cancel.is_set()) {
      return Error{ErrorKind::cancelled, "ingest.cancelled", "Reading was cancelled.", "", relative_path};
    }
    const Result<size_t> got = source.read(sink.room());
    const uint64_t consumed = source.consumed_bytes();
    context.progress.add(consumed - reported);
    reported = consumed;
    if (!got.ok()) {
      count_failure(got.error(), relative_path, context.diagnostics);
      return ReadEnd::broken;
    }
    if (got.value() == 0) break;
    got_any = true;
    if (!sink.commit(got.value())) return ReadEnd::stopped;
    if (sink.passed) sink.passed({consumed, source.file_bytes()});
  }
  if (got_any) return ReadEnd::whole;
  context.diagnostics.count(Diag::file_empty, relative_path);
  return ReadEnd::nothing;
}

Result<ReadEnd> read_whole_file(const std::filesystem::path& file, const std::string& relative_path,
                                IngestContext& context, size_t max_bytes, std::string& text) {
  constexpr size_t kChunk = 1 << 16;
  size_t length = 0;
  const ByteSink sink{
      [&] {
        text.resize(length + kChunk);
        return std::span<char>(text.data() + length, kChunk);
      },
      [&](size_t bytes) {
        length += bytes;
        return length <= max_bytes;
      },
  };
  SW_ASSIGN_OR_RETURN(const ReadEnd end, read_file(file, relative_path, context, sink));
  text.resize(length);
  if (end == ReadEnd::stopped) {
    text.clear();
    context.diagnostics.count(Diag::file_unreadable, relative_path, std::nullopt, 1,
                              "It is larger than " + human_bytes(max_bytes) + ", more than any real one.");
  }
  return end;
}

}  // namespace stepwise::ingest
