// What a profiler's database says about its run.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/ingest/database/db_file.h"
#include "core/store/segment.h"

namespace stepwise::ingest {

/// Adds to the table meta what no text file has said yet: META_DATA has profiler_metadata.json's keys; the host's and
/// the devices' names, and which rank ran on which device, stand in tables of their own.
void fill_meta(Database& database, const std::string& file, IngestContext& context, store::SegmentBuilder& out);

/// The one rank that RANK_DEVICE_MAP names, else the number in the file's name.
std::optional<uint32_t> rank_in_database(const std::filesystem::path& file);

}  // namespace stepwise::ingest
