#include "vectors/formats/usual_row.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "io/number.h"

namespace wordbridge {

#if defined(__SSE2__)

namespace {

constexpr std::size_t kStep = 64;  // bytes looked through for blanks at once
constexpr std::uint32_t kMostShortDecimals = 8, kMostDecimals = 16;

// 10^-n, each the double nearest to it, and n as a double.
alignas(64) constexpr std::array<double, kMostDecimals + 1> kDown = {
    1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16};
constexpr std::array<double, 10> kDigits = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

// 16 bytes from kKeep + n keep the last n of 16 bytes.
alignas(64) constexpr std::array<std::uint8_t, 32> kKeep = [] {
  std::array<std::uint8_t, 32> bytes{};
  for (std::size_t i = 16; i < 32; ++i) bytes[i] = 0xFF;
  return bytes;
}();

/// A token of the form [-]d.ddd: what has to be known before its decimals are converted.
struct Token {
  Token(const char* line, std::uint32_t blank, std::uint32_t next_blank)
      : begin(line + blank + 1), end(line + next_blank) {
    negative = *begin == '-';
    std::uint16_t first = 0;
    std::memcpy(&first, begin + negative, sizeof(first));
    digit = static_cast<std::uint32_t>(first) - ('.' << 8 | '0');
    decimals = static_cast<std::uint32_t>(end - begin) - 2 - negative;
  }

  const char* begin;
  const char* end;
  std::uint32_t negative;
  std::uint32_t digit;     // the one before the point; more than 9 where the token has another form
  std::uint32_t decimals;  // far more than 16 for a token that is too short
};

/// For tokens of any other form; not inline, so that the usual ones stay in registers.
[[gnu::noinline]] bool parse_any(const char* begin, const char* end, float* value) {
  const auto number = parse_number({begin, static_cast<std::size_t>(end - begin)});
  if (number) *value = *number;
  return number.has_value();
}

__m128i load_halves(const void* low, const void* high) {
  const __m128i bytes = _mm_loadl_epi64(static_cast<const __m128i*>(low));
  return _mm_castps_si128(_mm_loadh_pi(_mm_castsi128_ps(bytes), static_cast<const __m64*>(high)));
}

__m128d load_pair(const double& low, const double& high) { return _mm_loadh_pd(_mm_load_sd(&low), &high); }

/// std::popcount, which is a call where the instruction cannot be relied on.
std::size_t count_bits(std::uint64_t bits) {
  bits -= (bits >> 1) & 0x5555555555555555;
  bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333);
  return ((bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101 >> 56;
}

/// Twice eight digits, first digit first, as two numbers.
__m128d eight_digits(__m128i digits) {
  const __m128i zero = _mm_setzero_si128();
  const __m128i thousands = _mm_setr_epi16(1000, 100, 10, 1, 1000, 100, 10, 1);
  const __m128i myriads = _mm_setr_epi16(10000, 10000, 1, 1, 10000, 10000, 1, 1);
  const __m128i pairs = _mm_packs_epi32(_mm_madd_epi16(_mm_unpacklo_epi8(digits, zero), thousands),
                                        _mm_madd_epi16(_mm_unpackhi_epi8(digits, zero), thousands));
  const __m128i halves = _mm_madd_epi16(pairs, myriads);
  const __m128i sums = _mm_add_epi32(halves, _mm_srli_epi64(halves, 32));
  return _mm_cvtepi32_pd(_mm_shuffle_epi32(sums, _MM_SHUFFLE(3, 1, 2, 0)));
}

__m128i are_digits(__m128i bytes) {
  const __m128i nine = _mm_set1_epi8(9);
  return _mm_cmpeq_epi8(_mm_max_epu8(bytes, nine), nine);
}

/// rounds_safely() for both.
__m128i round_safely(__m128d values) {
  const __m128i shift = _mm_setr_epi32(8 - 0x10000000, 0, 8 - 0x10000000, 0);
  const __m128i low_bits = _mm_setr_epi32(0x1FFFFFFF, 0, 0x1FFFFFFF, 0);
  const __m128i limit = _mm_setr_epi32(16, -1, 16, -1);
  return _mm_cmpgt_epi32(_mm_and_si128(_mm_add_epi32(_mm_castpd_si128(values), shift), low_bits), limit);
}

}  // namespace

/// The places of the blanks and of the line's end, at least the first dimension + 1; false where there are fewer.
bool UsualRowParser::find_blanks(std::string_view line) {
  const __m128i space = _mm_set1_epi8(' '), tab = _mm_set1_epi8('\t');
  std::size_t count = 0;
  for (std::size_t at = 0; at <= line.size() && count <= dimension_; at += kStep) {
    const auto mask_of = [&](std::size_t part) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(line.data() + at + 16 * part));
      const int mask = _mm_movemask_epi8(_mm_or_si128(_mm_cmpeq_epi8(bytes, space), _mm_cmpeq_epi8(bytes, tab)));
      return static_cast<std::uint64_t>(static_cast<std::uint32_t>(mask)) << (16 * part);
    };
    std::uint64_t mask = mask_of(0) | mask_of(1) | mask_of(2) | mask_of(3);
    if (line.size() - at < kStep) {  // the line's end counts, what follows does not
      mask |= std::uint64_t{1} << (line.size() - at);
      mask &= ~std::uint64_t{0} >> (kStep - 1 - (line.size() - at));
    }
    const std::size_t found = count_bits(mask);
    std::uint32_t* const places = blanks_.data() + count;
    const auto place = [&] {
      const auto bit = static_cast<std::uint32_t>(std::countr_zero(mask | std::uint64_t{1} << 63));
      mask &= mask - 1;
      return static_cast<std::uint32_t>(at) + bit;
    };
    // Rarely are there more than eight; to write a few too many is quicker than to count.
    for (std::size_t i = 0; i < 8; ++i) places[i] = place();
    for (std::size_t i = 8; i < found; ++i) places[i] = place();
    count += found;
  }
  return count > dimension_;
}

