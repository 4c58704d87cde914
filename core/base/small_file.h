// Files of a known small size that anyone may have put there: knowledge, manifests, the cache's own notes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace stepwise {

/// The whole of a regular file of at most so many bytes; nullopt: it is none, is larger, or cannot be read. Never waits
/// for a pipe or a device.
std::optional<std::string> read_small_file(const std::filesystem::path& path, size_t most_bytes);

}  // namespace stepwise
