#pragma once
#include <memory>
#include <optional>
#include <string>

#include "io/byte_stream.h"
#include "wordbridge/formats.h"

namespace wordbridge {

// Text vectors: one row a line, the word, then its numbers, all separated by blanks (spaces or tabs). fastText and
// word2vec begin with a line `count dimension`, GloVe does not. A word may contain blanks: the last `dimension` fields
// are the numbers. docs/file-formats.md says what is harmless dirt and what is damage.

/// Any stream that is not known as something else. InputError where it does not begin like text vectors; damage behind
/// shows when it is read.
std::unique_ptr<VectorSource> open_text(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// The whole table at once, parsed on all cores straight from the stream; duplicates are set aside. Needs no more
/// memory than the table and a few blocks of text.
WordVectors read_text(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// With a header; numbers are written with as many digits as give back the same float. Compressed by extension. write()
/// throws InputError for a word that would not come back from its row: empty, with a line break inside, with a blank at
/// its beginning or end, or `x 0.5`, whose end reads like a number of the row. The header's count is mended where other
/// rows came than were expected.
std::unique_ptr<VectorSink> create_text(const std::string& path, std::size_t dimension,
                                        std::optional<std::uint64_t> expected_rows);

}  // namespace wordbridge
