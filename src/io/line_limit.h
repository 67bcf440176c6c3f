#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "wordbridge/error.h"

namespace wordbridge {

/// The longest line of any text that is read (vectors, lexicons, lists of words, test sets, matrices, words on standard
/// input): a row of the most dimensions fits, and a small compressed file that is one endless line is noticed before it
/// fills the memory.
inline constexpr std::size_t kMostLineBytes = std::size_t{64} << 20;

/// The error for a longer one; `kind` is what the file should be: "a lexicon". Line 0: not known.
InputError line_too_long(std::string path, std::uint64_t line, std::string_view kind);

}  // namespace wordbridge
