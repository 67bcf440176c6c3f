#include "vectors/formats/text_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "io/lines.h"
#include "io/number.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/usual_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_field_blank(text.back())) text.remove_suffix(1);
  while (!text.empty() && is_field_blank(text.front())) text.remove_prefix(1);
  return text;
}

/// Hands out the fields of a text from the last to the first.
class FieldsFromTheRight {
 public:
  explicit FieldsFromTheRight(std::string_view text) : rest_(text) {}

  /// Empty where there is none left.
  std::string_view next() {
    while (!rest_.empty() && is_field_blank(rest_.back())) rest_.remove_suffix(1);
    std::size_t begin = rest_.size();
    while (begin > 0 && !is_field_blank(rest_[begin - 1])) --begin;
    const std::string_view field = rest_.substr(begin);
    rest_ = rest_.substr(0, begin);
    return field;
  }
  /// What stands before the fields that were handed out, without the blanks around it.
  std::string_view rest() const { return without_blanks(rest_); }

 private:
  std::string_view rest_;
};

/// True for numbers as programs write components: with a point or an exponent.
bool has_point(std::string_view number) { return number.find_first_of(".eE") != std::string_view::npos; }

/// True where the fields next to the numbers are numbers too, by the rule of parse_text_row(). The first field is the
/// word, whatever it looks like.
bool has_more_numbers(std::string_view before) {
  FieldsFromTheRight fields(before);
  for (;;) {
    const std::string_view field = fields.next();
    if (fields.rest().empty() || !parse_number(field)) return false;
    if (has_point(field)) return true;
  }
}

TextRow damage(std::string reason) { return {.kind = TextRow::Kind::damage, .word = {}, .reason = std::move(reason)}; }

std::string wrong_count(std::size_t numbers, std::size_t wanted) {
  return fmt::format("the row has {} {}, {} {} wanted", numbers, numbers == 1 ? "number" : "numbers", wanted,
                     wanted == 1 ? "is" : "are");
}

TextRow parse_fields(std::string_view line, std::span<float> values) {
  FieldsFromTheRight fields(line);
  std::string not_a_number;
  for (std::size_t i = values.size(); i-- > 0;) {
    const std::string_view field = fields.next();
    const bool last_left = fields.rest().empty();
    if (last_left && (i > 0 || !is_field_blank(line.front())))  // this one is the word
      return damage(not_a_number.empty() ? wrong_count(values.size() - 1 - i, values.size()) : std::move(not_a_number));
    const auto number = parse_number(field);
    if (number)
      values[i] = *number;
    else
      not_a_number = fmt::format("{} is not a finite number", quoted_word(field));
  }
  if (!not_a_number.empty()) return damage(std::move(not_a_number));
  if (has_more_numbers(fields.rest()))
    return damage(fmt::format("the row has more than {} {}", values.size(), values.size() == 1 ? "number" : "numbers"));
  return {.kind = TextRow::Kind::row, .word = fields.rest(), .reason = {}};
}

}  // namespace

