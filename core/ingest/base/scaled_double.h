// Figures that a file holds as doubles.
#pragma once

#include <cstdint>
#include <optional>

namespace stepwise::ingest {

/// A number times ten to the power of scale. A double is taken by its shortest decimal text, which is what exporters
/// print into their text files: both forms of one run give the same integer. nullopt: it is no number.
std::optional<int64_t> scaled_double(double value, int scale);

}  // namespace stepwise::ingest
