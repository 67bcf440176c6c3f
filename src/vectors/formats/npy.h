#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wordbridge/formats.h"

namespace wordbridge {

bool looks_like_npy(std::string_view first_bytes);

/// Writes a table of numbers (NumPy's .npy in C order, or without a header), little-endian float32 or float16, and
/// x.vocab beside x.npy, unless rows are numbered; both appear in finish(). write() throws InputError for words that a
/// line cannot hold (empty ones, ones with a line break or with a carriage return at the end), for numbers that float16
/// cannot hold, and where row numbers have gaps.
std::unique_ptr<VectorSink> create_number_table(const std::string& path, VectorFormat format, std::size_t dimension,
                                                std::optional<std::uint64_t> expected_rows,
                                                const TableWriting& writing = {});

}  // namespace wordbridge
