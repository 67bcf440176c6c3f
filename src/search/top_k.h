#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "search/kernels/kernel_choice.h"

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

/// The k largest of an array of values, by selection instead of a heap; k <= values.size(). Keeps its memory from one
/// call to the next.
class TopKValues {
 public:
  explicit TopKValues(std::size_t k) : k_(k) {}

  void select(std::span<const float> values) {
    selected_.resize(values.size());
    passed_.resize(values.size());
    const float limit = lower_bound_of_kth(values);
    const std::size_t count = kernels().score->select_not_below(values.data(), values.size(), limit, passed_.data());
    for (std::size_t i = 0; i < count; ++i) selected_[i] = values[passed_[i]];
    std::nth_element(selected_.begin(), selected_.begin() + static_cast<std::ptrdiff_t>(k_ - 1),
                     selected_.begin() + static_cast<std::ptrdiff_t>(count), std::greater<>());
  }
  double mean() const {
    return std::accumulate(selected_.begin(), selected_.begin() + static_cast<std::ptrdiff_t>(k_), 0.0) /
           static_cast<double>(k_);
  }
  float kth() const { return selected_[k_ - 1]; }

 private:
  /// The k-th largest of the maxima of groups: k values reach it, and most others fall short of it.
  float lower_bound_of_kth(std::span<const float> values) {
    constexpr std::size_t kGroups = 32;
    if (k_ > kGroups || values.size() < 2 * kGroups) return -std::numeric_limits<float>::infinity();
    float maxima[kGroups];
    std::copy_n(values.data(), kGroups, maxima);
    for (std::size_t begin = kGroups; begin + kGroups <= values.size(); begin += kGroups)
      for (std::size_t j = 0; j < kGroups; ++j) maxima[j] = std::max(maxima[j], values[begin + j]);
    std::nth_element(maxima, maxima + k_ - 1, maxima + kGroups, std::greater<>());
    return maxima[k_ - 1];
  }

  std::size_t k_;
  std::vector<float> selected_;  // after select() the first k are the largest, and of these the last is the smallest
  std::vector<std::uint32_t> passed_;
};

}  // namespace wordbridge
