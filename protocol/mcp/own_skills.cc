#include "protocol/mcp/own_skills.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <map>
#include <system_error>

#include "core/base/small_file.h"
#include "core/base/text.h"
#include "protocol/mcp/own_limits.h"

namespace stepwise::mcp {
namespace {

namespace fs = std::filesystem;

/// Takes the line off the text's beginning, without its end.
std::string_view next_line(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

/// Takes the front matter off; nullopt: there is none that ends.
std::optional<std::map<std::string, std::string>> take_front_matter(std::string_view& text) {
  constexpr std::string_view kFence = "---";
  if (next_line(text) != kFence) return std::nullopt;
  std::map<std::string, std::string> values;
  while (!text.empty()) {
    const std::string_view line = next_line(text);
    if (line == kFence) return values;
    const size_t colon = line.find(": ");
    if (colon == std::string_view::npos) return std::nullopt;
    values[std::string(line.substr(0, colon))] = std::string(trim(line.substr(colon + 1)));
  }
  return std::nullopt;
}

bool is_skill_name(std::string_view name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= kSkillNameChars && std::all_of(name.begin(), name.end(), fits) &&
         name.front() != '-' && name.back() != '-' && name.find("--") == std::string_view::npos;
}

std::string sha256_hex(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (unsigned at = 0; at < size; ++at) {
    out += kDigits[digest[at] >> 4];
    out += kDigits[digest[at] & 15];
  }
  return out;
}

}  // namespace

std::optional<Skill> parse_skill(std::string_view folder, std::string text) {
  std::string_view rest = text;
  const auto front = take_front_matter(rest);
  if (!front || !front->contains("name") || !front->contains("description")) return std::nullopt;
  Skill skill{front->at("name"), front->at("description"), "", "", ""};
  if (skill.name != folder || !is_skill_name(skill.name)) return std::nullopt;
  if (skill.description.empty() || skill.description.size() > kSkillDescriptionChars) return std::nullopt;

  constexpr std::string_view kHeading = "# ";
  while (skill.title.empty()) {
    if (rest.empty()) return std::nullopt;
    const std::string_view line = next_line(rest);
    if (line.starts_with(kHeading)) skill.title = line.substr(kHeading.size());
  }
  skill.steps = trim(rest.substr(0, rest.find(kShellHeading)));
  skill.text = std::move(text);
  return skill;
}

std::vector<Skill> load_skills(const fs::path& dir) {
  std::vector<Skill> skills;
  std::error_code ec;
  for (const fs::directory_entry& entry : fs::directory_iterator(dir, ec)) {
    auto text = read_small_file(entry.path() / "SKILL.md", kCatalogFileBytes);
    if (!text) continue;
    auto skill = parse_skill(entry.path().filename().string(), std::move(*text));
    if (skill) skills.push_back(std::move(*skill));
  }
  std::sort(skills.begin(), skills.end(), [](const Skill& a, const Skill& b) { return a.name < b.name; });
  return skills;
}

Json skill_index(const std::vector<Skill>& skills) {
  Json list = Json::array();
  for (const Skill& one : skills) {
    list.push_back({{"name", one.name},
                    {"type", "skill-md"},
                    {"description", one.description},
                    {"url", skill_uri(one)},
                    {"digest", "sha256:" + sha256_hex(one.text)}});
  }
  return {{"$schema", "https://schemas.agentskills.io/discovery/0.2.0/schema.json"}, {"skills", std::move(list)}};
}

std::string skill_uri(const Skill& skill) { return "skill://" + skill.name + "/SKILL.md"; }

}  // namespace stepwise::mcp
