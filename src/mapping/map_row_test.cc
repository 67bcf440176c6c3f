#include "mapping/map_row.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::map_row_test {
namespace {

TEST(MapRowTest, IsWhatTheWholeTableGives) {
  for (const char* chain : {"none", "unit", "unit,center"}) {
    Matrix table = random_matrix(50, 37, 1);
    std::ranges::fill(table.row(3), 0.0f);
    Matrix copy = table;
    const Normalizer normalizer = Normalizer::fit(Normalizer::parse(chain), copy);
    Mapping mapping(random_matrix(21, 37, 2), normalizer, {});
    for (const bool intercept : {false, true}) {
      const Matrix shift = random_matrix(1, 21, 3);
      if (intercept) mapping.set_source_intercept({shift.elements().begin(), shift.elements().end()});
      for (const bool unit : {false, true}) {
        const Matrix all = mapping.mapped(table, Side::source, unit);
        Matrix one(50, 21);
        for (std::size_t i = 0; i < 50; ++i) map_row(mapping, table.row(i), unit, one.row(i));
        EXPECT_LT(largest_difference(one, all), 1e-4);
      }
    }
  }
}

TEST(MapRowTest, RefusesOtherDimensions) {
  const Mapping mapping(random_matrix(2, 3, 1), {}, {});
  std::vector<float> row(4), result(2);
  EXPECT_THROW(map_row(mapping, row, true, result), UsageError);
}

}  // namespace
}  // namespace wordbridge::map_row_test
