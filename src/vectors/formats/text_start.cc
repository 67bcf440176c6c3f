#include "vectors/formats/text_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <map>
#include <utility>
#include <vector>

#include "vectors/formats/text_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

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
