#pragma once
#include <string>
#include <string_view>

namespace wordbridge {

/// How the letters of a word are cased. Letters without case (Han, Arabic, Hindi) count as letters, not as cased ones.
enum class LetterCase {
  lower,       // "house", "l'été"
  title,       // "House", "I": one capital at the beginning
  upper,       // "NATO": more than one cased letter, all of them capitals
  mixed,       // "McDonald", "iPhone"
  uncased,     // letters, but none that has case
  no_letters,  // "1990", "..."
};

/// The case of a word. Bytes that are not valid UTF-8 are no letters.
LetterCase letter_case(std::string_view word);

/// The word in lower case, by Unicode's simple case mapping and its rule for the final sigma. A word that is not valid
/// UTF-8 comes back as it is.
std::string to_lower(std::string_view word);

/// The first letter in title case, the rest in lower case.
std::string to_title(std::string_view word);

}  // namespace wordbridge
