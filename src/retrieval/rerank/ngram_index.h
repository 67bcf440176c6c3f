#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "lexicon/spelling.h"
#include "search/top_k.h"

namespace wordbridge {

/// Spellings compared by their character 2-grams and 3-grams, word ends included ("^a", "ab", "b$", "^ab", ...). A word
/// is the vector of its n-grams, each counted idf times, where idf(g) = log((N + 1) / (df(g) + 1)) over the N words of
/// both vocabularies; its similarity to another word is their cosine. Exact, by an inverted index.
class NgramIndex {
 public:
  /// An n-gram and its share of a word of length 1.
  struct Term {
    std::uint32_t gram;
    double weight;
  };
  /// By ascending n-gram; those that no target has are left out, but counted in the length.
  using Profile = std::vector<Term>;

  /// The targets are found, the sources only counted. The targets must outlive this.
  NgramIndex(const SpellingTable& sources, const SpellingTable& targets);

  Profile profile(std::u32string_view letters) const;
  double cosine(const Profile& profile, WordId target) const;

  /// Finds targets; it has memory of its own, so each thread needs one.
  class Search {
   public:
    explicit Search(const NgramIndex& index) : index_(index), sums_(index.targets()) {}
    /// The `count` nearest targets whose cosine is above `threshold`, best first, ties by lower id.
    std::vector<Scored<double>> nearest(const Profile& profile, std::size_t count, double threshold);

   private:
    const NgramIndex& index_;
    std::vector<float> sums_;  // cosines but for rounding; zero between calls
  };

  std::size_t targets() const { return target_starts_.size() - 1; }

 private:
  struct Posting {
    WordId target;
    float weight;
  };
  std::span<const Posting> postings(std::uint32_t gram) const {
    return std::span(postings_).subspan(gram_starts_[gram], gram_starts_[gram + 1] - gram_starts_[gram]);
  }

  std::unordered_map<std::uint64_t, std::uint32_t> grams_;  // those of the targets
  std::unordered_map<std::uint64_t, double> foreign_idf_;   // those that only sources have
  std::vector<double> idf_;                                 // by n-gram
  double unseen_idf_ = 0;
  std::vector<Term> terms_;  // of all targets
  std::vector<std::size_t> target_starts_;
  std::vector<Posting> postings_;  // of all n-grams, by ascending target
  std::vector<std::size_t> gram_starts_;
};

}  // namespace wordbridge
