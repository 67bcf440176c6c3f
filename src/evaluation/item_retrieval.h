#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "wordbridge/criterion.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// What an index of items should return for some queries; each part may be empty (not known), or has an element a
/// query.
struct RetrievalTruth {
  std::vector<std::vector<WordId>> own = {};                        // the query's own items
  Candidates old = {};                                              // what the old model's query finds, best first
  std::vector<std::vector<std::pair<WordId, double>>> grades = {};  // judgements above 0, each item once
  std::vector<double> crowding = {};                                // cosine of an own item and the item next to it
};

/// A measure of one list of results, from 0 to 1.
struct RetrievalMeasure {
  enum class Kind {
    own,         // one of the own items is among the k first
    own_rank,    // 1 / the rank of the first own item; 0 behind the k-th
    kept,        // the share of the old k first that is among the k first
    ndcg,        // sum of grade / log2(rank + 1) over the k first, divided by the most that it can be
    recall,      // the share of the relevant items that is among the k first
    grade_rank,  // 1 / the rank of the first relevant item; 0 behind the k-th
  };
  Kind kind = Kind::own;
  std::size_t k = 1;

  /// "own@10", "mrr@100", "kept@10", "ndcg@10", "recall@100", "relevant_mrr@100".
  std::string name() const;
  friend bool operator==(const RetrievalMeasure&, const RetrievalMeasure&) = default;
};

/// How one way of retrieval did.
struct RetrievalResult {
  struct Mean {
    double percent = 0;
    double low = 0, high = 0;  // 95%: Wilson's interval for shares of queries, else by the normal approximation
  };
  std::string system = {};                       // "adapter"
  std::string criterion = {};                    // "nn" or "csls"
  std::vector<Mean> means = {};                  // of the evaluation's measures
  std::vector<std::vector<double>> values = {};  // of each measure, for each query
  std::vector<std::size_t> own_rank = {};        // of each query; 0: not found
  std::vector<WordId> first = {};                // the item that came first
};

/// Ways of retrieval, measured on the same queries.
class RetrievalEvaluation {
 public:
  /// Measures follow from what is known, at the ranks `at`. `items` (rows of the index, as the old model made them)
  /// tell which cannot be told apart: an item that equals the own one is right, too. It must outlive this.
  RetrievalEvaluation(RetrievalTruth truth, ConstMatrixView items, std::vector<std::size_t> at);

  const std::vector<RetrievalMeasure>& measures() const { return measures_; }
  std::size_t queries() const;
  std::size_t depth() const { return at_.back(); }  // how many items are looked at
  const RetrievalTruth& truth() const { return truth_; }

  RetrievalResult of(std::string system, std::string criterion, const Candidates& found) const;

  /// Queries by how crowded it is around their own items in the old index, in three equal parts.
  struct Crowd {
    double from = 0, to = 0;  // cosines
    std::size_t queries = 0;
    std::vector<RetrievalResult::Mean> means;  // of the measures
  };
  std::vector<Crowd> by_crowding(const RetrievalResult& result) const;
  /// Those that lose most: by the mean of all measures, worst first, then by number.
  std::vector<std::size_t> worst(const RetrievalResult& result, std::size_t count) const;

 private:
  double measure(const RetrievalMeasure& measure, std::size_t query, std::span<const WordId> found) const;
  bool is_own(std::size_t query, WordId item) const;
  std::vector<RetrievalResult::Mean> means_of(const RetrievalResult& result,
                                              std::span<const std::size_t> queries) const;

  RetrievalTruth truth_;
  ConstMatrixView items_;
  std::vector<std::size_t> at_;  // ascending
  std::vector<RetrievalMeasure> measures_;
};

}  // namespace wordbridge
