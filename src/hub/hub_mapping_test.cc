#include "hub/hub_mapping.h"

#include <gtest/gtest.h>

#include "linalg/random_matrix_test_support.h"
#include "mapping/space_identity.h"
#include "wordbridge/error.h"

namespace wordbridge::hub_mapping_test {

constexpr std::size_t kRows = 20;

/// A language of d_s dimensions and a pivot of 5.
Mapping to_pivot(std::size_t dimension, std::uint64_t seed, bool both_sides = false) {
  Mapping mapping(random_orthogonal(5, dimension, seed), Normalizer(), Normalizer(),
                  both_sides ? std::optional(random_orthogonal(5, 5, seed + 100)) : std::nullopt);
  mapping.provenance.target = {"en.vec", "c", 3, 5, 77};
  mapping.provenance.source = {"es.vec", "d", 3, dimension, seed};
  mapping.provenance.method = "m";
  return mapping;
}

TEST(HubMapping, FromThePivotAllScoresStayTheSame) {
  for (const bool both_sides : {false, true}) {
    const Mapping there = to_pivot(4, 1, both_sides), back = from_pivot(there);
    const Matrix words = random_matrix(kRows, 4, 2), pivot = random_matrix(kRows, 5, 3);
    EXPECT_EQ(back.mapped(pivot, Side::source, true), there.mapped(pivot, Side::target, true));
    EXPECT_EQ(back.mapped(words, Side::target, true), there.mapped(words, Side::source, true));
    EXPECT_EQ(back.provenance.target.name, "es.vec");
  }
}

TEST(HubMapping, BetweenTwoLanguagesBothGoToThePivot) {
  const Mapping first = to_pivot(4, 1), second = to_pivot(3, 2);
  const Mapping both = between(first, second);
  const Matrix words = random_matrix(kRows, 4, 3), others = random_matrix(kRows, 3, 4);
  EXPECT_EQ(both.mapped(words, Side::source, true), first.mapped(words, Side::source, true));
  EXPECT_EQ(both.mapped(others, Side::target, true), second.mapped(others, Side::source, true));
  EXPECT_EQ(both.provenance.source.head, 1u);
  EXPECT_EQ(both.provenance.target.head, 2u);
}

TEST(HubMapping, ThePivotsMapIsUndoneWhereItMoves) {
  const Mapping first = to_pivot(4, 1, true), second = to_pivot(5, 2, true);
  const Mapping both = between(first, second);
  const Matrix words = random_matrix(kRows, 4, 3), others = random_matrix(kRows, 5, 4);
  // x goes to V_2 V_1^T W_1 x: from the space of the first to the pivot's, and on to that of the second.
  const Mapping pivot = into_pivot_space(first);
  EXPECT_LT(largest_difference(both.mapped(words, Side::source, true),
                               second.mapped(pivot.mapped(words, Side::source, false), Side::target, true)),
            1e-5);
  EXPECT_EQ(both.mapped(others, Side::target, true), second.mapped(others, Side::source, true));
}

TEST(HubMapping, InThePivotsSpaceLanguagesCanBeCompared) {
  const Mapping one = to_pivot(4, 1), other = to_pivot(5, 2, true);
  double distortion = 1;
  EXPECT_EQ(space_identity(into_pivot_space(one)), space_identity(into_pivot_space(other, &distortion)));
  EXPECT_LT(distortion, 1e-4);  // its maps are rotations
  EXPECT_EQ(space_identity(pivot_itself(one)), space_identity(one));
  const Matrix pivot = random_matrix(kRows, 5, 3);
  EXPECT_EQ(pivot_itself(one).mapped(pivot, Side::source, true), one.mapped(pivot, Side::target, true));
}

TEST(HubMapping, OtherPivotsAreRefused) {
  Mapping other = to_pivot(3, 2);
  other.provenance.target.head = 78;
  EXPECT_THROW(between(to_pivot(4, 1), other), UsageError);
}

}  // namespace wordbridge::hub_mapping_test
