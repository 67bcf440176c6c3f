#pragma once
#include <span>
#include <string>
#include <vector>

#include "lexicon/word_lookup.h"
#include "wordbridge/common_space.h"
#include "wordbridge/translate.h"

namespace wordbridge {

/// The `count` words of `among` whose vectors have the largest cosines with those of the words asked for, which are
/// words of `asking`; the words themselves are left out. Words are looked up as in a Translator.
std::vector<Translations> nearest_words(const CommonSpace& space, std::span<const std::string> words, Side among,
                                        std::size_t count, CasePolicy case_policy = CasePolicy::title,
                                        Side asking = Side::source);

}  // namespace wordbridge
