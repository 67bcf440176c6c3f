#include "retrieval/rerank/feature_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "retrieval/rerank/backward_features.h"
#include "retrieval/rerank/forward_features.h"
#include "retrieval/rerank/frequency_features.h"
#include "retrieval/rerank/learned_spelling_features.h"
#include "retrieval/rerank/local_features.h"
#include "retrieval/rerank/spelling_features.h"
#include "retrieval/rerank/suffix_features.h"
#include "wordbridge/error.h"

namespace wordbridge {

FeatureChoice FeatureChoice::parse(std::string_view text) {
  if (text == "all") return {};
  FeatureChoice choice{false, false, false};
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    bool* const family = name == "semantic"    ? &choice.semantic
                         : name == "spelling"  ? &choice.spelling
                         : name == "frequency" ? &choice.frequency
                                               : nullptr;
    if (family == nullptr)
      throw UsageError(
          fmt::format("re-ranker features '{}': all, or some of semantic, spelling, frequency joined by commas", text));
    *family = true;
    begin = end + 1;
  }
  if (!choice.semantic && !choice.spelling)
    throw UsageError("a re-ranker needs features of meaning (semantic) or of spelling");
  return choice;
}

namespace {

constexpr double kNearlyAll = 0.95;

bool has_digit(std::string_view word) {
  return std::ranges::any_of(word, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::optional<std::string> objection_to_spelling(const Lexicon& pairs, const Vocabulary& source,
                                                 const Vocabulary& target) {
  std::size_t equal = 0, ids = 0;
  for (const Lexicon::Pair& pair : pairs.pairs()) {
    const std::string_view one = source[pair.source], other = target[pair.target];
    equal += one == other;
    ids += has_digit(one) && has_digit(other);
  }
  const double needed = kNearlyAll * static_cast<double>(std::max<std::size_t>(pairs.size(), 1));
  if (static_cast<double>(equal) >= needed) return fmt::format("{} of {} pairs are equal strings", equal, pairs.size());
  if (static_cast<double>(ids) >= needed) return fmt::format("the words of {} of {} pairs are ids", ids, pairs.size());
  return std::nullopt;
}

std::optional<std::string> objection_to_spelling(const Vocabulary& source, const Vocabulary& target) {
  const Vocabulary &few = source.size() <= target.size() ? source : target, &many = &few == &source ? target : source;
  std::size_t shared = 0, ids = 0;
  for (WordId word = 0; word < few.size(); ++word) {
    shared += many.find(few[word]).has_value();
    ids += has_digit(few[word]) && has_digit(many[word]);
  }
  const double needed = kNearlyAll * static_cast<double>(std::max<std::size_t>(few.size(), 1));
  if (static_cast<double>(shared) >= needed)
    return fmt::format("{} of {} words are in both vocabularies", shared, few.size());
  if (static_cast<double>(ids) >= needed) return "the words are ids";
  return std::nullopt;
}

FeatureSet::FeatureSet(const CommonSpace& space, const std::shared_ptr<const SpellingResources>& spelling,
                       const LexiconKnowledge& knowledge, const FeatureChoice& choice)
    : products_({}) {
  if (choice.semantic) {
    add(std::make_unique<ForwardFeatures>());
    add(std::make_unique<BackwardFeatures>());
    add(std::make_unique<LocalFeatures>(space, knowledge.pairs));
  }
  if (choice.frequency) add(std::make_unique<FrequencyFeatures>(space.size(Side::source)));
  if (choice.spelling) {
    add(std::make_unique<SpellingFeatures>(space, spelling));
    if (knowledge.spelling_model) add(std::make_unique<LearnedSpellingFeatures>(spelling, knowledge.spelling_model));
    if (knowledge.suffixes) add(std::make_unique<SuffixFeatures>(spelling, knowledge.suffixes));
  }
  products_ = ProductFeatures(names_);
  names_.insert(names_.end(), products_.names().begin(), products_.names().end());
}

void FeatureSet::add(std::unique_ptr<const FeatureFamily> family) {
  for (const std::string_view name : family->names()) names_.emplace_back(name);
  families_.push_back(std::move(family));
}

MatrixD FeatureSet::compute(const WordCandidates& word) const {
  MatrixD values(word.size(), names_.size());
  std::size_t column = 0;
  const auto columns = [&](std::size_t first, std::size_t count) {
    return MatrixViewD(values.data() + first, values.rows(), count, values.cols());
  };
  for (const auto& family : families_) {
    family->compute(word, columns(column, family->names().size()));
    column += family->names().size();
  }
  products_.compute(columns(0, column), columns(column, products_.names().size()));
  return values;
}

}  // namespace wordbridge
