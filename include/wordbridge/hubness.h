#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"

namespace [[gnu::visibility("default")]] wordbridge {

struct HubnessOptions {
  std::size_t k = 10;         // how many targets a source word chooses
  std::size_t hubs = 10;      // how many of the largest hubs are named
  std::size_t choosers = 5;   // and how many of the words that choose each
  std::size_t max_words = 0;  // ask only the first so many source words; 0: all
};

/// How unevenly source words choose targets. N_k(y) is the number of source words that have y among their k best; hubs
/// are the targets with a large one, and the skewness of its distribution (Radovanović 2010) measures how much of them
/// there is.
struct Hubness {
  struct Hub {
    WordId target;
    std::size_t occurrences;        // N_k
    std::vector<WordId> chosen_by;  // some source words: those that rank it best, the most frequent first
  };

  std::string criterion;
  std::size_t k = 0;
  std::size_t queries = 0;  // source words that choose
  std::size_t targets = 0;  // target words that can be chosen
  double skewness = 0;      // E[(N_k - m)^3] / s^3 over the targets; 0 where all are chosen equally often
  std::size_t never = 0;    // targets that nobody chooses
  std::vector<Hub> hubs;    // the largest, largest first
  /// How many targets have N_k = 0, 1, 2-3, 4-7, 8-15, ...; up to the largest.
  std::vector<std::size_t> histogram;

  std::size_t largest() const { return hubs.empty() ? 0 : hubs.front().occurrences; }
  double never_percent() const;
};

/// Words without a vector choose nothing and are not chosen. The criterion is one of this space, for the words of the
/// side that asks.
Hubness evaluate_hubness(const Criterion& criterion, const CommonSpace& space, const HubnessOptions& options = {},
                         Side asking = Side::source);

/// E[(x - m)^3] / s^3 with m and s of the values themselves; 0 for values that are all the same.
double skewness_of(std::span<const std::size_t> values);

/// The bin of Hubness::histogram as text: "0", "1", "2-3", "4-7".
std::string histogram_label(std::size_t bin);

}  // namespace wordbridge
