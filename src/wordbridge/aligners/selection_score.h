#pragma once
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "wordbridge/lexicon/lexicon.h"
#include "wordbridge/linalg/matrix.h"
#include "wordbridge/space/unit_rows.h"

namespace wordbridge {

/// How good a map is, as far as can be told without the words that it is meant for. Larger is better.
class SelectionScore {
 public:
  SelectionScore() = default;
  SelectionScore(const SelectionScore&) = delete;
  SelectionScore& operator=(const SelectionScore&) = delete;
  virtual ~SelectionScore() = default;
  /// For people: "P@1 by CSLS of 493 validation words".
  virtual std::string name() const = 0;
  /// W is d_t x d_s.
  virtual double score(ConstMatrixViewD w) const = 0;
};

/// Precision at 1 by CSLS, in percent of the validation lexicon's source words, over the whole tables.
class ValidationScore : public SelectionScore {
 public:
  /// The tables (normalized) must outlive this. UsageError for an empty lexicon.
  ValidationScore(ConstMatrixView source, ConstMatrixView target, const Lexicon& validation, std::size_t k);

  std::string name() const override;
  double score(ConstMatrixViewD w) const override;
  std::size_t words() const { return words_.size(); }

 private:
  ConstMatrixView source_;
  UnitRows target_;
  std::vector<WordId> words_;                      // source words, ascending
  std::vector<std::vector<WordId>> translations_;  // of each, ascending
  std::size_t k_;
};

/// How well the most frequent words of both languages find each other: the mean CSLS of the pairs that are each other's
/// best, times the share of the words that stand in such a pair. No lexicon is needed.
class MutualScore : public SelectionScore {
 public:
  /// The tables (normalized) must outlive this; their first `words` rows are used.
  MutualScore(ConstMatrixView source, ConstMatrixView target, std::size_t words, std::size_t k);

  std::string name() const override;
  double score(ConstMatrixViewD w) const override;

  struct Pairs {
    std::size_t count = 0;
    double mean_csls = 0;
  };
  /// The mutual best pairs under W.
  Pairs pairs(ConstMatrixViewD w) const;

 private:
  ConstMatrixView source_;
  UnitRows target_;
  std::size_t k_;
};

}  // namespace wordbridge
