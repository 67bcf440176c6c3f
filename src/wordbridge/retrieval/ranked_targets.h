#pragma once
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "wordbridge/retrieval/criterion.h"

namespace wordbridge {

/// Ranking is cut into tasks of so many queries.
inline constexpr std::size_t kQueriesOfTask = 64;

/// The `capacity` best targets offered so far: larger scores first, ties by lower id. Each id may be offered once.
class RankedTargets {
 public:
  struct Entry {
    double score;
    WordId id;
    friend bool operator<(const Entry& a, const Entry& b) {
      return a.score > b.score || (a.score == b.score && a.id < b.id);
    }
  };

  explicit RankedTargets(std::size_t capacity = 0) : capacity_(capacity) {}

  /// A target with a smaller score than this cannot enter: the worst score of a full list, else minus infinity.
  double threshold() const {
    return capacity_ > 0 && heap_.size() == capacity_ ? heap_.front().score : -std::numeric_limits<double>::infinity();
  }
  void offer(double score, WordId id) {
    const Entry entry{score, id};
    if (heap_.size() < capacity_) {
      heap_.push_back(entry);
    } else if (capacity_ > 0 && entry < heap_.front()) {
      std::pop_heap(heap_.begin(), heap_.end());
      heap_.back() = entry;
    } else {
      return;
    }
    std::push_heap(heap_.begin(), heap_.end());
  }
  std::size_t size() const { return heap_.size(); }

  /// The list, best first.
  std::vector<Entry> sorted() const {
    std::vector<Entry> entries = heap_;
    std::sort(entries.begin(), entries.end());
    return entries;
  }

 private:
  std::size_t capacity_;
  std::vector<Entry> heap_;  // its front is the worst
};

/// The lists of all queries, `found` targets in each.
inline Candidates to_candidates(std::span<const RankedTargets> lists, std::size_t found) {
  Candidates candidates;
  candidates.queries = lists.size();
  candidates.found = found;
  candidates.targets.reserve(lists.size() * found);
  candidates.scores.reserve(lists.size() * found);
  for (const RankedTargets& list : lists) {
    assert(list.size() == found);
    for (const RankedTargets::Entry& entry : list.sorted()) {
      candidates.targets.push_back(entry.id);
      candidates.scores.push_back(entry.score);
    }
  }
  return candidates;
}

}  // namespace wordbridge
