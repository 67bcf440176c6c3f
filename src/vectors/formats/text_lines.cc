#include "vectors/formats/text_lines.h"

#include <algorithm>
#include <utility>

#include "io/lines.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/text_row.h"
#include "vectors/formats/usual_row.h"

namespace wordbridge {

static_assert(LineBlocks::kMarginBefore >= UsualRowParser::kBytesBefore &&
              LineBlocks::kMarginAfter >= UsualRowParser::kBytesAfter);

namespace {

void describe(TextLines::Line& line, std::span<const float> values) {
  line.kind = line.word.empty() ? TextLines::Kind::no_word : TextLines::Kind::row;
  line.zero = values[0] == 0 && values_of(values) == RowValues::zero;
  line.invalid_utf8 = !valid_utf8(line.word);
  line.spaced = has_blank(line.word);
}

}  // namespace

void TextLines::parse(std::string_view text, std::size_t dimension) {
  lines_.clear();
  reasons_.clear();
  row_count_ = 0;
  // A row takes a blank and a digit for each number and a line break at least; one more is room to try a row in.
  const std::size_t most_rows = text.size() / (2 * dimension + 1) + 2;
  if (rows_.cols() != dimension || rows_.rows() < most_rows) rows_ = Matrix::uninitialized(most_rows, dimension);
  UsualRowParser usual(dimension);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line_text = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::span<float> values(rows_.data() + row_count_ * dimension, dimension);
    Line& line = lines_.emplace_back();
    if (const auto word = usual.parse(line_text, values)) {
      line.word = *word;
      line.carriage_return = line_text.back() == '\r';
      describe(line, values);
    } else {
      TextRow row = parse_text_row(line_text, values);
      line.carriage_return = row.carriage_return;
      if (row.kind == TextRow::Kind::row) {
        line.word = row.word;
        describe(line, values);
      } else if (row.kind == TextRow::Kind::damage) {
        line.kind = Kind::damage;
        reasons_.push_back(std::move(row.reason));
      }
    }
    row_count_ += line.kind == Kind::row;
  }
}

}  // namespace wordbridge
