#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace wordbridge {

/// A candidate for the list of the best: larger scores first, ties by lower id.
struct ScoredRow {
  float score;
  std::uint32_t id;

  bool better_than(const ScoredRow& other) const {
    return score > other.score || (score == other.score && id < other.id);
  }
};

/// The `capacity` best rows offered so far, in any order of offering. Each id may be offered once.
class BestScores {
 public:
  explicit BestScores(std::size_t capacity = 0) : capacity_(capacity) {}

  /// A row with a smaller score than this cannot enter: the worst score of a full list, else minus infinity.
  float threshold() const { return threshold_; }
  std::size_t size() const { return heap_.size(); }

  void offer(ScoredRow row) {
    if (heap_.size() < capacity_) {
      heap_.push_back(row);
      std::push_heap(heap_.begin(), heap_.end(), better);
    } else if (capacity_ > 0 && row.better_than(heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.back() = row;
      std::push_heap(heap_.begin(), heap_.end(), better);
    } else {
      return;
    }
    if (heap_.size() == capacity_) threshold_ = heap_.front().score;
  }

  /// The list, best first; it is empty afterwards.
  std::vector<ScoredRow> take_sorted() {
    std::sort(heap_.begin(), heap_.end(), better);
    threshold_ = -std::numeric_limits<float>::infinity();
    return std::move(heap_);
  }

 private:
  static bool better(const ScoredRow& a, const ScoredRow& b) { return a.better_than(b); }

  std::size_t capacity_;
  std::vector<ScoredRow> heap_;  // its front is the worst
  float threshold_ = -std::numeric_limits<float>::infinity();
};

}  // namespace wordbridge
