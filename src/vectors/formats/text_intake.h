#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "io/byte_stream.h"
#include "io/lines.h"
#include "vectors/formats/text_lines.h"
#include "vectors/formats/text_start.h"
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

}  // namespace wordbridge
