#include "retrieval/false_friends.h"

#include <algorithm>
#include <span>
#include <utility>

#include "lexicon/spelling.h"
#include "linalg/rows.h"
#include "search/neighbor_search.h"

namespace wordbridge {

namespace {

struct Pair {
  WordId source, target;
};

/// Pairs of words with vectors that look alike.
std::vector<Pair> look_alikes(const CommonSpace& space, std::size_t first, std::size_t last) {
  const Vocabulary& sources = space.vocabulary(Side::source);
  const LookAlikes targets(space.vocabulary(Side::target), last);
  std::vector<Pair> pairs;
  for (std::size_t i = first; i < std::min(last, sources.size()); ++i) {
    const auto source = static_cast<WordId>(i);
    if (is_zero(space.table(Side::source).row(i))) continue;
    for (const WordId target : targets.find(sources[source]))
      if (target >= first && !is_zero(space.table(Side::target).row(target))) pairs.push_back({source, target});
  }
  return pairs;
}

/// The best translations of the words that are asked for.
class Best {
 public:
  Best(const CommonSpace& space, const FalseFriendOptions& options, Side asking, std::vector<WordId> words)
      : words_(std::move(words)) {
    std::ranges::sort(words_);
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
    const auto criterion = make_criterion(options.criterion, space, options.criterion_options, asking);
    best_ = criterion->best(gather_rows(space.table(asking), words_), options.apart);
  }
  std::span<const WordId> of(WordId word) const {
    return best_.targets_of(static_cast<std::size_t>(std::ranges::lower_bound(words_, word) - words_.begin()));
  }
  /// The best translation of each.
  std::vector<WordId> firsts() const {
    std::vector<WordId> result;
    for (std::size_t i = 0; i < words_.size() && best_.found > 0; ++i) result.push_back(best_.targets_of(i).front());
    return result;
  }

 private:
  std::vector<WordId> words_;
  Candidates best_;
};

bool is_among(WordId word, std::span<const WordId> words) { return std::ranges::find(words, word) != words.end(); }

}  // namespace

std::vector<FalseFriend> find_false_friends(const CommonSpace& space, const FalseFriendOptions& options) {
  const std::size_t end = std::max(space.size(Side::source), space.size(Side::target));
  const std::vector<Pair> pairs =
      look_alikes(space, options.first_word, options.last_word == 0 ? end : options.last_word);
  std::vector<FalseFriend> found;
  if (pairs.empty()) return found;
  std::vector<WordId> sources, targets;
  for (const Pair& pair : pairs) {
    sources.push_back(pair.source);
    targets.push_back(pair.target);
  }
  const Best forth(space, options, Side::source, sources), back(space, options, Side::target, targets);
  const Best forth_again(space, options, Side::source, back.firsts()),
      back_again(space, options, Side::target, forth.firsts());
  const auto cosine = [&](WordId source, WordId target) -> double {
    return exact_score(space.table(Side::source).row(source).data(), space.table(Side::target).row(target).data(),
                       space.dimension());
  };
  for (const Pair& pair : pairs) {
    const std::span<const WordId> there = forth.of(pair.source), here = back.of(pair.target);
    if (there.empty() || here.empty() || is_among(pair.target, there) || is_among(pair.source, here)) continue;
    const bool mutual =
        back_again.of(there.front()).front() == pair.source && forth_again.of(here.front()).front() == pair.target;
    if (mutual)
      found.push_back({pair.source, pair.target, cosine(pair.source, pair.target), there.front(),
                       cosine(pair.source, there.front())});
  }
  return found;
}

}  // namespace wordbridge
