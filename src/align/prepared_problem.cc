#include "align/prepared_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "align/training/checkpoint.h"
#include "mapping/space_identity.h"
#include "mapping/stored_lexicon.h"
#include "retrieval/known_translations.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

VectorsOrigin origin_of(const WordVectors& vectors) {
  return {vectors.summary().path, vectors.content_checksum(), vectors.size(), vectors.dimension(),
          head_digest(vectors)};
}

VectorsOrigin origin_of(const ShardedVectors& vectors) {
  std::vector<WordId> first(std::min<std::size_t>(vectors.size(), kHeadRows));
  std::iota(first.begin(), first.end(), WordId{0});
  return {vectors.summary().path, vectors.content_checksum(), vectors.size(), vectors.dimension(),
          head_digest(vectors.words(first))};
}

template <class Vectors>
Provenance provenance_of(const Vectors& source, const Vectors& target, const Lexicon& lexicon,
                         const InputNames& names) {
  Provenance provenance;
  Stage stage("checksums");
  stage.update(0, 2);
  provenance.source = origin_of(source);
  stage.update(1, 2);
  provenance.target = origin_of(target);
  if (!names.source.empty()) provenance.source.name = names.source;
  if (!names.target.empty()) provenance.target.name = names.target;
  provenance.max_words = names.max_words;
  provenance.lexicon = lexicon.coverage().to_line();
  if (!names.lexicon.empty()) provenance.lexicon = fmt::format("{}: {}", names.lexicon, provenance.lexicon);
  return provenance;
}

Lexicon without_weightless(const Lexicon& lexicon) {
  std::vector<Lexicon::Pair> pairs;
  pairs.reserve(lexicon.size());
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    if (!(pair.weight >= 0) || !std::isfinite(pair.weight))
      throw UsageError(fmt::format("a pair of the lexicon has the weight {}; weights are 0 or more", pair.weight));
    if (pair.weight > 0) pairs.push_back(pair);
  }
  if (pairs.size() == lexicon.size()) return lexicon;
  if (pairs.empty()) throw UsageError("every pair of the lexicon has the weight 0");
  return Lexicon(std::move(pairs), lexicon.coverage());
}

Lexicon without_zero_rows(const Lexicon& lexicon, const Matrix& source, const Matrix& target) {
  std::vector<Lexicon::Pair> pairs;
  pairs.reserve(lexicon.size());
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    assert(pair.source < source.rows() && pair.target < target.rows());
    if (!is_zero(source.row(pair.source)) && !is_zero(target.row(pair.target))) pairs.push_back(pair);
  }
  if (pairs.empty() && !lexicon.empty()) throw UsageError("every pair of the lexicon has a word whose vector is zero");
  return Lexicon(std::move(pairs), lexicon.coverage());
}

/// The words of a lexicon, numbered among themselves: in the same order, so that nothing that goes by the order of
/// numbers changes.
class LexiconWords {
 public:
  explicit LexiconWords(const Lexicon& lexicon)
      : source_(lexicon.source_words()), target_(lexicon.target_words()), coverage_(lexicon.coverage()) {}

  const std::vector<WordId>& source() const { return source_; }
  const std::vector<WordId>& target() const { return target_; }
  Lexicon renumbered(const Lexicon& lexicon) const {
    return changed(lexicon, [](const std::vector<WordId>& words, WordId id) {
      return static_cast<WordId>(std::ranges::lower_bound(words, id) - words.begin());
    });
  }
  Lexicon numbered_as_before(const Lexicon& lexicon) const {
    return changed(lexicon, [](const std::vector<WordId>& words, WordId id) { return words[id]; });
  }

 private:
  template <class Change>
  Lexicon changed(const Lexicon& lexicon, const Change& change) const {
    std::vector<Lexicon::Pair> pairs;
    for (const Lexicon::Pair& pair : lexicon.pairs())
      pairs.push_back({change(source_, pair.source), change(target_, pair.target), pair.weight});
    return Lexicon(std::move(pairs), coverage_);
  }

  std::vector<WordId> source_, target_;
  LexiconCoverage coverage_;
};

bool is_finite(const Matrix& map) {
  return std::ranges::all_of(map.elements(), [](float value) { return std::isfinite(value); });
}

}  // namespace

struct PreparedProblem::Shared {
  ShardedVectors source, target;
  ShardedTables tables;  // views of these
};

