#include "core/advice/draft/false_claims.h"

#include <algorithm>

#include "core/advice/draft/sentence.h"

namespace stepwise::advice {
namespace {

constexpr size_t kMaxSentenceBytes = 2000;
// What promises a gain is found by its figures instead, wherever it stands.
constexpr std::string_view kGains = "claim.seed_gains";

}  // namespace

std::vector<FalseClaim> find_false_claims(std::string_view text, const Knowledge& knowledge) {
  std::vector<FalseClaim> found;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = begin, stop = 0;
    while (end < text.size() && end - begin < kMaxSentenceBytes && stop == 0) {
      stop = sentence_end_at(text, end);
      end += std::max<size_t>(stop, 1);
    }
    const std::string_view sentence = text.substr(begin, end - begin);
    for (const Parameter* one : knowledge.claims_in(sentence)) {
      if (one->id == kGains) continue;
      found.push_back({sentence, one});
      break;
    }
    begin = end;
  }
  return found;
}

std::string without_false_claims(std::string_view text, const Knowledge& knowledge) {
  std::string out;
  size_t taken = 0;
  for (const FalseClaim& one : find_false_claims(text, knowledge)) {
    const auto at = static_cast<size_t>(one.sentence.data() - text.data());
    out.append(text, taken, at - taken);
    const size_t first = one.sentence.find_first_not_of(" \t#>*-0123456789.");
    if (first != one.sentence.npos) out.append(one.sentence, 0, first);
    const std::string& truth = one.claim->claim->truth;
    // A truth that is taken for the claim itself is of no help.
    if (find_false_claims(truth, knowledge).empty()) out += truth;
    if (one.sentence.ends_with('\n')) out += '\n';
    taken = at + one.sentence.size();
  }
  return out.append(text, taken);
}

}  // namespace stepwise::advice
