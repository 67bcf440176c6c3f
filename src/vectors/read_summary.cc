#include "wordbridge/word_vectors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "base/wording.h"
#include "wordbridge/formats.h"

namespace wordbridge {

bool ReadSummary::dirty() const {
  return duplicates + empty_words + invalid_utf8 + spaced_words + zero_rows + blank_lines + skipped_rows > 0 ||
         byte_order_mark || carriage_returns || !first_skipped.empty() ||
         (header_rows != 0 && !stopped_early && header_rows != rows + duplicates + empty_words + skipped_rows);
}

std::string ReadSummary::to_line() const {
  const bool items = row_names(*this) != RowNames::words;
  std::string line = fmt::format("{}: {} x {} ({}{}{})", path, counted(rows, items ? "item" : "word"), dimension,
                                 format, compression.empty() ? "" : ", ", compression);
  std::vector<std::string> notes;
  const std::uint64_t met = rows + duplicates + empty_words + skipped_rows;
  if (header_rows != 0 && !stopped_early && header_rows != met)
    notes.push_back(fmt::format("the header promises {}", counted(header_rows, "row")));
  if (duplicates > 0) notes.push_back(counted(duplicates, "duplicate") + " set aside");
  if (empty_words > 0) notes.push_back(counted(empty_words, "row") + " without a word set aside");
  if (spaced_words > 0) notes.push_back(counted(spaced_words, "word") + " with blanks inside");
  if (invalid_utf8 > 0) notes.push_back(counted(invalid_utf8, "word") + " not valid UTF-8");
  if (zero_rows > 0) notes.push_back(counted(zero_rows, "zero vector"));
  if (blank_lines > 0) notes.push_back(counted(blank_lines, "blank line"));
  if (byte_order_mark) notes.emplace_back("byte order mark");
  if (carriage_returns) notes.emplace_back("carriage returns");
  if (skipped_rows > 0)
    notes.push_back(counted(skipped_rows, "damaged row") + " skipped (first: " + first_skipped + ")");
  else if (!first_skipped.empty())
    notes.push_back("in spite of " + first_skipped);
  return notes.empty() ? line : fmt::format("{}; {}", line, fmt::join(notes, ", "));
}

}  // namespace wordbridge