std::string_view without_final_blanks(std::string_view line) {
  while (!line.empty() && (is_field_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

TextRow parse_text_row(std::string_view line, std::span<float> values) {
  const std::string_view content = without_final_blanks(line);
  TextRow row = content.empty() ? TextRow{} : parse_fields(content, values);
  row.carriage_return = line.substr(content.size()).find('\r') != std::string_view::npos;
  return row;
}

std::size_t trailing_numbers(std::string_view line) {
  FieldsFromTheRight fields(without_final_blanks(line));
  std::size_t count = 0;
  while (parse_number(fields.next()) && !fields.rest().empty()) ++count;
  return count;
}

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

namespace {

constexpr std::size_t kLinesLookedAt = 64;

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

/// The first lines that hold anything.
std::vector<std::string_view> first_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < kLinesLookedAt) {
    const std::string_view line = first_line(text);
    if (!without_final_blanks(line).empty()) lines.push_back(line);
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return lines;
}

/// A line of exactly two whole numbers.
std::optional<TextStart::Header> parse_header(std::string_view line) {
  TextStart::Header header;
  line = without_final_blanks(line);
  const char* next = line.data();
  const char* const end = next + line.size();
  for (std::uint64_t* number : {&header.rows, &header.dimension}) {
    while (next != end && is_field_blank(*next)) ++next;
    const auto [after, error] = std::from_chars(next, end, *number);
    if (error != std::errc() || (after != end && !is_field_blank(*after))) return std::nullopt;
    next = after;
  }
  return next == end ? std::optional(header) : std::nullopt;
}

bool is_word_and_number(std::string_view line) {
  line = without_final_blanks(line);
  const std::size_t blank = std::min(line.find_first_of(" \t"), line.size());
  const std::size_t number = std::min(line.find_first_not_of(" \t", blank), line.size());
  return blank > 0 && line.find_first_of(" \t", number) == std::string_view::npos && trailing_numbers(line) == 1;
}

/// A page about an error, saved under the name of the file that was wanted. `<s>` with numbers behind it is a row.
bool is_markup(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || text[start] != '<') return false;
  std::string head(text.substr(start, 16));
  std::ranges::transform(head, head.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? char(c | 0x20) : c; });
  for (const std::string_view mark : {"<!doctype", "<html", "<?xml"})
    if (head.starts_with(mark)) return true;
  return trailing_numbers(first_line(text.substr(start))) == 0;
}

std::size_t commonest_dimension(const std::vector<std::string_view>& lines) {
  std::map<std::size_t, int> counts;
  for (const std::string_view line : lines)
    if (const std::size_t numbers = trailing_numbers(line); numbers > 0) ++counts[numbers];
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
  return most == counts.end() ? 0 : most->first;
}

}  // namespace

TextStart recognize_text_start(const std::string& path, std::string_view text) {
  TextStart start;
  const auto is_wide = [&] { return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"); };
  if (is_wide() && trailing_numbers(first_line(text)) == 0)
    throw InputError(path, 1, "this looks like UTF-16, UTF-8 is wanted");
  start.byte_order_mark = text.starts_with(kByteOrderMark);
  if (start.byte_order_mark) {
    start.bytes = kByteOrderMark.size();
    text.remove_prefix(start.bytes);
  }
  const auto lines = first_lines(text);
  if (lines.empty()) throw InputError(path, 0, "the file is empty");
  const std::string_view before = text.substr(0, static_cast<std::size_t>(lines[0].data() - text.data()));
  const auto line = 1 + static_cast<std::uint64_t>(std::ranges::count(before, '\n'));
  if (is_markup(text)) throw InputError(path, line, "this is an HTML or XML page, not vectors");
  start.header = parse_header(lines[0]);
  if (start.header && start.header->dimension != 1 && lines.size() > 1 && is_word_and_number(lines[1]))
    start.header.reset();
  if (start.header) {
    start.dimension = start.header->dimension;
    start.bytes += std::min(before.size() + lines[0].size() + 1, text.size());
    if (start.dimension == 0) throw InputError(path, line, "the header says dimension 0");
    if (start.header->rows == 0 && lines.size() == 1)
      throw InputError(path, line,
                       fmt::format("the header promises no rows (of dimension {}), and none follow: there "
                                   "are no vectors in the file",
                                   start.dimension));
  } else {
    start.dimension = commonest_dimension(lines);
    if (start.dimension == 0) throw InputError(path, line, "no row of a word and numbers at the start of the file");
  }
  const std::size_t first_row = start.header ? 1 : 0;
  start.final_blanks = first_row < lines.size() && !lines[first_row].empty() &&
                       is_field_blank(lines[first_row].substr(0, lines[first_row].find_last_not_of('\r') + 1).back());
  return start;
}

}  // namespace wordbridge
