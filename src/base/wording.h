#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace wordbridge {

/// "1 word", "3 words", "0 words"; `many` for nouns that do not only take an s: counted(2, "entry", "entries").
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

/// A measure as JSON gives it: to six decimals, so that 64.0 does not come out as 63.999999999999993.
inline double rounded(double value) { return std::round(value * 1e6) / 1e6; }

/// The candidate that the word is most likely a slip of the pen for; empty where none is near.
std::string closest(std::string_view word, std::span<const std::string> candidates);

}  // namespace wordbridge
