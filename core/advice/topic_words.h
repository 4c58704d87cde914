// Words that people ask with, as the knowledge base writes them.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace stepwise::advice {

/// The words of a question in small letters, without those that only ask (is, how, the), and with them what they are
/// called in English and in the entries' own words: 绑核 is affinity, OOM is memory.
std::set<std::string> topic_words(std::string_view query);

}  // namespace stepwise::advice
