#include "retrieval/inner_product_export.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/temporary_folder_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/criterion.h"

namespace wordbridge::inner_product_export_test {
namespace {

WordVectors named(Matrix table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.rows(); ++i) names.push_back(std::to_string(i));
  return WordVectors(Vocabulary(names), std::move(table));
}

Matrix written(const TemporaryFolder& folder, const CommonSpace& space, bool items, InnerProductFormat format,
               std::size_t header, std::size_t rows) {
  AtomicFile file(folder.path("x"));
  if (items)
    write_csls_items(space, 3, format, file);
  else
    write_csls_queries(space, format, file);
  file.commit();
  const std::string bytes = folder.read("x");
  Matrix table(rows, 6);
  EXPECT_EQ(bytes.size(), header + table.size() * sizeof(float));
  std::memcpy(table.data(), bytes.data() + header, table.size() * sizeof(float));
  return table;
}

TEST(InnerProductExportTest, InnerProductsRankAsCsls) {
  Matrix targets = random_matrix(40, 5, 2);
  std::ranges::fill(targets.row(7), 0.0f);
  const CommonSpace space(named(random_matrix(30, 5, 1)), named(targets));
  const TemporaryFolder folder;
  constexpr std::size_t kNpy = 128, kFaiss = 45;
  const Matrix items = written(folder, space, true, InnerProductFormat::npy, kNpy, 40);
  const Matrix queries = written(folder, space, false, InnerProductFormat::npy, kNpy, 30);
  EXPECT_EQ(written(folder, space, true, InnerProductFormat::faiss, kFaiss, 40), items);
  const auto csls = make_criterion("csls", space, {.neighbors = 3});
  const Candidates best = csls->best(space.table(Side::source), 39);
  for (std::size_t q = 0; q < 30; ++q) {
    std::vector<std::pair<double, WordId>> ranked;
    for (WordId i = 0; i < 40; ++i) {
      double score = 0;
      for (std::size_t j = 0; j < 6; ++j) score += double{queries(q, j)} * items(i, j);
      ranked.emplace_back(-score, i);
    }
    std::ranges::sort(ranked);
    for (std::size_t k = 0; k < 39; ++k) EXPECT_EQ(ranked[k].second, best.targets_of(q)[k]);
    EXPECT_EQ(ranked.back().second, 7u) << "the row without a direction comes last";
  }
}

}  // namespace
}  // namespace wordbridge::inner_product_export_test
