#pragma once
#include <span>
#include <string>

#include "wordbridge/common_space.h"
#include "wordbridge/lexicon.h"

namespace wordbridge::cli {

/// Where pairs of words lie in the common space, as an inline SVG picture (svg_chart.h says where its colors come
/// from): the plane in which these words differ most (their two principal directions), a line between the words of a
/// pair. Pairs whose words would be written over others are left out, the earlier ones win.
std::string word_map_svg(const CommonSpace& space, std::span<const Lexicon::Pair> pairs);

}  // namespace wordbridge::cli
