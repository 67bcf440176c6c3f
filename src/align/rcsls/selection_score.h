#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "align/held_out_translations.h"
#include "retrieval/csls/lazy_csls.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

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
  /// Words whose precision at 1, in percent, the score is; 0 where it is something else.
  virtual std::size_t words() const { return 0; }
};

/// Precision at 1 by CSLS, in percent of the validation lexicon's source words, over the whole tables.
class ValidationScore : public SelectionScore {
 public:
  /// The tables (normalized) must outlive this. UsageError for an empty lexicon.
  ValidationScore(ConstMatrixView source, ConstMatrixView target, const Lexicon& validation, std::size_t k);

  std::string name() const override;
  double score(ConstMatrixViewD w) const override;
  std::size_t words() const override { return words_.size(); }
  /// Of each word, 1 where its best translation is right.
  std::vector<std::uint8_t> outcome(ConstMatrixViewD w) const;

 private:
  ConstMatrixView source_;
  HeldOutTranslations words_;
  mutable MovingCsls csls_;  // remembers what no score depends on
};

}  // namespace wordbridge
