#pragma once
#include <string>

#include "vectors/inspection.h"

namespace wordbridge {

/// Some lines for people: what there is, then what looks wrong.
std::string to_text(const Inspection& inspection);

/// One object: words, dimension, norms, letter_cases, cosine, suspicious, first_words, file.
std::string to_json(const Inspection& inspection);

}  // namespace wordbridge
