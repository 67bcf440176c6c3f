#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/binary_reader.h"
#include "vectors/formats/number_table.h"
#include "wordbridge/formats.h"

namespace wordbridge {

/// Takes the header of a NumPy .npy file (format versions 1 to 3) from the reader. InputError for damage, and for
/// arrays that are no such table, saying what they are. data_bytes() does not overflow.
NumberTable read_npy_header(BinaryReader& reader);

/// A version 1 header for the table, little-endian and in C order: 192 bytes whatever the numbers, so that it can be
/// overwritten. The digest stands in the blanks that fill it up, where no reader of .npy files minds it: 72 blanks at
/// the end are bits, a tab for 1 and a space for 0, the highest first; 8 of a mark (hexadecimal 57; 58 for a table
/// without a list of words), 64 of the digest.
std::string make_npy_header(const NumberTable& table);
inline constexpr std::size_t kNpyHeaderBytes = 192;

bool looks_like_npy(std::string_view first_bytes);

/// Writes a table of numbers (NumPy's .npy in C order, or without a header), little-endian float32 or float16, and
/// x.vocab beside x.npy, unless rows are numbered; both appear in finish(). write() throws InputError for words that a
/// line cannot hold (empty ones, ones with a line break or with a carriage return at the end), for numbers that float16
/// cannot hold, and where row numbers have gaps.
std::unique_ptr<VectorSink> create_number_table(const std::string& path, VectorFormat format, std::size_t dimension,
                                                std::optional<std::uint64_t> expected_rows,
                                                const TableWriting& writing = {});

}  // namespace wordbridge
