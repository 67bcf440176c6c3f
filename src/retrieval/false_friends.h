#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "wordbridge/criterion.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

struct FalseFriendOptions {
  std::string criterion = "csls";
  CriterionOptions criterion_options = {};
  std::size_t apart = 10;      // not among so many best translations: the vectors are apart
  std::size_t first_word = 0;  // only words with rank in [first_word, last_word) of each language
  std::size_t last_word = 0;   // 0: to the end
};

/// Two words that look alike (lexicon/spelling.h) and are no translations of each other.
struct FalseFriend {
  WordId source;
  WordId target;
  double cosine;
  WordId best;  // what the source word does translate to
  double best_cosine;
};

/// By source word, then by target word. A pair counts where neither word is among the best translations of the other,
/// and each has a translation that it is the best translation of in turn: words of the other language, which are found
/// in texts of every language, have none.
std::vector<FalseFriend> find_false_friends(const CommonSpace& space, const FalseFriendOptions& options = {});

}  // namespace wordbridge
