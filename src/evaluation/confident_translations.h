#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "wordbridge/word_translation.h"

namespace wordbridge {

/// A translation that a mapping was sure of.
struct ConfidentTranslation {
  std::string word, translation;
  double score = 0;
  std::vector<std::string> gold;  // what is right
};

/// The covered words whose best candidates have the highest scores, of those that are right or of those that are wrong.
std::vector<ConfidentTranslation> confident_translations(const WordTranslation& result, bool right, std::size_t count);

}  // namespace wordbridge
