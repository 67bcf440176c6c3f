#include "cli/report/heat_map.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/report/table.h"

namespace wordbridge {

namespace {

constexpr double kLabelWidth = 7.5, kDarkest = 0.62;  // a share of the color that letters can be read on
constexpr std::size_t kMostNumbers = 24;              // labels, beyond which a cell has no room for its number

}  // namespace

std::string HeatMap::to_svg() const {
  const bool numbers = labels.size() <= kMostNumbers;
  const double cell_width = numbers ? 44 : 9, cell_height = numbers ? 28 : 9;
  std::size_t longest = 2;
  for (const std::string& label : labels) longest = std::max(longest, std::min<std::size_t>(label.size(), 16));
  const double left = kLabelWidth * static_cast<double>(longest) + 34, top = numbers ? 46 : left;
  const double width = left + cell_width * static_cast<double>(labels.size()) + 8;
  const double height = top + cell_height * static_cast<double>(labels.size()) + 8;
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}\" style=\"max-width: {:g}px\">\n", width,
                  height, escape_html(title), width * 1.2);
  svg += fmt::format("<text class=\"small\" x=\"{:g}\" y=\"14\" text-anchor=\"middle\">{}</text>\n", (left + width) / 2,
                     escape_html(col_title));
  svg += fmt::format(
      "<text class=\"small\" transform=\"translate(14 {:g}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      (top + height) / 2, escape_html(row_title));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double x = left + cell_width * (static_cast<double>(i) + 0.5),
                 y = top + cell_height * (static_cast<double>(i) + 0.5);
    svg += fmt::format("<text class=\"small\" x=\"{:g}\" y=\"{:g}\" text-anchor=\"end\">{}</text>\n", left - 6, y + 4,
                       escape_html(labels[i]));
    svg += numbers ? fmt::format("<text class=\"small\" x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{}</text>\n", x,
                                 top - 8, escape_html(labels[i]))
                   : fmt::format("<text class=\"small\" transform=\"translate({:g} {:g}) rotate(-90)\">{}</text>\n",
                                 x + 4, top - 6, escape_html(labels[i]));
  }
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = 0; j < labels.size(); ++j) {
      if (!values[i][j]) continue;
      const double x = left + cell_width * static_cast<double>(j), y = top + cell_height * static_cast<double>(i);
      const double share = std::clamp(*values[i][j] / most, 0.0, 1.0);
      svg += fmt::format(
          "<g><title>{} to {}: {:.1f}</title><rect class=\"c0\" stroke-width=\"0\" x=\"{:g}\" y=\"{:g}\" "
          "width=\"{:g}\" "
          "height=\"{:g}\" fill-opacity=\"{:.3f}\"/>",
          escape_html(labels[i]), escape_html(labels[j]), *values[i][j], x, y, cell_width - 1, cell_height - 1,
          0.04 + (kDarkest - 0.04) * share);
      if (numbers)
        svg += fmt::format("<text class=\"small\" x=\"{:g}\" y=\"{:g}\" text-anchor=\"middle\">{:.1f}</text>",
                           x + cell_width / 2, y + cell_height / 2 + 4, *values[i][j]);
      svg += "</g>\n";
    }
  return svg + "</svg>\n";
}

}  // namespace wordbridge
