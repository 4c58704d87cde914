#include "core/advice/draft/figure_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>

#include "core/base/characters.h"
#include "core/base/text.h"

namespace stepwise::advice {
namespace {

struct Phrase {
  std::string_view written;  // lower case
  Says says;
  std::string_view text = {};
  Taken taken = Taken::otherwise;
};

constexpr auto kPhrases = std::to_array<Phrase>({
    // What a figure is of.
    {"computing", Says::subject, "computing"},
    {"computation", Says::subject, "computing"},
    {"compute", Says::subject, "computing"},
    {"计算", Says::subject, "computing"},
    {"communication", Says::subject, "communication"},
    {"通信", Says::subject, "communication"},
    {"free", Says::subject, "free"},
    {"idle", Says::subject, "free"},
    {"空闲", Says::subject, "free"},
    {"busy", Says::subject, "busy"},
    {"忙碌", Says::subject, "busy"},
    {"bubble", Says::subject, "bubble"},
    {"bubbles", Says::subject, "bubble"},
    {"气泡", Says::subject, "bubble"},
    {"wall time", Says::subject, "step"},
    {"step time", Says::subject, "step"},
    {"step's time", Says::subject, "step"},
    {"iteration time", Says::subject, "step"},
    {"迭代耗时", Says::subject, "step"},
    {"步长", Says::subject, "step"},
    {"wait for the host", Says::subject, "host_wait"},
    {"waits for the host", Says::subject, "host_wait"},
    {"waiting for the host", Says::subject, "host_wait"},
    {"wait for the host to launch them", Says::subject, "host_wait"},
    {"等待主机", Says::subject, "host_wait"},
    {"等待host", Says::subject, "host_wait"},
    {"ai cpu", Says::subject, "problem ai_cpu"},
    {"ai_cpu", Says::subject, "problem ai_cpu"},
    {"aicpu", Says::subject, "problem ai_cpu"},
    {"preprocess", Says::subject, "stage preprocess"},
    {"preprocessing", Says::subject, "stage preprocess"},
    {"data preprocessing", Says::subject, "stage preprocess"},
    {"main thread prepares data", Says::subject, "stage preprocess"},
    {"预处理", Says::subject, "stage preprocess"},
    {"数据预处理", Says::subject, "stage preprocess"},
    {"embedding_fetch", Says::subject, "stage embedding_fetch"},
    {"embedding fetch", Says::subject, "stage embedding_fetch"},
    {"forward", Says::subject, "stage forward"},
    {"前向", Says::subject, "stage forward"},
    {"backward", Says::subject, "stage backward"},
    {"反向", Says::subject, "stage backward"},
    {"update_dense", Says::subject, "stage update_dense"},
    {"dense update", Says::subject, "stage update_dense"},
    {"update_embedding", Says::subject, "stage update_embedding"},
    {"embedding update", Says::subject, "stage update_embedding"},
    {"launches", Says::subject, "launches"},
    {"peak", Says::subject, "memory"},
    {"峰值", Says::subject, "memory"},
    {"h2d", Says::subject, "h2d"},
    {"d2h", Says::subject, "d2h"},
    {"modelexecute", Says::subject, "model_execute"},
    {"late by", Says::subject, "late"},
    {"late", Says::subject, "late"},
    {"晚到", Says::subject, "late"},
    {"wait", Says::wait},
    {"waits", Says::wait},
    {"waiting", Says::wait},
    {"等待", Says::wait},
    {"not overlapped", Says::not_hidden},
    {"not hidden", Says::not_hidden},
    {"uncovered", Says::not_hidden},
    {"exposed", Says::not_hidden},
    {"that nothing hides", Says::not_hidden},
    {"未掩盖", Says::not_hidden},
    {"未被掩盖", Says::not_hidden},
    {"未被计算掩盖", Says::not_hidden},
    {"未重叠", Says::not_hidden},
    {"overlapped", Says::hidden},
    {"hidden", Says::hidden},
    {"已掩盖", Says::hidden},
    {"被掩盖", Says::hidden},
    {"step", Says::step},
    {"iteration", Says::step},
    {"operators", Says::operators},
    {"operator", Says::operators},
    {"kernels", Says::operators},
    {"kernel", Says::operators},
    {"ops", Says::operators},
    {"算子", Says::operators},
    // How it is taken.
    {"a step", Says::taken, "", Taken::per_step},
    {"per step", Says::taken, "", Taken::per_step},
    {"each step", Says::taken, "", Taken::per_step},
    {"every step", Says::taken, "", Taken::per_step},
    {"in the step", Says::taken, "", Taken::per_step},
    {"in a step", Says::taken, "", Taken::per_step},
    {"/step", Says::taken, "", Taken::per_step},
    {"/ step", Says::taken, "", Taken::per_step},
    {"每步", Says::taken, "", Taken::per_step},
    {"单步", Says::taken, "", Taken::per_step},
    {"/步", Says::taken, "", Taken::per_step},
    {"a call", Says::taken, "", Taken::per_call},
    {"per call", Says::taken, "", Taken::per_call},
    {"each call", Says::taken, "", Taken::per_call},
    {"each time", Says::taken, "", Taken::per_call},
    {"每次", Says::taken, "", Taken::per_call},
    {"单次", Says::taken, "", Taken::per_call},
    {"in total", Says::taken, "", Taken::in_total},
    {"total", Says::taken, "", Taken::in_total},
    {"over the run", Says::taken, "", Taken::in_total},
    {"over the whole run", Says::taken, "", Taken::in_total},
    {"in the run", Says::taken, "", Taken::in_total},
    {"in all", Says::taken, "", Taken::in_total},
    {"共", Says::taken, "", Taken::in_total},
    {"总", Says::taken, "", Taken::in_total},
    {"合计", Says::taken, "", Taken::in_total},
    {"longest", Says::taken, "", Taken::longest},
    {"最长", Says::taken, "", Taken::longest},
    {"median", Says::taken, "", Taken::median},
    {"中位数", Says::taken, "", Taken::median},
    {"allocated", Says::taken, "", Taken::allocated},
    {"已分配", Says::taken, "", Taken::allocated},
    {"reserved", Says::taken, "", Taken::reserved},
    {"预留", Says::taken, "", Taken::reserved},
    {"bandwidth", Says::taken, "", Taken::bandwidth},
    {"带宽", Says::taken, "", Taken::bandwidth},
    {"on average", Says::mean},
    {"average", Says::mean},
    {"mean", Says::mean},
    {"平均", Says::mean},
    {"of the step", Says::taken, "", Taken::share_of_step},
    {"of a step", Says::taken, "", Taken::share_of_step},
    {"of each step", Says::taken, "", Taken::share_of_step},
    {"of the step's time", Says::taken, "", Taken::share_of_step},
    {"of the step time", Says::taken, "", Taken::share_of_step},
    {"of step time", Says::taken, "", Taken::share_of_step},
    {"占单步", Says::taken, "", Taken::share_of_step},
    {"占步长", Says::taken, "", Taken::share_of_step},
    {"占整步", Says::taken, "", Taken::share_of_step},
    {"占迭代", Says::taken, "", Taken::share_of_step},
    {"单步的", Says::taken, "", Taken::share_of_step},
    {"of communication", Says::taken, "", Taken::share_of_communication},
    {"of the communication", Says::taken, "", Taken::share_of_communication},
    {"of all communication", Says::taken, "", Taken::share_of_communication},
    {"of communication time", Says::taken, "", Taken::share_of_communication},
    {"占通信", Says::taken, "", Taken::share_of_communication},
    {"占总通信", Says::taken, "", Taken::share_of_communication},
    {"的通信", Says::taken, "", Taken::share_of_communication},
    {"of the operators' time", Says::taken, "", Taken::share_of_operators},
    {"of operators' time", Says::taken, "", Taken::share_of_operators},
    {"of operator time", Says::taken, "", Taken::share_of_operators},
    {"of all operators' time", Says::taken, "", Taken::share_of_operators},
    {"of the time of all operators", Says::taken, "", Taken::share_of_operators},
    {"占算子", Says::taken, "", Taken::share_of_operators},
    {"占算子总耗时", Says::taken, "", Taken::share_of_operators},
    {"占算子总时间", Says::taken, "", Taken::share_of_operators},
    {"about", Says::about},
    {"around", Says::about},
    {"roughly", Says::about},
    {"approximately", Says::about},
    {"~", Says::about},
    {"约", Says::about},
    {"大约", Says::about},
    {"左右", Says::about},
    {"占全部算子", Says::taken, "", Taken::share_of_operators},
    {"占所有算子", Says::taken, "", Taken::share_of_operators},
});

// They say nothing of what a figure is of.
constexpr auto kFillers = std::to_array<std::string_view>(
    {"because", "since", "over",      "i.e.",     "因为",     "由于",      "即",       "the",       "a",
     "an",      "of",    "in",        "for",      "on",       "to",        "is",       "are",       "was",
     "were",    "be",    "been",      "takes",    "take",     "took",      "taking",   "costs",     "cost",
     "spends",  "spent", "lasts",     "runs",     "run",      "called",    "executed", "has",       "have",
     "had",     "needs", "uses",      "makes",    "accounts", "accounted", "amounts",  "up",        "comes",
     "that",    "which", "time",      "times",    "duration", "share",     "ratio",    "fraction",  "device",
     "npu",     "gpu",   "stage",     "pass",     "memory",   "whole",     "all",      "by",        "moves",
     "reaches", "at",    "currently", "measured", "s",        "calls",     "call",     "instances", "stands",
     "耗时",    "时间",  "时长",      "用时",     "花费",     "占比",      "占用",     "占",        "比例",
     "为",      "是",    "达",        "达到",     "有",       "被",        "调用",     "执行",      "的",
     "在",      "中",    "内",        "该",       "设备",     "阶段",      "（",       "）",        "显存",
     "内存",    "目前",  "当前",      "处于",     "状态",     "了",        "数据"});
constexpr std::string_view kMarks = " \t\r`*\"'()-=#";

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

/// Phrases and fillers that begin with a byte, the longest first.
std::span<const Phrase> phrases_from(char first) {
  static const auto kByFirst = [] {
    std::array<std::vector<Phrase>, 256> lists;
    for (const Phrase& one : kPhrases) lists[static_cast<unsigned char>(one.written[0])].push_back(one);
    for (const std::string_view one : kFillers) {
      lists[static_cast<unsigned char>(one[0])].push_back({one, Says::nothing});
    }
    for (auto& list : lists) {
      std::stable_sort(list.begin(), list.end(),
                       [](const Phrase& a, const Phrase& b) { return a.written.size() > b.written.size(); });
    }
    return lists;
  }();
  return kByFirst[static_cast<unsigned char>(first)];
}

const Phrase* phrase_at(std::string_view low, size_t at) {
  for (const Phrase& one : phrases_from(low[at])) {
    if (low.substr(at, one.written.size()) != one.written) continue;
    const size_t end = at + one.written.size();
    if (is_word(one.written.back()) && end < low.size() && is_word(low[end])) continue;
    return &one;
  }
  return nullptr;
}

/// Digits at `at`; their end.
size_t digits_end(std::string_view text, size_t at) {
  while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
  return at;
}

/// "rank 1", 卡1: where it ends; npos: none there.
size_t rank_at(std::string_view low, size_t at, std::string& number) {
  for (const std::string_view one : {"rank ", "rank", "卡 ", "卡"}) {
    if (low.substr(at, one.size()) != one) continue;
    const size_t from = at + one.size(), end = digits_end(low, from);
    if (end == from || (end < low.size() && is_word(low[end]))) continue;
    number = low.substr(from, end - from);
    return end;
  }
  return low.npos;
}

/// The name at `at`, with the marks of C++ and Python within; a full stop behind is none of it.
std::string_view name_at(std::string_view clause, size_t at) {
  size_t end = at;
  while (end < clause.size() && (is_word(clause[end]) || std::string_view(":.@").find(clause[end]) != clause.npos))
    ++end;
  while (end > at && !is_word(clause[end - 1])) --end;
  return clause.substr(at, end - at);
}

}  // namespace

std::vector<FigureWord> figure_words(std::string_view clause, const Quantities& quantities) {
  std::vector<FigureWord> words;
  const std::string low = to_lower(clause);
  for (size_t at = 0; at < clause.size();) {
    if (kMarks.find(clause[at]) != kMarks.npos) {
      ++at;
      continue;
    }
    const std::string_view name = is_ascii(clause[at]) ? name_at(clause, at) : std::string_view{};
    const Phrase* phrase = phrase_at(low, at);
    std::string number;
    const size_t rank_end = rank_at(low, at, number);
    const auto measured = [&](const std::string& subject) { return !name.empty() && quantities.has(subject); };
    if (const std::string metric = "metric " + std::string(name); measured(metric)) {
      words.push_back({Says::subject, metric});
      at += name.size();
    } else if (phrase != nullptr && (name.size() <= phrase->written.size() || !measured("op " + std::string(name)))) {
      words.push_back({phrase->says, std::string(phrase->text), phrase->taken});
      at += phrase->written.size();
    } else if (const std::string op = "op " + std::string(name); measured(op)) {
      words.push_back({Says::subject, op});
      at += name.size();
    } else if (rank_end != low.npos) {
      words.push_back({Says::rank, number});
      at = rank_end;
    } else {
      words.push_back({});
      ++at;
      while (at < clause.size() && (is_ascii(clause[at]) ? is_word(clause[at]) && is_ascii(clause[at - 1])
                                                         : (static_cast<unsigned char>(clause[at]) & 0xC0U) == 0x80U)) {
        ++at;
      }
    }
  }
  return words;
}

}  // namespace stepwise::advice
