// JSON summaries that end too early: what is whole in them is made readable.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "core/ingest/base/diagnostics.h"

namespace stepwise::ingest {

/// If the text ends inside a value, drops everything after the last object that closed at `depth` (the root has
/// depth 1) and closes what stays open: returns where the text was cut off. nullopt: the text ends as it should.
std::optional<size_t> close_cut_json(std::string& text, int depth);

/// Drops a BOM; replaces what is no UTF-8, and counts it.
void make_valid_utf8(std::string& text, const std::string& file, Diagnostics& diagnostics);

}  // namespace stepwise::ingest
