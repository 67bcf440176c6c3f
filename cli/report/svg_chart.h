#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace wordbridge {

/// Curves as an inline SVG picture, which takes its colors from the page around it: classes c0, c1, ... for the series,
/// `axis` and `grid` for lines; text is in the page's color.
struct LineChart {
  struct Series {
    std::string name;
    std::vector<std::pair<double, double>> points;  // in the order in which they are joined
    bool joined = true;                             // else only marks
  };

  std::string title;  // read out instead of the picture; not drawn
  std::string x_title, y_title;
  bool logarithmic_x = false;  // all x must be above 0 then
  std::vector<Series> series;

  std::string to_svg() const;
};

/// Groups of bars, heights on a logarithmic scale: for counts that range from one to thousands. A count of 0 has no
/// bar.
struct LogBarChart {
  struct Series {
    std::string name;
    std::vector<std::size_t> counts;  // one for each label; those that are missing are 0
  };

  std::string title;
  std::string x_title, y_title;
  std::vector<std::string> labels;
  std::vector<Series> series;

  std::string to_svg() const;
};

/// Round numbers, at most about `count` and at least two, that span [low, high]: 1, 2 or 5 times a power of ten apart.
std::vector<double> round_ticks(double low, double high, std::size_t count);

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
