#include "cli/report/svg_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "cli/report/table.h"

namespace wordbridge {

namespace {

constexpr double kWidth = 480, kHeight = 300;
constexpr double kLeft = 60, kRight = 12, kTop = 14, kBottom = 84;  // margins; titles and the legend are below
constexpr std::size_t kColors = 8;

double plot_width() { return kWidth - kLeft - kRight; }
double plot_height() { return kHeight - kTop - kBottom; }

std::string begin_svg(const std::string& title) {
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kWidth, kHeight,
                     escape_html(title));
}

std::string text_at(double x, double y, const char* anchor, const std::string& text, const char* more = "") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more,
                     escape_html(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* kind) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", kind, x1, y1, x2,
                     y2);
}

/// A shape of its own for each series: colors may be hard to tell apart, or not printed.
std::string mark(double x, double y, std::size_t series) {
  const std::size_t kind = series % kColors;
  switch (kind) {
    case 0:
      return fmt::format("<circle class=\"c{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", kind, x, y);
    case 1:
      return fmt::format("<rect class=\"c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\"/>\n", kind, x - 4,
                         y - 4);
    case 2:
      return fmt::format("<path class=\"c{}\" d=\"M{:.1f} {:.1f}l5 9h-10z\"/>\n", kind, x, y - 5);
    case 3:
      return fmt::format("<path class=\"c{}\" d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\"/>\n", kind, x, y - 5);
    case 4:
      return fmt::format("<path class=\"c{}\" d=\"M{:.1f} {:.1f}l5 -9h-10z\"/>\n", kind, x, y + 5);
    case 6:
      return fmt::format("<circle class=\"c{} open\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/>\n", kind, x, y);
    case 7:
      return fmt::format("<path class=\"c{} open\" d=\"M{:.1f} {:.1f}h8v8h-8z\"/>\n", kind, x - 4, y - 4);
    default:
      return fmt::format("<path class=\"c{} open\" d=\"M{:.1f} {:.1f}l8 8m0 -8l-8 8\"/>\n", kind, x - 4, y - 4);
  }
}

/// Titles of the axes and what marks mean.
template <class Series>
std::string captions(const std::string& x_title, const std::string& y_title, const std::vector<Series>& series) {
  std::string text = text_at(kLeft + plot_width() / 2, kHeight - kBottom + 38, "middle", x_title);
  text += text_at(14, kTop + plot_height() / 2, "middle", y_title,
                  fmt::format(" transform=\"rotate(-90 14 {:.1f})\"", kTop + plot_height() / 2).c_str());
  double x = kLeft, y = kHeight - 26;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double width = 28 + 7.5 * static_cast<double>(series[i].name.size());
    if (x + width > kWidth && x > kLeft) {
      x = kLeft;
      y += 18;
    }
    text += mark(x + 6, y - 4, i) + text_at(x + 16, y, "start", series[i].name);
    x += width;
  }
  return text;
}

std::string tick_label(double value) {
  if (value == 0) return "0";  // not -0
  return fmt::format("{:.6g}", value);
}

/// Where values go on a side of the picture.
struct Axis {
  double low, high;   // values at its ends
  double begin, end;  // their places
  bool logarithmic;
  std::vector<double> ticks;

  double place(double value) const {
    const auto scaled = [&](double v) { return logarithmic ? std::log(v) : v; };
    const double span = scaled(high) - scaled(low);
    return span == 0 ? (begin + end) / 2 : begin + (scaled(value) - scaled(low)) / span * (end - begin);
  }
};

Axis linear_axis(double low, double high, double begin, double end) {
  if (!(low <= high)) low = 0, high = 1;  // nothing to show
  const std::vector<double> ticks = round_ticks(low, high, 6);
  return {ticks.front(), ticks.back(), begin, end, false, ticks};
}

}  // namespace

