#include "wordbridge/translate.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "lexicon/word_lookup.h"
#include "retrieval/known_translations.h"
#include "retrieval/phrase_translations.h"
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

/// What is known, then what was guessed beside it.
void put_known_first(std::vector<Translations::Candidate>& candidates, std::span<const std::string> known,
                     const Vocabulary& vocabulary, CasePolicy policy) {
  std::vector<Translations::Candidate> result;
  for (const std::string& word : known) {
    const auto found = find_typed_word(vocabulary, word, policy);
    Translations::Candidate candidate{.word = word,
                                      .id = found ? found->id : Translations::kNoId,
                                      .score = std::numeric_limits<double>::quiet_NaN(),
                                      .known = true};
    const auto guess =
        found ? std::ranges::find(candidates, found->id, &Translations::Candidate::id) : candidates.end();
    if (guess != candidates.end()) {
      candidate.score = guess->score;
      candidate.p_first = guess->p_first;
      candidate.p_translation = guess->p_translation;
      candidates.erase(guess);
    }
    result.push_back(std::move(candidate));
  }
  result.insert(result.end(), candidates.begin(), candidates.end());
  candidates = std::move(result);
}

}  // namespace

Translator::Translator(CommonSpace space, const TranslatorOptions& options)
    : space_(std::move(space)),
      options_(options),
      criterion_(make_criterion(options.criterion.empty() ? space_.criterion() : options.criterion, space_,
                                options.criterion_options, options.asking)),
      known_(std::make_shared<const KnownTranslations>(
          options.ignore_known ? nullptr : space_.lexicon().get(),
          std::span(options_.known).first(options.ignore_known ? 0 : options_.known.size()), options.asking)) {
  options_.known.clear();
}

std::size_t Translator::known_pairs() const { return known_->pairs(); }

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
  std::vector<std::vector<WordId>> phrases(words.size());
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
      continue;
    }
    tidied[i] = tidied_word(words[i]);
    phrases[i] = composing_words(space_, options_.asking, tidied[i], options_.case_policy);
    if (!phrases[i].empty()) {
      ask(i, {tidied[i], std::nullopt}, composed_vector(space_, options_.asking, phrases[i]),
          Translations::Origin::phrase);
    } else if (options_.use_subwords) {
      if (const auto vector = space_.subword_vector(tidied[i], options_.asking))
        ask(i, {tidied[i], std::nullopt}, *vector, Translations::Origin::subwords);
    }
  }
  queries.truncate_rows(asked.size());
  std::vector<std::span<const std::string>> said(words.size());
  std::size_t most = 0;  // guesses that may be known already
  for (std::size_t i = 0; i < words.size(); ++i) {
    said[i] = known_->of(answers[i].word.empty() ? words[i] : answers[i].word, options_.case_policy);
    most = std::max(most, said[i].size());
  }
  const Candidates best = criterion_->best_for(asking, queries, count + most);
  const Vocabulary& others = space_.vocabulary(other(options_.asking));
  for (std::size_t query = 0; query < asked.size(); ++query)
    answers[asked[query]].candidates = candidates_of(best, query, others);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (answers[i].origin == Translations::Origin::phrase) put_composed_first(phrases[i], answers[i].candidates);
    if (!said[i].empty()) put_known_first(answers[i].candidates, said[i], others, options_.case_policy);
    if (answers[i].origin == Translations::Origin::none && !said[i].empty())
      answers[i].origin = Translations::Origin::known;
    if (answers[i].candidates.size() > count) answers[i].candidates.resize(count);
  }
  return answers;
}

/// What the words of a phrase are translated by, put together, before what its vector finds.
void Translator::put_composed_first(const std::vector<WordId>& phrase,
                                    std::vector<Translations::Candidate>& candidates) const {
  std::vector<std::string> words;
  for (const WordId id : phrase) words.emplace_back(space_.vocabulary(options_.asking)[id]);
  std::vector<Translations::Candidate> result =
      composed_candidates(translate(words, kChoicesOfWord), space_.vocabulary(other(options_.asking)));
  for (Translations::Candidate& one : result) {
    const auto guess = std::ranges::find(candidates, one.id, &Translations::Candidate::id);
    if (guess == candidates.end()) continue;
    one.score = guess->score;
    one.p_first = guess->p_first;
    one.p_translation = guess->p_translation;
    candidates.erase(guess);
  }
  result.insert(result.end(), candidates.begin(), candidates.end());
  candidates = std::move(result);
}

Translations Translator::translate(const std::string& word, std::size_t count) const {
  return std::move(translate(std::span(&word, 1), count).front());
}

}  // namespace wordbridge
