#pragma once
#include <cstdint>
#include <string>

#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

/// The rows that head_digest() looks at.
inline constexpr std::size_t kHeadRows = 100;

/// A digest of the first words and vectors of a table, as they are in its file; the same however many words are read
/// (100 at least). Never 0.
std::uint64_t head_digest(const WordVectors& vectors);

/// Which space a mapping leads to: equal for two mappings whose mapped vectors can be compared. Where the target side
/// stays where it is, that is its space after its normalization: mappings of several languages to the same target share
/// it. Where both sides move, the space is the mapping's own. 0 where the mapping does not know its vectors.
std::uint64_t space_identity(const Mapping& mapping);

/// For people and files: 16 hexadecimal digits.
std::string space_name(std::uint64_t identity);
/// The inverse; 0 for anything else.
std::uint64_t parse_space_name(const std::string& name);

/// UsageError with reason and remedy where two files say that they are in different spaces; where one of them says
/// nothing, nobody can tell.
void require_one_space(std::string_view first, std::uint64_t first_space, std::string_view second,
                       std::uint64_t second_space);

}  // namespace wordbridge
