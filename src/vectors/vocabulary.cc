#include "wordbridge/vocabulary.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <utility>

#include "base/checksum.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {
constexpr WordId kEmpty = std::numeric_limits<WordId>::max();

std::uint64_t hash_of(std::string_view word) { return xxh3(word.data(), word.size()); }
// The low bits of the hash choose the slot, the high ones are the tag.
std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }
}  // namespace

Vocabulary::Vocabulary(std::span<const std::string> words) {
  reserve(words.size());
  for (const std::string& word : words) add(word);
}

std::optional<Vocabulary> Vocabulary::view(Parts parts) {
  const std::size_t words = parts.offsets.empty() ? kEmpty : parts.offsets.size() - 1;
  if (words >= kEmpty || !std::has_single_bit(parts.slots.size()) || parts.offsets.front() != 0 ||
      parts.offsets.back() != parts.bytes.size() || !std::ranges::is_sorted(parts.offsets))
    return std::nullopt;
  std::size_t taken = 0;
  for (const Slot& slot : parts.slots) {
    if (slot.id != kEmpty && slot.id >= words) return std::nullopt;
    taken += slot.id != kEmpty;
  }
  if (taken != words || taken == parts.slots.size())
    return std::nullopt;  // whoever looks for a word ends at a free one
  Vocabulary result;
  result.parts_ = std::move(parts);
  return result;
}

Vocabulary::Parts Vocabulary::parts() const { return parts_ ? *parts_ : Parts{bytes_, offsets_, slots_}; }

bool operator==(const Vocabulary& a, const Vocabulary& b) {
  const Vocabulary::Parts of_a = a.parts(), of_b = b.parts();
  return std::ranges::equal(of_a.bytes, of_b.bytes) && std::ranges::equal(of_a.offsets, of_b.offsets);
}

/// Copies them, so that words can be added.
void Vocabulary::take_parts() {
  if (!parts_) return;
  const Parts parts = *std::exchange(parts_, std::nullopt);
  bytes_.assign(parts.bytes.begin(), parts.bytes.end());
  offsets_.assign(parts.offsets.begin(), parts.offsets.end());
  slots_.assign(parts.slots.begin(), parts.slots.end());
}

/// The slot that holds the word, or the free one where it would go.
std::size_t Vocabulary::slot_of(std::string_view word, std::uint64_t hash) const {
  const std::span<const Slot> slots = parts_ ? parts_->slots : std::span(slots_);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Slot& candidate = slots[slot];
    if (candidate.id == kEmpty || (candidate.tag == tag_of(hash) && (*this)[candidate.id] == word)) return slot;
  }
}

std::optional<WordId> Vocabulary::find(std::string_view word) const {
  const std::span<const Slot> slots = parts_ ? parts_->slots : std::span(slots_);
  if (slots.empty()) return std::nullopt;
  const WordId id = slots[slot_of(word, hash_of(word))].id;
  return id == kEmpty ? std::nullopt : std::optional(id);
}

bool Vocabulary::add(std::string_view word) {
  take_parts();
  if ((size() + 1) * 3 > slots_.size() * 2) rebuild(std::max<std::size_t>(16, slots_.size() * 2));
  const std::uint64_t hash = hash_of(word);
  Slot& slot = slots_[slot_of(word, hash)];
  if (slot.id != kEmpty) return false;
  if (size() + 1 >= kEmpty) throw Error("a vocabulary holds at most " + std::to_string(kEmpty - 1) + " words");
  const auto id = static_cast<WordId>(size());
  bytes_.append(word);
  offsets_.push_back(bytes_.size());
  slot = {id, tag_of(hash)};
  return true;
}

void Vocabulary::reserve(std::size_t words) {
  take_parts();
  offsets_.reserve(words + 1);
  const std::size_t slots = std::bit_ceil(words * 3 / 2 + 16);
  if (slots > slots_.size()) rebuild(slots);
}

void Vocabulary::truncate(std::size_t words) {
  if (words >= size()) return;
  take_parts();
  offsets_.resize(words + 1);
  bytes_.resize(offsets_.back());
  rebuild(slots_.size());
}

void Vocabulary::rebuild(std::size_t slots) {
  assert(std::has_single_bit(slots));
  slots_.assign(slots, {kEmpty, 0});
  for (std::size_t id = 0; id < size(); ++id) {
    const std::uint64_t hash = hash_of((*this)[id]);
    slots_[slot_of((*this)[id], hash)] = {static_cast<WordId>(id), tag_of(hash)};
  }
}

}  // namespace wordbridge
