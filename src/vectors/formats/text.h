#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/lines.h"
#include "vectors/formats/text_rows.h"
#include "wordbridge/formats.h"

namespace wordbridge {

/// Takes up the lines of a text file in order: counts, numbers the lines, and finds the first damage, wherever and in
/// whatever order they were parsed.
class TextIntake {
 public:
  TextIntake(const ReadOptions& options, const ByteStream& stream) : options_(options), stream_(stream) {}

  /// The file's first block: takes its header off. InputError where it does not begin like text vectors.
  void begin(LineBlock& block);

  /// Called with each row; false where its word came before.
  using Keep = std::function<bool(std::string_view word, std::span<const float> values)>;
  /// The next block of the file. Throws InputError for damage, except where that may be skipped.
  void take(const LineBlock& block, const TextLines& lines, const Keep& keep);
  /// To be called at the end of the file: InputError where there was nothing to read.
  void end() const;

  /// True once max_words words were kept; nothing is to be taken any more.
  bool full() const { return options_.max_words != 0 && summary_.rows >= options_.max_words; }
  const TextStart& start() const { return start_; }
  const ReadSummary& summary() const { return summary_; }

 private:
  void check_header(std::uint64_t line);
  void take_row(const TextLines::Line& line, std::span<const float> values, const Keep& keep);
  void damaged(const std::string& reason, std::uint64_t rows = 1);
  std::string cut_reason(std::string_view text) const;

  ReadOptions options_;
  const ByteStream& stream_;
  TextStart start_;
  ReadSummary summary_;
  std::uint64_t line_ = 0;  // lines taken so far
};

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
