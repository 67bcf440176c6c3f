#pragma once
#include <cstdint>
#include <string>

namespace wordbridge {

/// What a reader met in a file: every row that was used, mended or set aside is counted here.
struct ReadSummary {
  std::string path;
  std::string format;       // "fastText text", "word2vec binary", ...
  std::string compression;  // "gzip", "zstd", "xz", "bzip2" or empty
  std::uint64_t rows = 0;   // rows that became words
  std::uint64_t dimension = 0;
  std::uint64_t space = 0;  // the common space (mapping/space_identity.h) that the file says it is in; 0: it does not

  // Harmless dirt.
  std::uint64_t duplicates = 0;    // rows whose word came before: the first one counts
  std::uint64_t empty_words = 0;   // rows without a word: set aside
  std::uint64_t invalid_utf8 = 0;  // words kept as their bytes
  std::uint64_t spaced_words = 0;  // words that contain blanks (U+0020, U+00A0, U+3000)
  std::uint64_t zero_rows = 0;     // kept; they take part in nothing
  std::uint64_t blank_lines = 0;   // lines with nothing on them: passed over
  bool no_header = false;          // a text file without the `count dimension` line
  bool byte_order_mark = false;
  bool carriage_returns = false;
  std::uint64_t header_rows = 0;  // rows that the header promised; 0 without header
  bool stopped_early = false;     // max_words was reached; what follows was not read
  // Damage that --lenient skipped.
  std::uint64_t skipped_rows = 0;
  std::string first_skipped;  // the error that the first of them would have been

  /// True where anything but plain rows was met.
  bool dirty() const;
  /// One line for people: `wiki.es.vec: 200000 words x 300 (fastText text, gzip); 3 duplicates set aside, ...`.
  std::string to_line() const;
};

}  // namespace wordbridge
