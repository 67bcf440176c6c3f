#include "lexicon/lexicon_reader.h"

#include "lexicon/pair_lookup.h"

namespace wordbridge {

namespace {

WordPairs read_pairs(const std::string& path, const LexiconOptions& options) {
  return read_word_pairs(
      path,
      {.swap_columns = options.swap_columns, .drop_identical = options.drop_identical, .lenient = options.lenient});
}

}  // namespace

Lexicon find_pairs(const WordPairs& pairs, const Vocabulary& source, const Vocabulary& target, CasePolicy case_policy,
                   LexiconChecks checks) {
  const PairLookup lookup = look_up_pairs(pairs, source, target, case_policy, checks);
  std::vector<Lexicon::Pair> usable;
  usable.reserve(lookup.coverage.pairs);
  for (std::size_t i = 0; i < lookup.items.size(); ++i)
    if (const PairLookup::Item& item = lookup.items[i]; item.usable())
      usable.push_back({*item.source, *item.target, pairs.pairs[i].weight});
  return Lexicon(std::move(usable), lookup.coverage);
}

Lexicon read_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                     const LexiconOptions& options) {
  return find_pairs(read_pairs(path, options), source, target, options.case_policy, options.checks);
}

Lexicon read_lexicon(const std::string& path, const WordVectors& source, const WordVectors& target,
                     const LexiconOptions& options) {
  return read_lexicon(path, source.vocabulary(), target.vocabulary(), options);
}

GoldLexicon read_gold_lexicon(const std::string& path, const Vocabulary& source, const Vocabulary& target,
                              const LexiconOptions& options) {
  return GoldLexicon(read_pairs(path, options), source, target, options.case_policy, options.checks);
}

}  // namespace wordbridge
