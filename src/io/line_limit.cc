#include "io/line_limit.h"

#include <fmt/format.h>

#include <utility>

namespace wordbridge {

InputError line_too_long(std::string path, std::uint64_t line, std::string_view kind) {
  return {std::move(path), line, fmt::format("a line of more than {} MB: not {}", kMostLineBytes >> 20, kind)};
}

}  // namespace wordbridge
