// The rows that advise gives for this very profile, where a draft quotes them. Internal to core/advice/draft.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/advice/draft/figures.h"
#include "core/advice/rules/metric_set.h"

namespace stepwise::advice {

/// A text without what changes no words: blanks, emphasis, quotes; each number is one mark, so that a sentence is known
/// again whatever figures stand in it.
struct MaskedText {
  explicit MaskedText(std::string_view text);
  std::string text;
  std::vector<size_t> at;  // of each byte, and of the end: where it comes from
};

class OwnRows {
 public:
  /// Out of answers["advise"]: {"rows": [...]}, each as advise gives it, in as many languages as it may be quoted in.
  explicit OwnRows(const Answers& answers);

  struct Held {
    double measured = 0;  // in the figure's base
    bool ok = false;
    std::string where, what;
  };
  /// For each figure of the text; nullopt: it is none of these rows'. A figure within a row's own sentence is held
  /// against that sentence. One beside "at most", or behind the key that a row has it under, is held against the share
  /// and the time of the row that the text names last before it, by its finding or its measure; one called the
  /// threshold of a metric against that. `above`: the rows that what stands before the text names.
  std::vector<std::optional<Held>> hold(std::string_view text, const std::vector<QuotedFigure>& figures,
                                        const RowNumbers& above) const;
  /// Those that the text names last.
  RowNumbers named_last(std::string_view text) const;

 private:
  struct Row {
    std::string where, what;
    std::optional<double> share_ratio, bound_us, value, threshold;
    std::string metric;
  };
  struct Sentence {
    MaskedText masked;
    std::string written;
    std::vector<QuotedFigure> figures;
    RowNumbers rows;
    bool is_finding = true;  // else a measure
  };
  struct Place {
    size_t begin = 0, end = 0;  // bytes of the text
    const Sentence* sentence = nullptr;
    std::vector<size_t> numbers;  // of a finding: where the text has each of its numbers
  };

  void add_sentence(std::string written, size_t row, bool is_finding);
  static RowNumbers narrowed(const RowNumbers& named, const Sentence& by);
  std::vector<Place> places_in(std::string_view text) const;
  std::optional<Held> held_in_sentence(const Place& place, const QuotedFigure& figure) const;
  std::optional<Held> held_as_bound(std::string_view text, const QuotedFigure& figure, const RowNumbers& named) const;
  std::optional<Held> held_as_trigger(std::string_view text, const QuotedFigure& figure) const;
  Held held(const QuotedFigure& figure, double measured, size_t row, const char* member) const;

  std::vector<Row> rows_;
  std::vector<Sentence> sentences_;
};

}  // namespace stepwise::advice
