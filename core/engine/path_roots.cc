#include "core/engine/path_roots.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/base/text.h"

namespace stepwise::engine {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPathTold = 400;  // characters
constexpr int kMaxLinks = 40;         // as Linux has it: a loop ends

/// Under a root without a path (of a working directory that is gone) lies nothing.
bool lies_under(const fs::path& path, const fs::path& root) {
  return !root.empty() && std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

/// Without "." and "..", and without the slash at the end, which would be an empty name.
fs::path plain(const fs::path& path) {
  fs::path normal = path.lexically_normal();
  return normal.has_filename() || !normal.has_relative_path() ? normal : normal.parent_path();
}

fs::path working_directory() {
  std::error_code ec;
  return fs::current_path(ec);
}

}  // namespace

std::string told_path(const std::string& given) { return shorten(given, kMaxPathTold); }

PathRoots::PathRoots(const std::vector<fs::path>& roots) {
  for (const fs::path& root : roots) {
    std::error_code ec;
    const fs::path whole = plain(root.is_absolute() ? root : working_directory() / root);
    const fs::path real = fs::canonical(root, ec);
    roots_.push_back({whole, ec ? whole : real});
  }
}

bool PathRoots::holds(const fs::path& real_path) const {
  return roots_.empty() ||
         std::any_of(roots_.begin(), roots_.end(), [&](const Root& root) { return lies_under(real_path, root.real); });
}

/// By text alone; the root's own name becomes the real one.
std::optional<fs::path> PathRoots::inside(const fs::path& path) const {
  const fs::path normal = plain(path);
  for (const Root& root : roots_) {
    if (lies_under(normal, root.real)) return normal;
    if (lies_under(normal, root.given)) return plain(root.real / normal.lexically_relative(root.given));
  }
  return std::nullopt;
}

/// The path with every link on the way replaced; nullopt: one leads out. Nothing outside is asked for: what a link
/// leads to is compared first, whether it is there or not.
std::optional<fs::path> PathRoots::follow(fs::path path) const {
  for (int links = 0; links < kMaxLinks; ++links) {
    const auto from = inside(path);
    if (!from) return std::nullopt;
    fs::path walked, led_to;
    for (auto name = from->begin(); name != from->end() && led_to.empty(); ++name) {
      walked /= *name;
      std::error_code ec;
      // Above a root there is none: roots are real paths.
      if (!holds(walked) || !fs::is_symlink(fs::symlink_status(walked, ec))) continue;
      const fs::path target = fs::read_symlink(walked, ec);
      if (ec) return from;
      led_to = walked.parent_path() / target;  // an absolute target stands alone
      for (auto rest = std::next(name); rest != from->end(); ++rest) led_to /= *rest;
    }
    if (led_to.empty()) return from;
    path = std::move(led_to);
  }
  return path;
}

Result<fs::path> PathRoots::find(const std::string& given) const {
  if (given.empty()) return missing(given, "The path is empty.");
  // The file system would read the path up to there: another one than was asked for.
  if (given.find('\0') != std::string::npos) return missing(given, "A path cannot hold a NUL character.");
  std::error_code ec;
  if (roots_.empty()) {
    fs::path real = fs::canonical(given, ec);
    if (ec) return missing(given, "The path cannot be found: " + ec.message() + ".");
    return real;
  }
  std::vector<fs::path> candidates;
  if (fs::path(given).is_absolute()) {
    candidates.emplace_back(given);
  } else {
    for (const Root& root : roots_) candidates.push_back(root.real / given);
    candidates.push_back(working_directory() / given);
  }
  std::optional<std::error_code> not_there;
  for (const fs::path& candidate : candidates) {
    const auto path = follow(candidate);
    if (!path) continue;
    fs::path real = fs::canonical(*path, ec);
    if (!ec && holds(real)) return real;
    if (ec && !not_there) not_there = ec;
  }
  if (!not_there) return outside(given);
  return missing(given, "The path cannot be found: " + not_there->message() + ".");
}

std::string PathRoots::in_words() const {
  std::string words;
  for (const Root& root : roots_) words += (words.empty() ? "" : ", ") + root.given.string();
  return words;
}

Error PathRoots::outside(const std::string& given) const {
  return {ErrorKind::not_found, "profile.outside_roots",
          "The path lies outside the directories that this server may read (" + in_words() + ").",
          "Call open_profile with a path below one of them, or with one of them to see what it holds; the server's "
          "user adds another directory with --root DIR.",
          told_path(given)};
}

Error PathRoots::missing(const std::string& given, const std::string& why) const {
  const bool is_relative = !given.empty() && fs::path(given).is_relative();
  std::string hint;
  if (!roots_.empty()) {
    hint = std::string(is_relative ? "It was looked for below" : "This server reads below") + " " + in_words() +
           ": call open_profile with a path there, or with one of them to see what it holds.";
  } else if (is_relative) {
    hint = "It was looked for in the working directory, " + working_directory().string() +
           ": call open_profile with the whole path.";
  } else {
    hint = "Call open_profile with the path of a profile's directory, or of a file in it.";
  }
  return {ErrorKind::not_found, "profile.missing", why, std::move(hint), given.empty() ? "/path" : told_path(given)};
}

}  // namespace stepwise::engine
