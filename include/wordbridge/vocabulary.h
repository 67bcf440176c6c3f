#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] wordbridge {

/// A word's row in its table, which is also its frequency rank in the usual files.
using WordId = std::uint32_t;

/// Distinct words, numbered in the order of their coming. The bytes of all words stand in one block.
class Vocabulary {
 public:
  Vocabulary() = default;
  explicit Vocabulary(std::span<const std::string> words);

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }  // empty: moved from
  std::string_view operator[](std::size_t id) const {
    return {bytes_.data() + offsets_[id], static_cast<std::size_t>(offsets_[id + 1] - offsets_[id])};
  }
  std::optional<WordId> find(std::string_view word) const;
  bool contains(std::string_view word) const { return find(word).has_value(); }

  /// Adds the word at the end, unless it is there already: then nothing changes and the answer is false.
  bool add(std::string_view word);
  void reserve(std::size_t words);
  /// Keeps the first `words` words.
  void truncate(std::size_t words);

  friend bool operator==(const Vocabulary& a, const Vocabulary& b) {
    return a.bytes_ == b.bytes_ && a.offsets_ == b.offsets_;
  }

 private:
  /// Part of the word's hash beside its id: words that differ are told apart without touching their bytes.
  struct Slot {
    WordId id;
    std::uint32_t tag;
  };

  std::size_t slot_of(std::string_view word, std::uint64_t hash) const;
  void rebuild(std::size_t slots);

  std::string bytes_;
  std::vector<std::uint64_t> offsets_ = {0};
  std::vector<Slot> slots_;  // open addressing, a power of two, at most 2/3 full; id kEmpty where free
};

}  // namespace wordbridge
