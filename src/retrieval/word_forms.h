#pragma once
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "lexicon/spelling.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

struct WordFormOptions {
  std::size_t words = 20'000;      // most frequent ones that endings are learned from
  double least_pairs = 15;         // of them that show a pair of endings, if there are so many words; fewer of fewer
  double least_mean = 0.28;        // mean cosine of these pairs
  double least_cosine = 0.35;      // of two words to be forms of one
  std::size_t longest_ending = 3;  // letters
  std::size_t shortest_stem = 3;
};

/// Which words of a language are forms of one word: banque and banques, léger and légère. Two endings go together where
/// many pairs of words that are alike but for them have near vectors ("" and "s", "ado" and "o"). Case and accents do
/// not count.
class WordForms {
 public:
  WordForms(const CommonSpace& space, Side side, const WordFormOptions& options = {});
  /// Learned once for a space.
  static std::shared_ptr<const WordForms> of(const CommonSpace& space, Side side);

  /// A word is a form of itself.
  bool are_of_one_word(WordId a, WordId b) const;
  /// Whether two endings go together, in any order: for tests and explanations.
  bool go_together(const std::u32string& one, const std::u32string& other) const;

 private:
  struct Pairs {
    double count = 0, cosines = 0;
  };
  using Endings = std::pair<std::u32string, std::u32string>;  // sorted

  ConstMatrixView rows_;
  SpellingTable spellings_;
  WordFormOptions options_;
  std::map<Endings, Pairs> endings_;  // those that go together
};

}  // namespace wordbridge
