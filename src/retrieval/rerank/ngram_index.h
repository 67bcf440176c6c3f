#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
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

  /// What it is made of, as it lies in memory and in prepared spaces. A weight is times idf, divided by the length of
  /// its word.
  struct Parts {
    std::span<const std::uint64_t> grams = {};  // keys of those of the targets, ascending: their place is the number
    std::span<const double> idf = {};           // of these
    std::span<const std::uint64_t> foreign_grams = {};  // those that only sources have, ascending
    std::span<const double> foreign_idf = {};
    double unseen_idf = 0;
    std::span<const double> scales = {};              // of each target: 1 / its length
    std::span<const std::uint64_t> term_starts = {};  // of each target, and the end
    std::span<const std::uint32_t> term_grams = {};   // the n-grams of all targets, ascending for each
    std::span<const std::uint16_t> term_times = {};
    std::span<const std::uint64_t> posting_starts = {};  // of each n-gram, and the end
    std::span<const WordId> posting_targets = {};        // by ascending target
    std::span<const float> posting_weights = {};
    std::shared_ptr<const void> owner = nullptr;
  };

  /// The targets are found, the sources only counted.
  NgramIndex(const SpellingTable& sources, const SpellingTable& targets);
  explicit NgramIndex(Parts parts) : parts_(std::move(parts)) {}
  const Parts& parts() const { return parts_; }
  /// Whether nothing that is not there can be read.
  static bool fits(const Parts& parts);

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

  std::size_t targets() const { return parts_.scales.size(); }

 private:
  Parts parts_;
};

}  // namespace wordbridge