std::vector<double> round_ticks(double low, double high, std::size_t count) {
  if (low == high) {
    const double room = low == 0 ? 1 : std::abs(low) / 10;
    low -= room;
    high += room;
  }
  const double raw = (high - low) / static_cast<double>(std::max<std::size_t>(count, 2) - 1);
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double ratio = raw / power;
  const double step = power * (ratio <= 1 ? 1 : ratio <= 2 ? 2 : ratio <= 5 ? 5 : 10);
  std::vector<double> ticks;
  const long first = std::lround(std::floor(low / step + 1e-9)), last = std::lround(std::ceil(high / step - 1e-9));
  for (long i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
  return ticks;
}

std::string LineChart::to_svg() const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double x_low = kInfinity, x_high = -kInfinity, y_low = kInfinity, y_high = -kInfinity;
  std::vector<double> xs;
  for (const Series& one : series)
    for (const auto& [x, y] : one.points) {
      x_low = std::min(x_low, x), x_high = std::max(x_high, x);
      y_low = std::min(y_low, y), y_high = std::max(y_high, y);
      xs.push_back(x);
    }
  std::ranges::sort(xs);
  xs.erase(std::unique(xs.begin(), xs.end()), xs.end());
  const Axis y_axis = linear_axis(y_low, y_high, kTop + plot_height(), kTop);
  const Axis x_axis = logarithmic_x && !xs.empty()
                          ? Axis{x_low, x_high, kLeft + 12, kLeft + plot_width() - 12, true, xs}
                          : linear_axis(x_low, x_high, kLeft, kLeft + plot_width());
  std::string svg = begin_svg(title);
  for (const double tick : y_axis.ticks) {
    const double y = y_axis.place(tick);
    svg += line(kLeft, y, kLeft + plot_width(), y, "grid") + text_at(kLeft - 8, y + 4, "end", tick_label(tick));
  }
  double free = -kInfinity;  // labels that would overlap are left out
  for (const double tick : x_axis.ticks) {
    const double x = x_axis.place(tick);
    svg += line(x, kTop + plot_height(), x, kTop + plot_height() + 5, "axis");
    if (x < free) continue;
    svg += text_at(x, kTop + plot_height() + 20, "middle", tick_label(tick));
    free = x + 8 * static_cast<double>(tick_label(tick).size()) + 8;
  }
  svg += line(kLeft, kTop + plot_height(), kLeft + plot_width(), kTop + plot_height(), "axis");
  for (std::size_t i = 0; i < series.size(); ++i) {
    std::string path;
    for (const auto& [x, y] : series[i].points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_axis.place(x), y_axis.place(y));
    if (series[i].joined && !path.empty())
      svg += fmt::format("<path class=\"c{} curve\" d=\"{}\"/>\n", i % kColors, path);
    for (const auto& [x, y] : series[i].points) svg += mark(x_axis.place(x), y_axis.place(y), i);
  }
  return svg + captions(x_title, y_title, series) + "</svg>\n";
}

std::string LogBarChart::to_svg() const {
  std::size_t largest = 1;
  for (const Series& one : series)
    for (const std::size_t count : one.counts) largest = std::max(largest, count);
  // From 0.5, so that a count of one shows as a bar.
  const int powers = std::max(1, static_cast<int>(std::ceil(std::log10(static_cast<double>(largest)) + 1e-9)));
  const Axis y_axis = {0.5, std::pow(10, powers), kTop + plot_height(), kTop, true, {}};
  std::string svg = begin_svg(title);
  for (int power = 0; power <= powers; ++power) {
    const double tick = std::pow(10, power);
    const double y = y_axis.place(tick);
    svg += line(kLeft, y, kLeft + plot_width(), y, "grid") + text_at(kLeft - 8, y + 4, "end", tick_label(tick));
  }
  const double slot = plot_width() / static_cast<double>(std::max<std::size_t>(labels.size(), 1));
  const double bar = slot * 0.8 / static_cast<double>(std::max<std::size_t>(series.size(), 1));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const double left = kLeft + slot * static_cast<double>(i);
    for (std::size_t j = 0; j < series.size(); ++j) {
      const std::size_t count = i < series[j].counts.size() ? series[j].counts[i] : 0;
      if (count == 0) continue;
      const double y = y_axis.place(static_cast<double>(count));
      svg += fmt::format("<rect class=\"c{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n",
                         j % kColors, left + slot * 0.1 + bar * static_cast<double>(j), y, bar, y_axis.begin - y);
    }
    svg += text_at(left + slot / 2, kTop + plot_height() + 18, "middle", labels[i], " class=\"small\"");
  }
  svg += line(kLeft, kTop + plot_height(), kLeft + plot_width(), kTop + plot_height(), "axis");
  return svg + captions(x_title, y_title, series) + "</svg>\n";
}

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
