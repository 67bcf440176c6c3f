#pragma once
#include <span>
#include <string_view>

namespace wordbridge::studio {

/// A file of the page, as it is built into the program.
struct Asset {
  std::string_view path;  // "/studio.js"
  std::string_view type;
  std::string_view bytes;
};

/// The page is at "/".
std::span<const Asset> assets();
const Asset* find_asset(std::string_view path);

}  // namespace wordbridge::studio
