#include "wordbridge/vocabulary.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

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

/// The slot that holds the word, or the free one where it would go.
std::size_t Vocabulary::slot_of(std::string_view word, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    const Slot& candidate = slots_[slot];
    if (candidate.id == kEmpty || (candidate.tag == tag_of(hash) && (*this)[candidate.id] == word)) return slot;
  }
}

std::optional<WordId> Vocabulary::find(std::string_view word) const {
  if (slots_.empty()) return std::nullopt;
  const WordId id = slots_[slot_of(word, hash_of(word))].id;
  return id == kEmpty ? std::nullopt : std::optional(id);
}

bool Vocabulary::add(std::string_view word) {
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
  offsets_.reserve(words + 1);
  const std::size_t slots = std::bit_ceil(words * 3 / 2 + 16);
  if (slots > slots_.size()) rebuild(slots);
}

void Vocabulary::truncate(std::size_t words) {
  if (words >= size()) return;
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
