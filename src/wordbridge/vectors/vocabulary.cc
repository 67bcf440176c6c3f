#include "wordbridge/vectors/vocabulary.h"

#include <bit>
#include <cassert>
#include <limits>

#include "wordbridge/base/checksum.h"
#include "wordbridge/base/error.h"

namespace wordbridge {

namespace {
constexpr WordId kEmpty = std::numeric_limits<WordId>::max();
}

Vocabulary::Vocabulary(std::span<const std::string> words) {
  reserve(words.size());
  for (const std::string& word : words) add(word);
}

/// The slot that holds the word, or the free one where it would go.
std::size_t Vocabulary::slot_of(std::string_view word) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = xxh3(word.data(), word.size()) & mask;
  while (slots_[slot] != kEmpty && (*this)[slots_[slot]] != word) slot = (slot + 1) & mask;
  return slot;
}

std::optional<WordId> Vocabulary::find(std::string_view word) const {
  if (slots_.empty()) return std::nullopt;
  const WordId id = slots_[slot_of(word)];
  return id == kEmpty ? std::nullopt : std::optional(id);
}

bool Vocabulary::add(std::string_view word) {
  if ((size() + 1) * 3 > slots_.size() * 2) rebuild(std::max<std::size_t>(16, slots_.size() * 2));
  const std::size_t slot = slot_of(word);
  if (slots_[slot] != kEmpty) return false;
  if (size() + 1 >= kEmpty) throw Error("a vocabulary holds at most " + std::to_string(kEmpty - 1) + " words");
  slots_[slot] = static_cast<WordId>(size());
  bytes_.append(word);
  offsets_.push_back(bytes_.size());
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
  slots_.assign(slots, kEmpty);
  for (std::size_t id = 0; id < size(); ++id) slots_[slot_of((*this)[id])] = static_cast<WordId>(id);
}

}  // namespace wordbridge
