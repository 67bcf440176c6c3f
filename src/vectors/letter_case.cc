#include "vectors/letter_case.h"

#include <utf8proc.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace wordbridge {

namespace {

using CodePoint = utf8proc_int32_t;

constexpr CodePoint kCapitalSigma = 0x3A3, kFinalSigma = 0x3C2;

struct Decoded {
  CodePoint code_point;  // negative where the byte is not valid UTF-8
  std::size_t bytes;
};

Decoded decode_at(std::string_view word, std::size_t position) {
  CodePoint code_point = -1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(word.data() + position);
  const utf8proc_ssize_t taken =
      utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(word.size() - position), &code_point);
  if (taken <= 0) return {-1, 1};
  return {code_point, static_cast<std::size_t>(taken)};
}

std::optional<std::vector<CodePoint>> code_points_of(std::string_view word) {
  std::vector<CodePoint> code_points;
  for (std::size_t position = 0; position < word.size();) {
    const Decoded next = decode_at(word, position);
    if (next.code_point < 0) return std::nullopt;
    code_points.push_back(next.code_point);
    position += next.bytes;
  }
  return code_points;
}

std::string encode(const std::vector<CodePoint>& code_points) {
  std::string word;
  for (const CodePoint code_point : code_points) {
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t length = utf8proc_encode_char(code_point, bytes);
    word.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
  }
  return word;
}

bool is_letter(CodePoint code_point) {
  const utf8proc_category_t category = utf8proc_category(code_point);
  return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
}

/// Capitals and title-case digraphs (Dž).
bool is_capital(CodePoint code_point) {
  const utf8proc_category_t category = utf8proc_category(code_point);
  return category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
}

bool is_small(CodePoint code_point) { return utf8proc_category(code_point) == UTF8PROC_CATEGORY_LL; }

/// Lowers [begin, end). A capital sigma that ends a word of several letters becomes the final one.
void lower(std::vector<CodePoint>& code_points, std::size_t begin) {
  for (std::size_t i = begin; i < code_points.size(); ++i) {
    const bool ends_word =
        i > 0 && is_letter(code_points[i - 1]) && (i + 1 == code_points.size() || !is_letter(code_points[i + 1]));
    code_points[i] = code_points[i] == kCapitalSigma && ends_word ? kFinalSigma : utf8proc_tolower(code_points[i]);
  }
}

}  // namespace

LetterCase letter_case(std::string_view word) {
  std::size_t letters = 0, capitals = 0, smalls = 0;
  bool first_is_capital = false;
  for (std::size_t position = 0; position < word.size();) {
    const Decoded next = decode_at(word, position);
    position += next.bytes;
    if (next.code_point < 0 || !is_letter(next.code_point)) continue;
    if (is_capital(next.code_point)) {
      if (letters == 0) first_is_capital = true;
      ++capitals;
    } else if (is_small(next.code_point)) {
      ++smalls;
    }
    ++letters;
  }
  if (letters == 0) return LetterCase::no_letters;
  if (capitals + smalls == 0) return LetterCase::uncased;
  if (capitals == 0) return LetterCase::lower;
  if (capitals == 1 && first_is_capital) return LetterCase::title;
  return smalls == 0 ? LetterCase::upper : LetterCase::mixed;
}

std::string to_lower(std::string_view word) {
  std::optional<std::vector<CodePoint>> code_points = code_points_of(word);
  if (!code_points) return std::string(word);
  lower(*code_points, 0);
  return encode(*code_points);
}

std::string to_title(std::string_view word) {
  std::optional<std::vector<CodePoint>> code_points = code_points_of(word);
  if (!code_points) return std::string(word);
  std::size_t first = 0;
  while (first < code_points->size() && !is_letter((*code_points)[first])) ++first;
  if (first == code_points->size()) return std::string(word);
  lower(*code_points, first + 1);
  (*code_points)[first] = utf8proc_totitle((*code_points)[first]);
  return encode(*code_points);
}

}  // namespace wordbridge
