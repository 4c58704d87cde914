// Where output may go: never inside a profile. [any thread]
#pragma once

#include <filesystem>

#include "core/base/error.h"

namespace stepwise {

/// Whether `dir` (which need not exist) lies in the profile, or in the directory of a profile that is one file.
bool lies_inside(const std::filesystem::path& dir, const std::filesystem::path& profile);

/// A new directory of this user alone, for output that can go nowhere else. Errors: io `output.unwritable`.
Result<std::filesystem::path> make_temporary_output_directory();

}  // namespace stepwise
