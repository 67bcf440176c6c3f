#pragma once
#include <cstddef>

namespace wordbridge {

/// How often or how large: under a sanitizer everything takes ten times as long, and what it looks for shows as well in
/// fewer and smaller cases.
constexpr std::size_t effort(std::size_t usual, std::size_t sanitized) {
  return WORDBRIDGE_SANITIZED ? sanitized : usual;
}

}  // namespace wordbridge
