#include "lexicon/lexicon_mistake.h"

#include <fmt/format.h>

#include "base/wording.h"

namespace wordbridge {

namespace {

constexpr std::uint64_t kFewestMore = 5;
constexpr std::uint64_t kFewestPairs = 20;

double share(const ColumnMatches& column) {
  return column.pairs == 0 ? 0 : static_cast<double>(column.own) / static_cast<double>(column.pairs);
}

/// Whether the words of `column` are of another language than the vocabulary of their side.
bool is_foreign(const ColumnMatches& column, const ColumnMatches& opposite) {
  if (column.pairs < kFewestPairs) return false;
  const auto own = static_cast<double>(column.own), other = static_cast<double>(column.other);
  const bool hardly_found = share(column) < 0.6 * share(opposite);
  return (hardly_found && own <= 1.25 * other) || (column.other >= kFewestPairs && 2 * own <= other);
}

std::string explain_foreign(const char* side, const char* opposite, const ColumnMatches& column) {
  return fmt::format(
      "{} of {} are in the {} vocabulary, and {} in as many words of the {} vocabulary: these {} vectors seem to be of "
      "another language than the lexicon's {} words",
      column.own, counted(column.pairs, fmt::format("{} word", side)), side, column.other, opposite, side, side);
}

}  // namespace

LexiconMistake likely_mistake(const LexiconCoverage& coverage, const ColumnMatches& source,
                              const ColumnMatches& target) {
  if (coverage.swapped_pairs > 2 * coverage.pairs && coverage.only_swapped >= kFewestMore)
    return LexiconMistake::swapped;
  if (coverage.any_case_pairs > 2 * coverage.pairs && coverage.any_case_pairs >= coverage.pairs + kFewestMore)
    return LexiconMistake::other_case;
  if (is_foreign(target, source)) return LexiconMistake::wrong_target;
  if (is_foreign(source, target)) return LexiconMistake::wrong_source;
  return LexiconMistake::none;
}

std::string explain(LexiconMistake mistake, const LexiconCoverage& coverage, const ColumnMatches& source,
                    const ColumnMatches& target) {
  switch (mistake) {
    case LexiconMistake::none:
      return {};
    case LexiconMistake::swapped:
      return fmt::format(
          "{} in the vocabularies, and {} with the two sides swapped: the columns of the lexicon or the two files of "
          "vectors are in the wrong order",
          coverage.pairs == 1 ? "1 pair is" : counted(coverage.pairs, "pair") + " are", coverage.swapped_pairs);
    case LexiconMistake::other_case:
      return fmt::format("{} in the vocabularies as written, and {} in another letter case",
                         coverage.pairs == 1 ? "1 pair is" : counted(coverage.pairs, "pair") + " are",
                         coverage.any_case_pairs);
    case LexiconMistake::wrong_source:
      return explain_foreign("source", "target", source);
    case LexiconMistake::wrong_target:
      return explain_foreign("target", "source", target);
  }
  return {};
}

}  // namespace wordbridge
