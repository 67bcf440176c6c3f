#include "studio/layout.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"
#include "search/neighbor_search.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::studio {
namespace layout_test {

constexpr std::size_t kGroups = 6, kEach = 30, kDimension = 12;

/// Words of both languages around some centers: word i belongs to group i mod kGroups.
Matrix clouds(std::uint64_t seed) {
  Random centers(7), random(seed);
  Matrix center(kGroups, kDimension), rows(kGroups * kEach, kDimension);
  for (float& value : center.elements()) value = static_cast<float>(centers.normal());
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t j = 0; j < kDimension; ++j)
      rows(i, j) = center(i % kGroups, j) + static_cast<float>(0.15 * random.normal());
  normalize_rows(rows);
  return rows;
}

WordVectors vectors(Matrix rows, char letter) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < rows.rows(); ++i) words.push_back(letter + std::to_string(i));
  return {Vocabulary(words), std::move(rows)};
}

CommonSpace space() { return {vectors(clouds(1), 's'), vectors(clouds(2), 't')}; }

double distance(const Layout& layout, std::size_t a, std::size_t b) {
  return std::hypot(layout.positions[2 * a] - layout.positions[2 * b],
                    layout.positions[2 * a + 1] - layout.positions[2 * b + 1]);
}

TEST(Layout, ThePlaneIsThatOfTheLargestVariance) {
  // Along one axis words differ by 4, along another by 1, else by nothing.
  Matrix rows(40, 5);
  for (std::size_t i = 0; i < 40; ++i) {
    rows(i, 1) = i % 2 == 0 ? 4.0F : -4.0F;
    rows(i, 3) = i % 4 < 2 ? 1.0F : -1.0F;
    rows(i, 4) = 2;
  }
  Matrix unit = rows;
  normalize_rows(unit);
  const CommonSpace space(vectors(rows, 's'), vectors(rows, 't'));
  const Layout layout = pca_layout(space, nullptr, 40, 40);
  ASSERT_EQ(layout.positions.size(), 2U * 120U);
  for (std::size_t i = 0; i < 80; ++i) {
    EXPECT_NEAR(std::abs(layout.positions[2 * i]), unit(0, 1), 1e-5);
    EXPECT_NEAR(std::abs(layout.positions[2 * i + 1]), unit(0, 3), 1e-5);
  }
  // Nobody told where they were before: where they are.
  for (std::size_t i = 0; i < 80; ++i) EXPECT_EQ(layout.positions[160 + i], layout.positions[i]);
}

TEST(Layout, FewerWordsAndOtherDimensionsBefore) {
  const auto before = [](std::size_t begin, std::size_t end) {
    Matrix rows(end - begin, 3);
    for (std::size_t i = 0; i < rows.rows(); ++i) rows(i, 0) = 1;
    return rows;
  };
  const Layout layout = pca_layout(space(), before, 10, 1000);
  EXPECT_EQ(layout.source, 10U);
  EXPECT_EQ(layout.target, kGroups * kEach);
  const std::size_t first = 2 * (layout.source + layout.target);
  for (std::size_t i = 1; i < 10; ++i) EXPECT_EQ(layout.positions[first + 2 * i], layout.positions[first]);
}

TEST(Layout, NeighborhoodsComeTogether) {
  const CommonSpace both = space();
  const Layout start = pca_layout(both, nullptr, 1000, 1000);
  UmapOptions options;
  options.neighbors = 10;
  const Layout layout = umap_layout(both, nullptr, start, options);
  const std::size_t words = 2 * kGroups * kEach;
  std::size_t together = 0;
  for (std::size_t i = 0; i < words; ++i) {
    std::size_t nearest = i == 0 ? 1 : 0;
    for (std::size_t j = 0; j < words; ++j)
      if (j != i && distance(layout, i, j) < distance(layout, i, nearest)) nearest = j;
    // Places of target words begin at a multiple of the number of groups.
    together += nearest % kGroups == i % kGroups;
  }
  EXPECT_GT(together, words * 95 / 100);
  EXPECT_GT(layout.kept, 0.3);
  const Matrix rows = joint_rows(both, layout.source, layout.target);
  const Neighbors nearest = nearest_others(rows, 10);
  EXPECT_GT(neighbors_kept(nearest, layout.positions, 1), neighbors_kept(nearest, start.positions, 1));
}

