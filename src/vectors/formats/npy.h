#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "wordbridge/formats.h"

namespace wordbridge {

// NumPy's .npy with a table of float16, float32 or float64, and beside it a file with one word a line.

bool looks_like_npy(std::string_view first_bytes);

/// The words come from options.vocabulary_path, or else from the first that exists of x.vocab, x.txt and x.vocab.txt
/// for a table x.npy; another number of words than of rows is damage. A table in Fortran order is mapped where it is a
/// plain file, else held in memory.
std::unique_ptr<VectorSource> open_npy(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// Writes x.npy (float32, C order) and x.vocab; both appear in finish(). write() throws InputError for words that a
/// line cannot hold: empty ones, ones with a line break or with a carriage return at the end.
std::unique_ptr<VectorSink> create_npy(const std::string& path, std::size_t dimension,
                                       std::optional<std::uint64_t> expected_rows);

}  // namespace wordbridge
