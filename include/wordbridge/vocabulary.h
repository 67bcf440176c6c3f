#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
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

  /// Part of the word's hash beside its id: words that differ are told apart without touching their bytes.
  struct Slot {
    WordId id;
    std::uint32_t tag;
  };
  /// What it is made of, as it lies in memory and in prepared spaces (docs/file-formats.md).
  struct Parts {
    std::span<const char> bytes;             // of all words
    std::span<const std::uint64_t> offsets;  // where each word begins, and where the last one ends
    std::span<const Slot> slots;             // open addressing, a power of two
    std::shared_ptr<const void> owner = {};  // of all these; nullptr: they stay as long as the vocabulary
  };
  /// The words where they lie, without a copy; nothing where the parts do not fit together.
  static std::optional<Vocabulary> view(Parts parts);
  /// Of this one; they stay as long as nothing is added.
  Parts parts() const;

  std::size_t size() const {
    if (parts_) return parts_->offsets.size() - 1;
    return offsets_.empty() ? 0 : offsets_.size() - 1;  // empty: moved from
  }
  std::string_view operator[](std::size_t id) const {
    const char* bytes = parts_ ? parts_->bytes.data() : bytes_.data();
    const std::uint64_t* offsets = parts_ ? parts_->offsets.data() : offsets_.data();
    return {bytes + offsets[id], static_cast<std::size_t>(offsets[id + 1] - offsets[id])};
  }
  std::optional<WordId> find(std::string_view word) const;
  bool contains(std::string_view word) const { return find(word).has_value(); }

  /// Adds the word at the end, unless it is there already: then nothing changes and the answer is false.
  bool add(std::string_view word);
  void reserve(std::size_t words);
  /// Keeps the first `words` words.
  void truncate(std::size_t words);

  friend bool operator==(const Vocabulary& a, const Vocabulary& b);

 private:
  std::size_t slot_of(std::string_view word, std::uint64_t hash) const;
  void rebuild(std::size_t slots);
  void take_parts();

  std::string bytes_;
  std::vector<std::uint64_t> offsets_ = {0};
  std::vector<Slot> slots_;     // open addressing, a power of two, at most 2/3 full; id kEmpty where free
  std::optional<Parts> parts_;  // in the place of all of them
};

}  // namespace wordbridge