TEST(Layout, IsTheSameForAnyNumberOfThreads) {
  const CommonSpace both = space();
  const Layout start = pca_layout(both, nullptr, 1000, 1000);
  UmapOptions options;
  options.epochs = 30;
  std::vector<std::string> made;
  for (const int threads : {1, 2, 3}) {
    Context context({.threads = threads});
    const Context::Scope scope(context);
    made.push_back(umap_layout(both, nullptr, start, options).to_bytes());
  }
  EXPECT_EQ(made[0], made[1]);
  EXPECT_EQ(made[0], made[2]);
  options.seed = 2;
  EXPECT_NE(made[0], umap_layout(both, nullptr, start, options).to_bytes());
}

TEST(Layout, CanBeCancelled) {
  const CommonSpace both = space();
  const Layout start = pca_layout(both, nullptr, 1000, 1000);
  Context context;
  const Context::Scope scope(context);
  context.cancel();
  EXPECT_THROW(umap_layout(both, nullptr, start), Cancelled);
}

TEST(Layout, WordsBeforeStandAtTheTargetsTheyWereNearTo) {
  const CommonSpace both = space();
  const Layout start = pca_layout(both, nullptr, 1000, 1000);
  // Before, source word i was exactly target word 0.
  const auto before = [&](std::size_t begin, std::size_t end) {
    Matrix rows(end - begin, kDimension);
    for (std::size_t i = 0; i < rows.rows(); ++i)
      std::ranges::copy(both.table(Side::target).row(0), rows.row(i).begin());
    return rows;
  };
  UmapOptions options;
  options.epochs = 20;
  const Layout layout = umap_layout(both, before, start, options);
  const std::size_t target = layout.source, moved = layout.source + layout.target;
  for (std::size_t i = 0; i < layout.source; ++i) {
    EXPECT_EQ(layout.positions[2 * (moved + i)], layout.positions[2 * moved]);
    EXPECT_LT(distance(layout, moved + i, target), 3);
  }
}

TEST(Layout, SmallAndEmptySpaces) {
  Matrix one(1, 4);
  one(0, 0) = 1;
  for (const auto& [source, target] : {std::pair<std::size_t, std::size_t>{1, 1}, {1, 0}, {0, 1}, {0, 0}}) {
    const CommonSpace tiny(vectors(source ? one : Matrix(0, 4), 's'), vectors(target ? one : Matrix(0, 4), 't'));
    const Layout start = pca_layout(tiny, nullptr, 9, 9);
    const Layout layout = umap_layout(tiny, nullptr, start);
    EXPECT_EQ(layout.positions.size(), 2 * (2 * source + target));
    for (const float value : layout.positions) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST(Layout, ComesBackFromItsBytesAndFromNoOthers) {
  Layout layout{"umap", 2, 1, std::vector<float>(10), 0.25};
  std::iota(layout.positions.begin(), layout.positions.end(), 1.0F);
  const std::string bytes = layout.to_bytes();
  EXPECT_EQ(bytes.size(), 24U + 40U);
  const Layout again = Layout::parse(bytes, "umap");
  EXPECT_EQ(again.positions, layout.positions);
  EXPECT_EQ(again.kept, layout.kept);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_THROW(Layout::parse(std::string_view(bytes).substr(0, length), "umap"), InputError);
  std::string forged = bytes;
  forged[8] = '\xff';
  forged[11] = '\xff';
  EXPECT_THROW(Layout::parse(forged, "umap"), InputError);
  EXPECT_THROW(Layout::parse("x" + bytes, "umap"), InputError);
}

}  // namespace layout_test
}  // namespace wordbridge::studio
