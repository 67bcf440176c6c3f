#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace wordbridge {

/// The quick way for rows as programs write them: a word, then each number after one blank, and at most one blank or
/// carriage return at the end. Everything else is left to parse_text_row(), which agrees with it on these.
class UsualRowParser {
 public:
  /// Bytes before and after a line that it may look at; their values do not matter.
  static constexpr std::size_t kBytesBefore = 16, kBytesAfter = 64;

  explicit UsualRowParser(std::size_t dimension) : dimension_(dimension), blanks_(dimension + 1 + 64) {}

  /// The word of a usual row, whose numbers are then in `values`; nothing for another row. The line comes without its
  /// line break.
  std::optional<std::string_view> parse(std::string_view line, std::span<float> values);

 private:
  bool find_blanks(std::string_view line);
  bool parse_short_numbers(const char* line, std::span<float> values);
  bool parse_long_numbers(const char* line, std::span<float> values);

  std::size_t dimension_;
  std::vector<std::uint32_t> blanks_;  // where the blanks of the line are, and at last its end
  bool long_ = false;                  // the rows before had many numbers with more than 8 decimals
};

}  // namespace wordbridge
