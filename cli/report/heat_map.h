#pragma once
#include <optional>
#include <string>
#include <vector>

namespace wordbridge {

/// Numbers between pairs of things as an inline SVG picture: a cell for each, the darker the larger. It takes its
/// colors from the page around it.
struct HeatMap {
  std::string title;                                       // read out instead of the picture; not drawn
  std::string row_title, col_title;                        // what rows and columns are
  std::vector<std::string> labels;                         // of rows and of columns
  std::vector<std::vector<std::optional<double>>> values;  // a row for each label; nothing: an empty cell
  double most = 100;                                       // the value of the darkest cell

  std::string to_svg() const;
};

}  // namespace wordbridge
