#include "vectors/formats/row_screen.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <bit>

#include "wordbridge/error.h"

namespace wordbridge {

namespace {

bool is_ascii(std::string_view word) {
  unsigned char bits = 0;
  for (const char letter : word) bits |= static_cast<unsigned char>(letter);
  return bits < 0x80;
}

}  // namespace

bool valid_utf8(std::string_view word) {
  if (is_ascii(word)) return true;
  const auto* next = reinterpret_cast<const utf8proc_uint8_t*>(word.data());
  auto left = static_cast<utf8proc_ssize_t>(word.size());
  while (left > 0) {
    utf8proc_int32_t codepoint = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(next, left, &codepoint);
    if (bytes <= 0) return false;
    next += bytes;
    left -= bytes;
  }
  return true;
}

bool has_blank(std::string_view word) {
  if (word.find_first_of(" \t") != std::string_view::npos) return true;
  return !is_ascii(word) &&
         (word.find("\u00A0") != std::string_view::npos || word.find("\u3000") != std::string_view::npos);
}

std::string quoted_word(std::string_view word) {
  constexpr std::size_t kShown = 60;
  std::string text = "'";
  for (const char letter : word.substr(0, kShown)) {
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f)
      text += fmt::format("\\x{:02x}", static_cast<unsigned char>(letter));
    else
      text += letter;
  }
  return text + (word.size() > kShown ? "...'" : "'");
}

RowValues values_of(std::span<const float> row) {
  constexpr std::uint32_t kSign = 0x80000000, kExponent = 0x7f800000, kLowestOfExponent = 0x00800000;
  std::uint32_t bits = 0, carries = 0;  // both are plain ORs, which compilers do many at a time
  for (const float value : row) {
    const auto own = std::bit_cast<std::uint32_t>(value);
    bits |= own;
    carries |= (own & kExponent) + kLowestOfExponent;  // reaches the sign where all bits of the exponent are set
  }
  if ((carries & kSign) != 0) return RowValues::not_finite;
  return (bits & ~kSign) == 0 ? RowValues::zero : RowValues::usual;
}

bool RowScreen::keep(std::uint64_t row, std::string_view word, RowValues values) {
  if (word.empty()) {
    ++summary_.empty_words;
    return false;
  }
  if (values == RowValues::not_finite) {
    damaged(row, word, "the vector holds NaN or infinity");
    return false;
  }
  ++summary_.rows;
  if (values == RowValues::zero) ++summary_.zero_rows;
  if (!valid_utf8(word)) ++summary_.invalid_utf8;
  if (has_blank(word)) ++summary_.spaced_words;
  return true;
}

void RowScreen::damaged(std::uint64_t row, std::string_view word, std::string_view reason) {
  damaged_file(word.empty() ? fmt::format("row {}: {}", row, reason)
                            : fmt::format("row {} ({}): {}", row, quoted_word(word), reason),
               1);
}

void RowScreen::damaged_file(std::string_view reason, std::uint64_t rows) {
  InputError error(summary_.path, 0, std::string(reason));
  if (!options_.lenient) throw error;
  if (summary_.first_skipped.empty()) summary_.first_skipped = error.what();
  summary_.skipped_rows += rows;
}

void RowScreen::require_rows() const {
  if (summary_.rows == 0)
    throw InputError(summary_.path, 0,
                     summary_.first_skipped.empty() ? "holds no word vectors"
                                                    : "holds no usable word vectors; first: " + summary_.first_skipped);
}

}  // namespace wordbridge
