#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace wordbridge {

/// A row and its score, in the order of every ranking: larger scores first, ties by lower id.
template <typename Score>
struct Scored {
  Score score;
  std::uint32_t id;

  bool better_than(const Scored& other) const { return score > other.score || (score == other.score && id < other.id); }
};

using ScoredRow = Scored<float>;

/// The k best rows of those offered so far, in any order of offering, as a heap. Each id may be offered once.
template <typename Score>
class TopK {
 public:
  using Entry = Scored<Score>;

  explicit TopK(std::size_t k = 0) : k_(k) {}

  /// The k-th best score, which others must reach to enter; minus infinity while there are fewer than k.
  Score threshold() const { return threshold_; }
  std::size_t size() const { return heap_.size(); }

  void offer(Score score, std::uint32_t id) {
    const Entry entry{score, id};
    if (heap_.size() < k_) {
      heap_.push_back(entry);
    } else if (k_ > 0 && entry.better_than(heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.back() = entry;
    } else {
      return;
    }
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() == k_) threshold_ = heap_.front().score;
  }

  /// Best first.
  std::vector<Entry> sorted() const {
    std::vector<Entry> entries = heap_;
    std::sort(entries.begin(), entries.end(), better);
    return entries;
  }
  /// The same without a copy; it is empty afterwards.
  std::vector<Entry> take_sorted() {
    std::sort(heap_.begin(), heap_.end(), better);
    threshold_ = -std::numeric_limits<Score>::infinity();
    return std::move(heap_);
  }

 private:
  static bool better(const Entry& a, const Entry& b) { return a.better_than(b); }

  std::size_t k_;
  std::vector<Entry> heap_;  // its front is the worst
  Score threshold_ = -std::numeric_limits<Score>::infinity();
};

/// The k largest of the values pushed, k >= 1, without ids and in memory of the caller, who has many such heaps: `heap`
/// holds `size` of them so far, the smallest first. True if the k-th largest is known and has changed.
template <typename Value>
bool push_top_k(Value value, std::size_t k, Value* heap, std::uint32_t& size) {
  if (size < k) {
    heap[size++] = value;
    std::push_heap(heap, heap + size, std::greater<>());
    return size == k;
  }
  if (!(value > heap[0])) return false;
  std::size_t hole = 0;
  for (std::size_t child = 1; child < k; child = 2 * hole + 1) {
    if (child + 1 < k && heap[child + 1] < heap[child]) ++child;
    if (!(heap[child] < value)) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = value;
  return true;
}

}  // namespace wordbridge
