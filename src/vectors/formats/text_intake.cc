#include "vectors/formats/text_intake.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "io/binary_reader.h"
#include "vectors/formats/text_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

void TextIntake::begin(LineBlock& block) {
  summary_.path = stream_.path();
  summary_.compression = stream_.compression();
  if (block.text.empty() && block.failure != nullptr) std::rethrow_exception(block.failure);
  if (block.text.empty() && !block.damage.empty()) throw InputError(summary_.path, 1, block.damage);
  start_ = recognize_text_start(summary_.path, block.text);
  const std::string_view skipped = block.text.substr(0, start_.bytes);
  line_ = static_cast<std::uint64_t>(std::ranges::count(skipped, '\n'));
  block.text.remove_prefix(start_.bytes);
  summary_.format = start_.header ? "fastText text" : "GloVe text";
  summary_.no_header = !start_.header;
  summary_.byte_order_mark = start_.byte_order_mark;
  summary_.carriage_returns = skipped.find('\r') != std::string_view::npos;
  summary_.dimension = start_.dimension;
  if (start_.header) {
    summary_.header_rows = start_.header->rows;
    summary_.blank_lines = line_ > 0 ? line_ - 1 : 0;
    check_header(std::max<std::uint64_t>(line_, 1));
  }
  if (start_.dimension > kMaxDimension)
    throw InputError(
        summary_.path, std::max<std::uint64_t>(line_, 1),
        fmt::format("{} dimensions are more than the {} that are possible", start_.dimension, kMaxDimension));
}

/// A row takes a letter, and a blank and a digit for each number.
void TextIntake::check_header(std::uint64_t line) {
  const auto known_size = stream_.compression().empty() ? stream_.file_size() : std::nullopt;
  const std::uint64_t size = known_size.value_or(std::uint64_t{1} << 50);
  const std::uint64_t rows = start_.header->rows, dimension = start_.header->dimension;
  if (dimension <= size / 2 && rows <= size / (2 * dimension + 1) + 1) return;
  const InputError error(
      summary_.path, line,
      fmt::format("the header promises {} rows of dimension {}, more than the file can hold", rows, dimension));
  if (!options_.lenient) throw error;
  summary_.first_skipped = error.what();
}

void TextIntake::damaged(const std::string& reason, std::uint64_t rows) {
  const InputError error(summary_.path, line_, reason);
  if (!options_.lenient) throw error;
  if (summary_.first_skipped.empty()) summary_.first_skipped = error.what();
  summary_.skipped_rows += rows;
}

/// Why a complete last row that has no line break is not to be trusted; empty where it is. Usually its lack is
/// harmless. But where the header promises more rows, or, without a header, the rows before end in a blank, then the
/// file was cut, and nobody knows whether the last number is whole.
std::string TextIntake::cut_reason(std::string_view text) const {
  const std::uint64_t rows = line_ - summary_.blank_lines - 1;
  if (start_.header && rows < start_.header->rows)
    return fmt::format(
        "the file ends in the middle of a line, and {} of the {} rows that the header promises are missing",
        start_.header->rows - rows, start_.header->rows);
  if (!start_.header && start_.final_blanks && !is_field_blank(text.back()))
    return "the file ends in the middle of a line: the rows before end in a blank, this one does not";
  return {};
}

void TextIntake::take_row(const TextLines::Line& line, std::span<const float> values, const Keep& keep) {
  if (!keep(line.word, values)) {
    ++summary_.duplicates;
    return;
  }
  ++summary_.rows;
  summary_.zero_rows += line.zero;
  summary_.invalid_utf8 += line.invalid_utf8;
  summary_.spaced_words += line.spaced;
}

void TextIntake::take(const LineBlock& block, const TextLines& lines, const Keep& keep) {
  std::size_t row = 0, reason = 0, taken = 0;
  const std::size_t count = lines.lines().size();
  const bool unfinished = block.last && !block.text.empty() && block.text.back() != '\n';
  for (; taken < count && !full(); ++taken) {
    const TextLines::Line& line = lines.lines()[taken];
    ++line_;
    summary_.carriage_returns |= line.carriage_return;
    switch (line.kind) {
      case TextLines::Kind::row: {
        const std::string cut = unfinished && taken + 1 == count ? cut_reason(block.text) : std::string();
        if (cut.empty())
          take_row(line, lines.row(row++), keep);
        else
          damaged(cut);
        break;
      }
      case TextLines::Kind::no_word:
        ++summary_.empty_words;
        break;
      case TextLines::Kind::blank:
        ++summary_.blank_lines;
        break;
      case TextLines::Kind::damage:
        damaged(lines.reasons()[reason++]);
        break;
    }
  }
  if (full()) {
    summary_.stopped_early = taken < count || !block.last || !block.damage.empty() || block.failure != nullptr;
    return;
  }
  ++line_;  // the one that is not there
  if (block.failure != nullptr) {
    try {
      std::rethrow_exception(block.failure);
    } catch (const InputError& error) {
      throw InputError(error.path(), line_, error.reason());
    }
  }
  if (!block.damage.empty()) damaged(block.damage);
  --line_;
}

void TextIntake::end() const {
  if (summary_.rows > 0) return;
  throw InputError(summary_.path, 0,
                   summary_.first_skipped.empty() ? "holds no word vectors"
                                                  : "holds no usable word vectors; first: " + summary_.first_skipped);
}

}  // namespace wordbridge
