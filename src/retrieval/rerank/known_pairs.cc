#include "retrieval/rerank/known_pairs.h"

#include <algorithm>
#include <tuple>

namespace wordbridge {

KnownPairs::KnownPairs(const Lexicon& lexicon, std::size_t targets) : counts_(targets) {
  std::vector<Lexicon::Pair> pairs(lexicon.pairs().begin(), lexicon.pairs().end());
  std::ranges::sort(pairs, {}, [](const Lexicon::Pair& pair) { return std::tuple(pair.source, pair.target); });
  for (const Lexicon::Pair& pair : pairs) {
    if (words_.empty() || words_.back() != pair.source) {
      words_.push_back(pair.source);
      starts_.push_back(starts_.back());
    }
    targets_.push_back(pair.target);
    ++starts_.back();
    ++counts_[pair.target];
  }
}

std::size_t KnownPairs::others_with(WordId target, std::optional<WordId> word) const {
  std::size_t count = counts_[target];
  if (!word || count == 0) return count;
  const auto found = std::ranges::lower_bound(words_, *word);
  if (found == words_.end() || *found != *word) return count;
  const auto own = targets_of(static_cast<std::size_t>(found - words_.begin()));
  return count - (std::ranges::binary_search(own, target) ? 1 : 0);
}

}  // namespace wordbridge
