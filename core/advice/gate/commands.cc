#include "core/advice/gate/commands.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stepwise::advice {
namespace {

constexpr size_t kReachBytes = 200;
constexpr auto kPrograms = std::to_array<std::string_view>(
    {"git",    "curl", "wget",    "pip",     "pip3",    "pytest",     "cmake",   "ninja",    "npm",     "npx",
     "grep",   "rg",   "ls",      "tar",     "ssh",     "scp",        "rsync",   "cp",       "du",      "df",
     "ps",     "htop", "sudo",    "apt",     "apt-get", "yum",        "conda",   "mamba",    "uv",      "perf",
     "strace", "nsys", "ncu",     "taskset", "numactl", "nvidia-smi", "npu-smi", "stepwise", "sqlite3", "jq",
     "awk",    "sed",  "kubectl", "helm",    "srun",    "sbatch",     "gcc",     "g++",      "clang",   "cargo"});
constexpr auto kRunners = std::to_array<std::string_view>(
    {"python", "python3", "torchrun", "deepspeed", "accelerate", "mpirun", "bash", "sh"});
constexpr auto kOwn = std::to_array<std::string_view>({"npu",       "ascend",  "hccl",    "fusion", "fuse",  "overlap",
                                                       "precision", "aicore",  "aclnn",   "cann",   "turbo", "autofuse",
                                                       "hf32",      "enable",  "disable", "allow",  "graph", "stream",
                                                       "optimiz",   "compile", "super",   "boost",  "accel"});

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '+'; }

template <size_t N>
bool holds(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Command command_at(std::string_view text, size_t at) {
  size_t from = at < kReachBytes ? 0 : at - kReachBytes;
  for (size_t i = from; i < at; ++i) {
    const bool is_joined = text[i] == '\n' && i > 0 && text[i - 1] == '\\';
    // "text|db" gives a choice, "ls | wc" another command.
    const bool is_mark = text[i] == ';' || text[i] == '|' || text[i] == '&';
    const bool is_between = is_mark && i + 1 < at && (text[i + 1] == ' ' || text[i + 1] == text[i]);
    if ((text[i] == '\n' && !is_joined) || is_between) from = i + 1;
  }
  Command command = Command::none;
  for (size_t i = from; i < at;) {
    if (!is_of_word(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    while (end < at && is_of_word(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    // Its name stands alone: "/usr/bin/git" is one, "model.git" and "x=git" are none.
    const bool is_whole = (i == from || std::string_view(" \t`$/(\"'").find(text[i - 1]) != std::string_view::npos) &&
                          (end >= text.size() || text[end] == ' ');
    if (is_whole && holds(kPrograms, word)) command = Command::other;
    if (is_whole && holds(kRunners, word)) command = Command::script;
    const bool is_program_of_vendor = is_whole && (word == "atc" || word == "vllm" || word == "msprof");
    if (is_program_of_vendor) command = Command::none;
    i = end;
  }
  return command;
}

bool is_of_script(std::string_view flag) {
  return std::none_of(kOwn.begin(), kOwn.end(), [&](std::string_view one) { return flag.find(one) != flag.npos; });
}

}  // namespace stepwise::advice
