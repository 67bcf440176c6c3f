#pragma once
#include <string>
#include <string_view>

#include "wordbridge/context.h"

namespace wordbridge {

/// What the reading of a file is called: "reading en.vec".
inline std::string reading_stage(std::string_view path) {
  return "reading " + std::string(path.substr(path.rfind('/') + 1));
}

}  // namespace wordbridge
