// Names of calls as answers show them: a template's name may be longer than everything else together.
#pragma once

#include <string>
#include <string_view>

namespace stepwise::recsys_stages {

/// At most `bytes` and "...", cut between characters.
inline std::string short_name(std::string_view name, size_t bytes = 100) {
  if (name.size() <= bytes) return std::string(name);
  const auto inside_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  while (bytes > 0 && inside_character(name[bytes])) --bytes;
  return std::string(name.substr(0, bytes)) + "...";
}

}  // namespace stepwise::recsys_stages
