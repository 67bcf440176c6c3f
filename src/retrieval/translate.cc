#include "wordbridge/translate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lexicon/word_lookup.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

std::vector<Translations::Candidate> candidates_of(const Candidates& best, std::size_t query,
                                                   const Vocabulary& vocabulary) {
  std::vector<Translations::Candidate> candidates;
  for (std::size_t rank = 0; rank < best.found; ++rank) {
    const WordId id = best.targets_of(query)[rank];
    candidates.push_back({std::string(vocabulary[id]), id, best.scores_of(query)[rank]});
    if (!best.has_probabilities()) continue;
    candidates.back().p_first = candidates.back().score;
    candidates.back().p_translation = best.p_translation_of(query)[rank];
  }
  return candidates;
}

}  // namespace

Translator::Translator(CommonSpace space, const TranslatorOptions& options)
    : space_(std::move(space)),
      options_(options),
      criterion_(make_criterion(options.criterion.empty() ? space_.criterion() : options.criterion, space_,
                                options.criterion_options, options.asking)) {}

std::vector<Translations> Translator::translate(std::span<const std::string> words, std::size_t count) const {
  const Vocabulary& vocabulary = space_.vocabulary(options_.asking);
  std::vector<Translations> answers(words.size());
  std::vector<WordId> known;
  for (std::size_t i = 0; i < words.size(); ++i) {
    answers[i].query = words[i];
    if (const auto found = find_typed_word(vocabulary, words[i], options_.case_policy)) {
      answers[i].word = vocabulary[found->id];
      known.push_back(found->id);
    }
  }
  const Matrix rows = space_.state().rows_of(options_.asking, known);

  Matrix queries = Matrix::uninitialized(words.size(), space_.dimension());
  std::vector<std::size_t> asked;  // words with a vector: query i is for words[asked[i]]
  std::vector<AskingWord> asking;
  std::vector<std::string> tidied(words.size());  // of words that the vocabulary does not have
  const auto ask = [&](std::size_t i, AskingWord word, std::span<const float> vector, Translations::Origin origin) {
    if (is_zero(vector)) return;
    asking.push_back(word);
    answers[i].origin = origin;
    std::copy(vector.begin(), vector.end(), queries.row(asked.size()).data());
    asked.push_back(i);
  };
  for (std::size_t i = 0, row = 0; i < words.size(); ++i) {
    if (!answers[i].word.empty()) {
      ask(i, {vocabulary[known[row]], known[row]}, rows.row(row), Translations::Origin::vocabulary);
      ++row;
    } else if (options_.use_subwords) {
      tidied[i] = tidied_word(words[i]);
      if (const auto vector = space_.subword_vector(tidied[i], options_.asking))
        ask(i, {tidied[i], std::nullopt}, *vector, Translations::Origin::subwords);
    }
  }
  queries.truncate_rows(asked.size());
  const Candidates best = criterion_->best_for(asking, queries, count);
  for (std::size_t query = 0; query < asked.size(); ++query)
    answers[asked[query]].candidates = candidates_of(best, query, space_.vocabulary(other(options_.asking)));
  return answers;
}

Translations Translator::translate(const std::string& word, std::size_t count) const {
  return std::move(translate(std::span(&word, 1), count).front());
}

}  // namespace wordbridge
