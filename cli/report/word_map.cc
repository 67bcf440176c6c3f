#include "cli/report/word_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include "cli/report/table.h"
#include "linalg/lapack.h"

namespace wordbridge::cli {

namespace {

constexpr double kPictureWidth = 640, kPictureHeight = 420, kPictureMargin = 14, kLetterWidth = 7.2, kLineHeight = 15;

struct Point {
  double x, y;
};

/// Where rows lie along the two directions in which they differ most, scaled to the picture. The sign of a direction is
/// such that the row farthest out has a positive place.
std::vector<Point> places_of(const MatrixD& rows) {
  MatrixD centered = rows;
  for (std::size_t j = 0; j < rows.cols(); ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) mean += rows(i, j);
    mean /= static_cast<double>(rows.rows());
    for (std::size_t i = 0; i < rows.rows(); ++i) centered(i, j) -= mean;
  }
  const Svd decomposition = svd(centered);
  std::vector<Point> places(rows.rows(), {0, 0});
  const std::size_t axes = std::min<std::size_t>(2, decomposition.s.size());
  for (std::size_t axis = 0; axis < axes; ++axis) {
    double farthest = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i)
      if (std::abs(decomposition.u(i, axis)) > std::abs(farthest)) farthest = decomposition.u(i, axis);
    for (std::size_t i = 0; i < rows.rows(); ++i)
      (axis == 0 ? places[i].x : places[i].y) = farthest == 0 ? 0 : decomposition.u(i, axis) / farthest;
  }
  return places;
}

/// From places around 0 to those of the picture, with room for words at the right.
void fit(std::vector<Point>& places) {
  constexpr double kRoom = 90;
  const auto [left, right] = std::ranges::minmax(places, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(places, {}, &Point::y);
  const double width = std::max(right.x - left.x, 1e-9), height = std::max(bottom.y - top.y, 1e-9);
  const Point first = {left.x, top.y};
  for (Point& place : places) {
    place.x = kPictureMargin + (place.x - first.x) / width * (kPictureWidth - 2 * kPictureMargin - kRoom);
    place.y = kPictureMargin + kLineHeight +
              (place.y - first.y) / height * (kPictureHeight - 3 * kPictureMargin - 2 * kLineHeight);
  }
}

/// What a word and its mark cover.
struct Box {
  double left, top, right, bottom;
  bool meets(const Box& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

Box box_of(Point place, std::string_view word) {
  // Letters, not bytes: continuation bytes of UTF-8 do not count.
  const auto letters =
      std::ranges::count_if(word, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return {place.x - 5, place.y - kLineHeight / 2, place.x + 8 + kLetterWidth * static_cast<double>(letters),
          place.y + kLineHeight / 2};
}

std::string word_at(Point place, std::string_view word, int color) {
  return fmt::format(
      "<circle class=\"c{0}\" cx=\"{1:.1f}\" cy=\"{2:.1f}\" r=\"3\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\">{5}</text>\n",
      color, place.x, place.y, place.x + 6, place.y + 4, escape_html(word));
}

MatrixD rows_of(const CommonSpace& space, std::span<const Lexicon::Pair> pairs) {
  MatrixD rows(2 * pairs.size(), space.dimension());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::ranges::copy(space.table(Side::source).row(pairs[i].source), rows.row(2 * i).begin());
    std::ranges::copy(space.table(Side::target).row(pairs[i].target), rows.row(2 * i + 1).begin());
  }
  return rows;
}

}  // namespace

std::string word_map_svg(const CommonSpace& space, std::span<const Lexicon::Pair> pairs) {
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"Words of both languages in the common space\">\n",
      kPictureWidth, kPictureHeight);
  if (pairs.size() < 2) return svg + "</svg>\n";
  std::vector<Point> places = places_of(rows_of(space, pairs));
  fit(places);
  std::vector<Box> taken;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Point from = places[2 * i], to = places[2 * i + 1];
    const std::string_view source = space.vocabulary(Side::source)[pairs[i].source],
                           target = space.vocabulary(Side::target)[pairs[i].target];
    const std::array<Box, 2> boxes = {box_of(from, source), box_of(to, target)};
    const auto is_free = [&](const Box& box) {
      return std::ranges::none_of(taken, [&](const Box& other) { return box.meets(other); });
    };
    if (boxes[0].meets(boxes[1]) || !is_free(boxes[0]) || !is_free(boxes[1])) continue;
    taken.insert(taken.end(), boxes.begin(), boxes.end());
    svg += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n", from.x,
                       from.y, to.x, to.y);
    svg += word_at(from, source, 0) + word_at(to, target, 1);
  }
  return svg + "</svg>\n";
}

}  // namespace wordbridge::cli
