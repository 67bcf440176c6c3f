#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace wordbridge {

/// "1 word", "3 words", "0 words"; `many` for nouns that do not only take an s: counted(2, "entry", "entries").
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});

}  // namespace wordbridge
