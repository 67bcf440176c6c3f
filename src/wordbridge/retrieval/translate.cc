#include "wordbridge/retrieval/translate.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace wordbridge {

Translator::Translator(WordVectors source, WordVectors target, const TranslatorOptions& options)
    : source_(std::make_unique<const WordVectors>(std::move(source))),
      target_(std::make_unique<const WordVectors>(std::move(target))),
      criterion_(make_criterion(options.criterion, source_->table(), target_->table(), options.criterion_options)),
      options_(options) {}

std::vector<Translations> Translator::translate(std::span<const std::string> words, std::size_t count) {
  std::vector<Translations> answers(words.size());
  Matrix queries = Matrix::uninitialized(words.size(), source_->dimension());
  std::vector<std::size_t> asked;  // words with a vector: query i is for words[asked[i]]
  const auto ask = [&](std::size_t i, std::span<const float> vector, Translations::Origin origin) {
    if (is_zero(vector)) return;
    answers[i].origin = origin;
    std::copy(vector.begin(), vector.end(), queries.row(asked.size()).data());
    asked.push_back(i);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    answers[i].query = words[i];
    if (const auto found = find_word(source_->vocabulary(), words[i], options_.case_policy)) {
      answers[i].word = source_->vocabulary()[found->id];
      ask(i, source_->table().row(found->id), Translations::Origin::vocabulary);
    } else if (options_.use_subwords) {
      if (const auto vector = source_->subword_vector(words[i])) ask(i, *vector, Translations::Origin::subwords);
    }
  }
  queries.truncate_rows(asked.size());
  const Candidates best = criterion_->best(queries, count);
  for (std::size_t query = 0; query < asked.size(); ++query) {
    for (std::size_t rank = 0; rank < best.found; ++rank) {
      const WordId id = best.targets_of(query)[rank];
      answers[asked[query]].candidates.push_back(
          {std::string(target_->vocabulary()[id]), id, best.scores_of(query)[rank]});
    }
  }
  return answers;
}

Translations Translator::translate(const std::string& word, std::size_t count) {
  return std::move(translate(std::span(&word, 1), count).front());
}

}  // namespace wordbridge
