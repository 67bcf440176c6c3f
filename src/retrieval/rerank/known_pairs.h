#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "wordbridge/lexicon.h"

namespace wordbridge {

/// The pairs of a lexicon by source word.
class KnownPairs {
 public:
  /// `targets`: size of the target vocabulary.
  KnownPairs(const Lexicon& lexicon, std::size_t targets);

  /// Distinct source words, ascending.
  std::span<const WordId> words() const { return words_; }
  /// The targets of words()[place], ascending.
  std::span<const WordId> targets_of(std::size_t place) const {
    return std::span(targets_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }
  /// How many words other than this one have the target.
  std::size_t others_with(WordId target, std::optional<WordId> word) const;

 private:
  std::vector<WordId> words_, targets_;
  std::vector<std::size_t> starts_ = {0};
  std::vector<std::uint32_t> counts_;  // of words, by target
};

}  // namespace wordbridge
