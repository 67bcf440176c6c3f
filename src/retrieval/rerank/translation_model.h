#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/rerank_model.h"
#include "wordbridge/entry.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// The candidates of a word and what they were ranked by.
struct RankedCandidates {
  std::span<const double> scores;      // one for each candidate; their softmax are the shares
  std::span<const std::size_t> order;  // of candidates, best first
  ConstMatrixViewD features;           // one row for each candidate, not standardized
  /// The normalized spellings; empty where nobody looks at them.
  std::span<const std::u32string_view> letters = {};
  /// Of the vectors of two candidates; absent: 0.
  std::function<double(std::size_t, std::size_t)> cosine = {};
};

/// What decides whether a candidate is a translation, whichever is the best one: all features of the re-ranker, and how
/// it stands beside the others. A second translation means much the same as the first, so it has few rivals that are
/// better and not like it.
///   log share        log of its softmax, -15 at least; below first: its score less the best one
///   place            log(1 + how many are better); first: whether none is
///   like first       cosine to the best one; like better: the largest to a better one; like all: mean, by shares
///   spelled as first, stem of first   edit similarity to the best one; common prefix / shorter length
///   csls below first, rank behind first   differences of features to those of the best one
///   unsureness       entropy of the shares; share of first; log-sum of scores
class TranslationTerms {
 public:
  static constexpr std::size_t kAsked = 16;      // candidates of a word, the best ones
  static constexpr std::size_t kReferences = 6;  // best ones that meanings are compared with

  /// `features`: the names of the columns that values() gets.
  explicit TranslationTerms(const std::vector<std::string>& features);

  const std::vector<std::string>& names() const { return names_; }
  /// One row for each of the first candidates in order, kAsked at most; one column for each name.
  MatrixD values(const RankedCandidates& candidates) const;

 private:
  std::vector<std::string> names_;
  std::optional<std::size_t> csls_, log_rank_;  // columns
  bool spelling_;
};

/// A word that was not learned from.
struct TranslationSample {
  MatrixD values;                        // TranslationTerms::values()
  std::vector<std::uint8_t> right = {};  // one for each row
  std::size_t known = 0;                 // translations that the lexicon has of it, among the candidates or not
  std::size_t group = 0;                 // words of a group are judged by weights of the others
};

struct TranslationFit {
  /// What weights are drawn to, by name, as strongly as `prior` says (LogisticProblem); nullptr: to 0. Its means and
  /// deviations are kept.
  const RerankModel::Translations* center = nullptr;
  double prior = 2;
};

/// Fits the logistic model, and measures its balance on each group by the weights of the others.
RerankModel::Translations fit_translations(const std::vector<std::string>& names,
                                           std::span<const TranslationSample> samples, const TranslationFit& options);

/// How probable it is that each row is a translation. Columns are those that the model was fitted to.
class TranslationModel {
 public:
  /// The model's terms, looked up among `names`; UsageError where one is unknown, unless `lenient`: then it is left
  /// out.
  TranslationModel(const RerankModel::Translations& model, const std::vector<std::string>& names, bool lenient);
  std::vector<double> probabilities(ConstMatrixViewD values) const;

 private:
  struct Term {
    std::size_t column;
    double weight, mean, deviation;
  };
  double intercept_;
  std::vector<Term> terms_;
};

/// What other languages taught (tools/average_rerankers), for lexicons that are too small, or name one translation of
/// each word.
const RerankModel::Translations& shipped_translations();

/// The point that is asked for; nothing asked: the one with the largest F1. Where the precision or recall is never
/// reached, the point that comes nearest.
EntryBalance balance_of(const RerankModel::Translations& model, const EntryOptions& options);

}  // namespace wordbridge
