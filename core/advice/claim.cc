#include "core/advice/claim.h"

#include <re2/re2.h>

#include <algorithm>
#include <utility>

#include "core/advice/entry_reader.h"
#include "core/advice/plain_letters.h"

namespace stepwise::advice {

struct Claim::Trigger {
  std::vector<std::shared_ptr<const RE2>> all, unless;  // all of these, and none of those
};

namespace {

using Patterns = std::vector<std::shared_ptr<const RE2>>;

bool found(const RE2& pattern, std::string_view sentence) {
  return RE2::PartialMatch(re2::StringPiece(sentence.data(), sentence.size()), pattern);
}

Patterns patterns_from(Entry& entry, const char* name) {
  std::vector<std::string> written;
  entry.texts(name, written);
  RE2::Options options;
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  Patterns out;
  for (const std::string& one : written) {
    auto pattern = std::make_shared<const RE2>(one, options);
    if (!pattern->ok()) {
      entry.fault(std::string("/") + name, "\"" + one + "\" is no pattern: " + pattern->error());
    } else if (found(*pattern, "")) {
      entry.fault(std::string("/") + name, "\"" + one + "\" is found in every sentence.");
    }
    out.push_back(std::move(pattern));
  }
  return out;
}

void check_examples(Entry& entry, const Claim& claim, const char* name, bool should) {
  const std::vector<std::string>& examples = should ? claim.makes : claim.makes_not;
  if (examples.empty()) entry.fault("", std::string("lacks examples in ") + name + ".");
  for (size_t i = 0; i < examples.size(); ++i) {
    if (claim.is_made_in(plain_letters(examples[i])) == should) continue;
    entry.fault(std::string("/") + name + "/" + std::to_string(i),
                should ? "is an example of the claim, and no trigger finds it."
                       : "is no example of the claim, and a trigger finds it.");
  }
}

}  // namespace

bool Claim::is_made_in(std::string_view plain_sentence) const {
  const auto is_found = [&](const auto& pattern) { return found(*pattern, plain_sentence); };
  return std::any_of(triggers->begin(), triggers->end(), [&](const Trigger& one) {
    return std::all_of(one.all.begin(), one.all.end(), is_found) &&
           std::none_of(one.unless.begin(), one.unless.end(), is_found);
  });
}

Claim claim_from(Entry& entry) {
  Claim claim;
  entry.text("says", claim.says, true);
  entry.text("truth", claim.truth, true);
  entry.texts("makes", claim.makes);
  entry.texts("makes_not", claim.makes_not);
  auto triggers = std::make_shared<std::vector<Claim::Trigger>>();
  const size_t before = entry.faults().size();
  entry.objects("trigger", [&triggers](Entry& one) {
    Claim::Trigger trigger{patterns_from(one, "all"), patterns_from(one, "unless")};
    if (trigger.all.empty()) one.fault("", "lacks patterns in all.");  // it would find every sentence
    triggers->push_back(std::move(trigger));
  });
  if (triggers->empty()) entry.fault("", "lacks trigger.");
  claim.triggers = std::move(triggers);
  if (entry.faults().size() > before) return claim;  // examples cannot be judged by a broken trigger
  check_examples(entry, claim, "makes", true);
  check_examples(entry, claim, "makes_not", false);
  return claim;
}

}  // namespace stepwise::advice