PreparedProblem::PreparedProblem(WordVectors source, WordVectors target, const Lexicon& lexicon,
                                 const Steps& normalization, const InputNames& names, bool keep_raw)
    : inputs_(provenance_of(source, target, lexicon, names)), lexicon_(lexicon) {
  keep_words(lexicon, source.vocabulary(), target.vocabulary());
  if (keep_raw) {
    raw_source_ = std::make_shared<const WordVectors>(source);
    raw_target_ = std::make_shared<const WordVectors>(target);
  }
  normalize(std::move(source), std::move(target), normalization);
}

void PreparedProblem::keep_words(const Lexicon& lexicon, const Vocabulary& source, const Vocabulary& target) {
  if (lexicon.is_guess()) return;
  StoredLexicon words = words_of(lexicon, source, target);
  if (!words.pairs.empty()) words_ = std::make_shared<const StoredLexicon>(std::move(words));
}

void PreparedProblem::normalize(WordVectors source, WordVectors target, const Steps& normalization) {
  source_normalizer_ = Normalizer::fit(normalization, source.table());
  target_normalizer_ = Normalizer::fit(normalization, target.table());
  source_ = std::make_shared<const WordVectors>(std::move(source));
  target_ = std::make_shared<const WordVectors>(std::move(target));
  find_usable();
}

void PreparedProblem::find_usable() {
  const Lexicon weighted = without_weightless(lexicon_);
  usable_ = without_zero_rows(weighted, source_->table(), target_->table());
  zero_pairs_ = weighted.size() - usable_.size();
}

PreparedProblem PreparedProblem::normalized_as(const Steps& normalization) const {
  assert(raw_source_ && raw_target_);
  PreparedProblem result = *this;
  result.forget_raw();
  result.normalize(*raw_source_, *raw_target_, normalization);
  return result;
}

void PreparedProblem::forget_raw() {
  raw_source_.reset();
  raw_target_.reset();
}

PreparedProblem::PreparedProblem(ShardedVectors source, ShardedVectors target, const Lexicon& lexicon,
                                 const Steps& normalization, const InputNames& names)
    : inputs_(provenance_of(source, target, lexicon, names)) {
  keep_words(lexicon, source.vocabulary(), target.vocabulary());
  source_normalizer_ = fit_normalizer(normalization, source);
  target_normalizer_ = fit_normalizer(normalization, target);
  const LexiconWords words(without_weightless(lexicon));
  source_ = std::make_shared<const WordVectors>(source.words(words.source()));
  target_ = std::make_shared<const WordVectors>(target.words(words.target()));
  lexicon_ = words.renumbered(without_weightless(lexicon));
  find_usable();
  auto shared = std::make_shared<Shared>(Shared{std::move(source), std::move(target), {}});
  shared->tables = {shared->source.rows(), shared->target.rows(), checksum_of(shared->source.rows()),
                    checksum_of(shared->target.rows()), checksum_of(words.numbered_as_before(usable_))};
  shared_ = std::move(shared);
}

Lexicon PreparedProblem::usable(const Lexicon& pairs) const {
  return without_zero_rows(without_weightless(pairs), source_->table(), target_->table());
}

AlignmentProblem PreparedProblem::problem(const Lexicon& pairs) const {
  return {.source = *source_, .target = *target_, .lexicon = pairs, .sharded = shared_ ? &shared_->tables : nullptr};
}

Mapping PreparedProblem::solve(const Aligner& aligner) const {
  Provenance provenance = inputs_;
  provenance.version = version();
  provenance.method = aligner.name();
  provenance.options = aligner.options();
  provenance.options["normalization"] = source_normalizer_.name();
  provenance.criterion = "csls";
  provenance.seed = Context::current().seed();
  AlignmentResult result = aligner.solve(problem());
  if (!is_finite(result.source_map) || (result.target_map && !is_finite(*result.target_map)))
    throw Error(fmt::format("{} gave a map that is not finite", aligner.name()));
  provenance.metrics = std::move(result.metrics);
  if (zero_pairs_ > 0) provenance.metrics["zero_pairs"] = static_cast<double>(zero_pairs_);
  provenance.report = std::move(result.report);
  Mapping mapping(std::move(result.source_map), source_normalizer_, target_normalizer_, std::move(result.target_map));
  mapping.provenance = std::move(provenance);
  mapping.lexicon = words_;
  return mapping;
}

}  // namespace wordbridge
