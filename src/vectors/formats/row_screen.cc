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

bool all_finite(std::span<const float> values) {
  constexpr std::uint32_t kExponent = 0x7f800000;
  bool finite = true;
  for (const float value : values) finite &= (std::bit_cast<std::uint32_t>(value) & kExponent) != kExponent;
  return finite;
}

bool all_zero(std::span<const float> values) {
  std::uint32_t bits = 0;
  for (const float value : values) bits |= std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7fffffff) == 0;
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

bool RowScreen::keep(std::uint64_t row, std::string_view word, std::span<const float> values) {
  if (word.empty()) {
    ++summary_.empty_words;
    return false;
  }
  if (!all_finite(values)) {
    damaged(row, word, "the vector holds NaN or infinity");
    return false;
  }
  ++summary_.rows;
  if (all_zero(values)) ++summary_.zero_rows;
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
