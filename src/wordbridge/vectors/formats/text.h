#pragma once
#include <memory>
#include <optional>

#include "wordbridge/vectors/formats/byte_stream.h"
#include "wordbridge/vectors/vector_stream.h"

namespace wordbridge {

// Text vectors: one row a line, the word, then its numbers, all separated by blanks (spaces or tabs). fastText and
// word2vec begin with a line `count dimension`, GloVe does not. A word may contain blanks: the last `dimension` fields
// are the numbers. docs/file-formats.md says what is harmless dirt and what is damage.

/// Any stream that is not known as something else; damage shows when it is read. The dimension is that of the header,
/// or of the first rows.
std::unique_ptr<VectorSource> open_text(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// With a header; numbers are written with as many digits as give back the same float. Compressed by extension. write()
/// throws InputError for a word that is empty or holds a line break, which would come back as something else.
std::unique_ptr<VectorSink> create_text(const std::string& path, std::size_t dimension,
                                        std::optional<std::uint64_t> expected_rows);

}  // namespace wordbridge
