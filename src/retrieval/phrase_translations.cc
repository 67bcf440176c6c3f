#include "retrieval/phrase_translations.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

#include "lexicon/word_lookup.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

constexpr std::size_t kMostWords = 4;  // of a phrase whose words may change places

/// Words in an order, with the ranks of the choices in all.
struct Composition {
  std::size_t rank = 0;
  std::vector<std::string> words;
};

/// All choices of a translation for each word, best first.
std::vector<Composition> choices_of(const std::vector<Translations>& words) {
  std::vector<Composition> all = {{}};
  for (const Translations& word : words) {
    std::vector<Composition> longer;
    const std::size_t choices = std::min(word.candidates.size(), words.size() > kMostWords ? 1 : kChoicesOfWord);
    for (const Composition& before : all)
      for (std::size_t i = 0; i < choices; ++i) {
        longer.push_back(before);
        longer.back().rank += i;
        longer.back().words.push_back(word.candidates[i].word);
      }
    all = std::move(longer);
  }
  std::ranges::stable_sort(all, {}, &Composition::rank);
  return all;
}

std::string joined_words(const std::vector<std::string>& words, const std::vector<std::size_t>& order) {
  std::string text;
  for (const std::size_t i : order) text += (text.empty() ? "" : " ") + words[i];
  return text;
}

Translations::Candidate candidate_of(std::string word, WordId id) {
  Translations::Candidate candidate;
  candidate.word = std::move(word);
  candidate.id = id;
  candidate.score = std::numeric_limits<double>::quiet_NaN();
  candidate.composed = true;
  return candidate;
}

}  // namespace

std::vector<WordId> composing_words(const CommonSpace& space, Side side, std::string_view phrase, CasePolicy policy) {
  const std::vector<std::string> words = phrase_words(phrase);
  if (words.size() < 2) return {};
  std::vector<WordId> ids;
  for (const std::string& word : words) {
    const auto found = find_word(space.vocabulary(side), word, policy);
    if (!found) return {};
    ids.push_back(found->id);
  }
  const Matrix rows = space.state().rows_of(side, ids);
  for (std::size_t i = 0; i < rows.rows(); ++i)
    if (is_zero(rows.row(i))) return {};
  return ids;
}

std::vector<float> composed_vector(const CommonSpace& space, Side side, const std::vector<WordId>& words) {
  const Matrix rows = space.state().rows_of(side, words);
  Matrix sum(1, space.dimension());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < sum.cols(); ++j) sum(0, j) += rows(i, j);
  normalize_rows(sum);
  return {sum.row(0).begin(), sum.row(0).end()};
}

std::vector<Translations::Candidate> composed_candidates(const std::vector<Translations>& words,
                                                         const Vocabulary& vocabulary) {
  std::vector<Translations::Candidate> result;
  const std::vector<Composition> choices = choices_of(words);
  if (choices.empty()) return result;
  std::vector<std::size_t> order(words.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::set<WordId> seen;
  for (const Composition& choice : choices) {
    std::vector<std::size_t> turned = order;
    do {
      const auto found = find_phrase(vocabulary, joined_words(choice.words, turned), CasePolicy::title);
      if (found && seen.insert(found->id).second)
        result.push_back(candidate_of(std::string(vocabulary[found->id]), found->id));
    } while (words.size() <= kMostWords && std::next_permutation(turned.begin(), turned.end()));
  }
  const std::string word_for_word = joined_words(choices.front().words, order);
  if (!find_phrase(vocabulary, word_for_word, CasePolicy::title))
    result.push_back(candidate_of(word_for_word, Translations::kNoId));
  return result;
}

}  // namespace wordbridge
