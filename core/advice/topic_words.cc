#include "core/advice/topic_words.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace stepwise::advice {
namespace {

// What is asked, found anywhere in the question, and the words of entries for it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 35> kMeanings = {{
    {"data loader", "dataloader"},
    {"绑核", "affinity"},
    {"亲和", "affinity"},
    {"pinning", "affinity"},
    {"core binding", "affinity"},
    {"通信", "hccl communication"},
    {"集合通信", "collective"},
    {"缓冲", "buffer"},
    {"内存", "memory"},
    {"显存", "memory"},
    {"oom", "memory"},
    {"out of memory", "memory"},
    {"碎片", "fragmentation"},
    {"融合", "fusion"},
    {"图模式", "graph"},
    {"多流", "stream"},
    {"流水", "queue"},
    {"调度", "schedul dispatch"},
    {"下发", "dispatch queue"},
    {"同步", "synchron blocking"},
    {"异步", "async"},
    {"精度", "precision"},
    {"混合精度", "autocast mix"},
    {"量化", "quant"},
    {"编译", "compile"},
    {"缓存", "cache"},
    {"动态", "dynamic"},
    {"静态", "static"},
    {"分档", "dynamic_dims"},
    {"控核", "aicore"},
    {"核数", "aicore core"},
    {"预取", "prefetch"},
    {"数据加载", "dataloader"},
    {"锁页", "pin_memory"},
    {"日志", "log"},
}};

// Words of a question that no entry is about.
constexpr auto kAsking = std::to_array<std::string_view>(
    {"is", "are",  "the", "an", "of",  "to", "in",  "on",     "for",  "and", "or",  "how",  "what", "why", "which",
     "do", "does", "my",  "it", "its", "be", "can", "should", "with", "by",  "too", "very", "at",   "as"});

/// Runs of letters, digits and underscores, at least two long; every byte of other scripts is a letter.
void add_words(std::string_view text, std::set<std::string>& words) {
  std::string word;
  for (const char c : std::string(text) + ' ') {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || byte >= 0x80 || c == '_') {
      word += static_cast<char>(std::tolower(byte));
    } else {
      const bool is_asking = std::find(kAsking.begin(), kAsking.end(), word) != kAsking.end();
      if (word.size() >= 2 && !is_asking) words.insert(word);
      word.clear();
    }
  }
}

}  // namespace

std::set<std::string> topic_words(std::string_view query) {
  std::set<std::string> words;
  add_words(query, words);
  const std::string low = to_lower(query);
  for (const auto& [asked, meant] : kMeanings) {
    if (low.find(asked) != low.npos) add_words(meant, words);
  }
  return words;
}

}  // namespace stepwise::advice
