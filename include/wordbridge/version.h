#pragma once
#include <string_view>

namespace [[gnu::visibility("default")]] wordbridge {

/// The library's version, such as "0.1.0".
std::string_view version();

}  // namespace wordbridge
