#include "wordbridge/entry.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/option_error.h"
#include "mapping/rerank_model.h"
#include "retrieval/rerank/translation_model.h"
#include "retrieval/word_forms.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kEntriesAtOnce = 4096;

void require_share(const std::optional<double>& share, const char* name) {
  if (share && !(*share >= 0 && *share <= 1)) throw OptionError(OptionName(name) + " must be a number from 0 to 1");
}

/// The likeliest first, what is known before what is guessed.
std::vector<std::size_t> order_of(const std::vector<Translations::Candidate>& candidates) {
  std::vector<std::size_t> order(candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    const auto &one = candidates[a], &other = candidates[b];
    return one.known != other.known ? one.known : one.p_translation.value_or(0) > other.p_translation.value_or(0);
  });
  return order;
}

}  // namespace

EntryBalance entry_balance(const CommonSpace& space, const EntryOptions& options) {
  require_share(options.precision, "precision");
  require_share(options.recall, "recall");
  if (options.precision && options.recall)
    throw OptionError(OptionName("precision") + " and " + OptionName("recall") + " contradict each other");
  const auto& model = space.reranker();
  if (!model) throw UsageError("entries need the probabilities of a re-ranker, which the mapping does not carry");
  return balance_of(model->translations ? *model->translations : shipped_translations(), options);
}

EntryMaker::EntryMaker(const Translator& translator, const EntryOptions& options)
    : translator_(translator), options_(options) {
  if (translator.criterion().name() != "rerank")
    throw UsageError("entries need the probabilities of a re-ranker: the criterion must be 'rerank'");
  balance_ = entry_balance(translator.space(), options);
  if (!options.forms_apart) forms_ = WordForms::of(translator.space(), other(translator.asking()));
}

/// The line of another form of the word, or a new one.
EntryLine& EntryMaker::line_for(Entry& entry, WordId word) const {
  if (forms_)
    for (EntryLine& line : entry.lines)
      if (const auto leading = line.leading().id; leading && forms_->are_of_one_word(*leading, word)) return line;
  return entry.lines.emplace_back();
}

Entry EntryMaker::entry_of(const Translations& translations) const {
  Entry entry{.query = translations.query, .word = translations.word, .origin = translations.origin, .lines = {}};
  const CommonSpace& space = translator_.space();
  if (!entry.word.empty()) entry.id = space.vocabulary(translator_.asking()).find(entry.word);
  const auto& candidates = translations.candidates;
  for (const std::size_t i : order_of(candidates)) {
    const Translations::Candidate& one = candidates[i];
    if (!one.known && one.p_translation.value_or(0) < balance_.threshold) continue;
    entry.lines.push_back({{EntryForm{one.word, one.id == Translations::kNoId ? std::nullopt : std::optional(one.id),
                                      one.p_first.value_or(0), one.p_translation.value_or(0), i + 1, one.known}}});
  }
  return entry;
}

std::vector<Entry> EntryMaker::entries(std::span<const std::string> words) const {
  std::vector<Entry> result;
  for (const Translations& translations : translator_.translate(words, options_.candidates))
    result.push_back(entry_of(translations));
  return result;
}

void EntryMaker::induce(std::size_t first, std::size_t last, const std::function<void(Entry)>& take) const {
  const Vocabulary& vocabulary = translator_.space().vocabulary(translator_.asking());
  last = std::min(last, vocabulary.size());
  Stage stage("making entries");
  for (std::size_t begin = first; begin < last; begin += kEntriesAtOnce) {
    stage.update(begin - first, last - first);
    std::vector<std::string> words;
    for (std::size_t i = begin; i < std::min(begin + kEntriesAtOnce, last); ++i)
      words.emplace_back(vocabulary[static_cast<WordId>(i)]);
    for (Entry& entry : entries(words)) take(std::move(entry));
  }
}

}  // namespace wordbridge
