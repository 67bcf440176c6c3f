#pragma once
#include <span>
#include <string>
#include <string_view>

namespace wordbridge {

/// The candidate that the word is most likely a slip of the pen for; empty where none is near.
std::string closest(std::string_view word, std::span<const std::string> candidates);

}  // namespace wordbridge
