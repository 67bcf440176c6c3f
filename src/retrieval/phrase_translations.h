#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/common_space.h"
#include "wordbridge/translate.h"

namespace wordbridge {

// Phrases that the vectors do not have: what can be made of their words.

/// The words of a phrase, as a side of the space has them; empty for what is no phrase, and where a word is missing or
/// has no vector.
std::vector<WordId> composing_words(const CommonSpace& space, Side side, std::string_view phrase, CasePolicy policy);

/// The unit vector of the sum of theirs; zero where they cancel each other out.
std::vector<float> composed_vector(const CommonSpace& space, Side side, const std::vector<WordId>& words);

constexpr std::size_t kChoicesOfWord = 3;  // translations of each word that are tried

/// Phrases made of translations of the words, best first: those that the vocabulary has (joined in any way, in any
/// order of the words), by the ranks of the words' translations in all, then word for word, of the best ones.
std::vector<Translations::Candidate> composed_candidates(const std::vector<Translations>& words,
                                                         const Vocabulary& vocabulary);

}  // namespace wordbridge