bool UsualRowParser::parse_short_numbers(const char* line, std::span<float> values) {
  const __m128i zero_digit = _mm_set1_epi8('0');
  std::size_t long_numbers = 0, i = 0;
  for (; i + 2 <= values.size(); i += 2) {
    const Token a(line, blanks_[i], blanks_[i + 1]), b(line, blanks_[i + 1], blanks_[i + 2]);
    if (((a.decimals - 1) | (b.decimals - 1)) < kMostShortDecimals && a.digit <= 9 && b.digit <= 9) [[likely]] {
      const __m128i keep = load_halves(&kKeep[8 + a.decimals], &kKeep[8 + b.decimals]);
      const __m128i digits = _mm_and_si128(_mm_sub_epi8(load_halves(a.end - 8, b.end - 8), zero_digit), keep);
      const __m128d both = _mm_add_pd(_mm_mul_pd(eight_digits(digits), load_pair(kDown[a.decimals], kDown[b.decimals])),
                                      load_pair(kDigits[a.digit], kDigits[b.digit]));
      if (_mm_movemask_epi8(_mm_and_si128(are_digits(digits), round_safely(both))) == 0xFFFF) [[likely]] {
        const auto signs = static_cast<std::uint64_t>(b.negative) << 63 | static_cast<std::uint64_t>(a.negative) << 31;
        const __m128 sign_bits = _mm_castsi128_ps(_mm_cvtsi64_si128(static_cast<long long>(signs)));
        _mm_storel_pi(reinterpret_cast<__m64*>(&values[i]), _mm_or_ps(_mm_cvtpd_ps(both), sign_bits));
        continue;
      }
    }
    long_numbers += 2;
    if (!parse_any(a.begin, a.end, &values[i]) || !parse_any(b.begin, b.end, &values[i + 1])) return false;
  }
  if (i < values.size() && !parse_any(line + blanks_[i] + 1, line + blanks_[i + 1], &values[i])) return false;
  long_ = long_numbers > 8 && long_numbers * 8 > values.size();
  return true;
}

bool UsualRowParser::parse_long_numbers(const char* line, std::span<float> values) {
  const __m128i zero_digit = _mm_set1_epi8('0');
  bool some = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Token token(line, blanks_[i], blanks_[i + 1]);
    if (token.decimals - 1 < kMostDecimals && token.digit <= 9) [[likely]] {
      some |= token.decimals > kMostShortDecimals;
      const __m128i keep = _mm_loadu_si128(reinterpret_cast<const __m128i*>(&kKeep[token.decimals]));
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(token.end - 16));
      const __m128i digits = _mm_and_si128(_mm_sub_epi8(bytes, zero_digit), keep);
      const __m128d halves = eight_digits(digits);
      const double decimals = _mm_cvtsd_f64(halves) * 1e8 + _mm_cvtsd_f64(_mm_unpackhi_pd(halves, halves));
      const double value = decimals * kDown[token.decimals] + kDigits[token.digit];
      if (_mm_movemask_epi8(are_digits(digits)) == 0xFFFF && rounds_safely(value)) [[likely]] {
        values[i] =
            std::bit_cast<float>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) | token.negative << 31);
        continue;
      }
    }
    if (!parse_any(token.begin, token.end, &values[i])) return false;
  }
  long_ = some;
  return true;
}

std::optional<std::string_view> UsualRowParser::parse(std::string_view line, std::span<float> values) {
  assert(values.size() == dimension_);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (!line.empty() && line.back() == ' ') line.remove_suffix(1);
  if (!find_blanks(line) || blanks_[dimension_] != line.size() || blanks_[0] == 0) return std::nullopt;
  if (!(long_ ? parse_long_numbers(line.data(), values) : parse_short_numbers(line.data(), values)))
    return std::nullopt;
  return line.substr(0, blanks_[0]);
}

#else  // where nobody wrote it yet: every row takes the general way

std::optional<std::string_view> UsualRowParser::parse(std::string_view, std::span<float>) { return std::nullopt; }

#endif

}  // namespace wordbridge
