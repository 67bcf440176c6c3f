#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/neighbor_search.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// The k nearest source words of those targets whose r_s was computed here.
class NearestSources {
 public:
  explicit NearestSources(std::size_t targets) : begin_(targets), count_(targets) {}

  /// Takes the place of what was known of the target.
  void add(WordId target, std::span<const WordId> nearest);
  /// None of a target that was not added.
  std::span<const WordId> of(WordId target) const { return std::span(words_).subspan(begin_[target], count_[target]); }

 private:
  std::vector<WordId> words_;
  std::vector<std::uint32_t> begin_, count_;  // of each target
};

/// For each query the source words nearest to the targets near it, as far as these are known: those of most targets
/// first, then those of the nearest. Where that are fewer than k, the words `near` the query.
std::vector<std::vector<WordId>> source_pools(const Neighbors& targets, const NearestSources& known,
                                              const std::vector<std::vector<WordId>>& near, std::size_t k);

}  // namespace wordbridge
