#include "io/number.h"

#include <locale.h>
#include <stdlib.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>

namespace wordbridge {

namespace {

constexpr std::uint64_t kMantissaLimit = 100'000'000'000'000'000;  // room for one more digit, and then some
constexpr int kSmallestPower = -60, kLargestPower = 38;

// 10^power, each the double nearest to it.
constexpr std::array<double, kLargestPower - kSmallestPower + 1> kPowers = {
    1e-60, 1e-59, 1e-58, 1e-57, 1e-56, 1e-55, 1e-54, 1e-53, 1e-52, 1e-51, 1e-50, 1e-49, 1e-48, 1e-47, 1e-46,
    1e-45, 1e-44, 1e-43, 1e-42, 1e-41, 1e-40, 1e-39, 1e-38, 1e-37, 1e-36, 1e-35, 1e-34, 1e-33, 1e-32, 1e-31,
    1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22, 1e-21, 1e-20, 1e-19, 1e-18, 1e-17, 1e-16,
    1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9,  1e-8,  1e-7,  1e-6,  1e-5,  1e-4,  1e-3,  1e-2,  1e-1,
    1e0,   1e1,   1e2,   1e3,   1e4,   1e5,   1e6,   1e7,   1e8,   1e9,   1e10,  1e11,  1e12,  1e13,  1e14,
    1e15,  1e16,  1e17,  1e18,  1e19,  1e20,  1e21,  1e22,  1e23,  1e24,  1e25,  1e26,  1e27,  1e28,  1e29,
    1e30,  1e31,  1e32,  1e33,  1e34,  1e35,  1e36,  1e37,  1e38};

bool is_digit(char letter) { return static_cast<unsigned char>(letter - '0') < 10; }

/// A decimal number: (-1)^negative * mantissa * 10^power, give or take the digits that did not fit.
struct Decimal {
  std::uint64_t mantissa = 0;
  int power = 0;
  bool negative = false;
};

/// Exactly what strtof takes for a decimal number: sign, digits with at most one point among them, exponent.
std::optional<Decimal> scan(std::string_view text) {
  Decimal number;
  const char* next = text.data();
  const char* const end = next + text.size();
  if (next != end && (*next == '-' || *next == '+')) number.negative = *next++ == '-';
  bool digits = false, point = false;
  for (; next != end; ++next) {
    if (is_digit(*next)) {
      digits = true;
      if (number.mantissa < kMantissaLimit) {
        number.mantissa = number.mantissa * 10 + static_cast<std::uint64_t>(*next - '0');
        number.power -= point;
      } else {
        number.power += !point;
      }
    } else if (*next == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (!digits) return std::nullopt;
  if (next == end) return number;
  if (*next != 'e' && *next != 'E') return std::nullopt;
  ++next;
  bool down = false;
  if (next != end && (*next == '-' || *next == '+')) down = *next++ == '-';
  if (next == end) return std::nullopt;
  int exponent = 0;
  for (; next != end; ++next) {
    if (!is_digit(*next)) return std::nullopt;
    if (exponent < 1'000'000) exponent = exponent * 10 + (*next - '0');
  }
  number.power += down ? -exponent : exponent;
  return number;
}

/// The few numbers that need all their digits.
std::optional<float> convert_slowly(std::string_view text) {
  static const locale_t plain = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const float value = ::strtof_l(std::string(text).c_str(), nullptr, plain);
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

}  // namespace

std::optional<float> parse_number(std::string_view text) {
  const auto number = scan(text);
  if (!number) return std::nullopt;
  if (number->mantissa == 0) return number->negative ? -0.0f : 0.0f;
  if (number->power >= kSmallestPower && number->power <= kLargestPower) {
    const double value = static_cast<double>(static_cast<std::int64_t>(number->mantissa)) *
                         kPowers[static_cast<std::size_t>(number->power - kSmallestPower)];
    if (value > 0x1p-125 && value < 0x1p127 && rounds_safely(value))
      return static_cast<float>(number->negative ? -value : value);
  }
  return convert_slowly(text);
}

}  // namespace wordbridge
