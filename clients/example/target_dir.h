// Where an example may be written: a directory that is empty, or holds an earlier example. Never somebody's profile.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/error.h"

namespace stepwise::example {

/// Names that no profiler gives: whoever finds them beside a truth.json knows where they are from.
inline constexpr std::string_view kGraphDirectory = "ge_dump_example";
inline constexpr std::string_view kProfDirectoryEnd = "STEPWISEEXAMPLEA";

/// Creates the directory, and removes what an earlier example left there (its truth.json says that it is one): ranks
/// of a larger run would otherwise stand beside a truth that does not know them.
/// Errors: usage `example.occupied` (the directory holds something else), io `example.write`.
Result<void> prepare_target(const std::filesystem::path& dir);

}  // namespace stepwise::example
