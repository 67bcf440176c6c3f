#include "mapping/space_identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "wordbridge/error.h"

namespace wordbridge::space_identity_test {
namespace {

using ::testing::HasSubstr;

WordVectors vectors_of(std::size_t words, float first) {
  Vocabulary vocabulary;
  Matrix table(words, 2);
  for (std::size_t i = 0; i < words; ++i) {
    vocabulary.add(std::to_string(i));
    table(i, 0) = first + static_cast<float>(i);
  }
  return {std::move(vocabulary), std::move(table)};
}

Matrix scaled_identity(float scale) {
  Matrix w(2, 2);
  w(0, 0) = w(1, 1) = scale;
  return w;
}

Mapping mapping_of(std::uint64_t source_head, std::uint64_t target_head, float w, std::optional<float> v = {},
                   const char* normalization = "none") {
  Matrix table(1, 2);
  const auto steps = Normalizer::parse(normalization);
  Normalizer normalizer = Normalizer::fit(steps, table);
  Mapping mapping(scaled_identity(w), normalizer, normalizer,
                  v ? std::optional(scaled_identity(*v)) : std::optional<Matrix>());
  mapping.provenance.source.head = source_head;
  mapping.provenance.target.head = target_head;
  return mapping;
}

TEST(SpaceIdentity, HeadsDoNotDependOnHowManyWordsAreRead) {
  EXPECT_EQ(head_digest(vectors_of(150, 1)), head_digest(vectors_of(1000, 1)));
  EXPECT_NE(head_digest(vectors_of(150, 1)), head_digest(vectors_of(150, 2)));
  EXPECT_NE(head_digest(vectors_of(50, 1)), head_digest(vectors_of(51, 1)));
}

TEST(SpaceIdentity, LanguagesWithOneTargetShareItsSpace) {
  const std::uint64_t english = space_identity(mapping_of(7, 9, 1));
  EXPECT_NE(english, 0u);
  EXPECT_EQ(space_identity(mapping_of(8, 9, 2)), english);
  EXPECT_NE(space_identity(mapping_of(7, 10, 1)), english) << "another target";
  EXPECT_NE(space_identity(mapping_of(7, 9, 1, {}, "unit")), english) << "another normalization";
  EXPECT_NE(space_identity(mapping_of(7, 9, 1, 1)), english) << "the target moves";
  EXPECT_EQ(space_identity(mapping_of(7, 0, 1)), 0u) << "unknown vectors";
}

TEST(SpaceIdentity, MapsOfBothSidesHaveASpaceOfTheirOwn) {
  const std::uint64_t own = space_identity(mapping_of(7, 9, 1, 2));
  EXPECT_NE(space_identity(mapping_of(8, 9, 1, 2)), own);
  EXPECT_NE(space_identity(mapping_of(7, 9, 3, 2)), own);
  EXPECT_NE(space_identity(mapping_of(7, 9, 1, 3)), own);
  EXPECT_EQ(space_identity(mapping_of(9, 7, 2, 1)), own) << "the sides swapped";
}

TEST(SpaceIdentity, NamesGoBackAndForth) {
  for (const std::uint64_t identity : {std::uint64_t{1}, std::uint64_t{0x89ABCDEF}, ~std::uint64_t{0}})
    EXPECT_EQ(parse_space_name(space_name(identity)), identity);
  for (const char* bad : {"", "12", "000000000000000g", "00000000000000001", "-000000000000001"})
    EXPECT_EQ(parse_space_name(bad), 0u) << bad;
}

TEST(SpaceIdentity, RefusesToMixSpaces) {
  EXPECT_NO_THROW(require_one_space("a", 5, "b", 5));
  EXPECT_NO_THROW(require_one_space("a", 0, "b", 5));
  EXPECT_NO_THROW(require_one_space("a", 5, "b", 0));
  try {
    require_one_space("a.wbvec", 5, "b.wbvec", 6);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("a.wbvec is in common space 00000000, b.wbvec in 00000000"));
    EXPECT_THAT(error.what(), HasSubstr("map both sides by one mapping"));
  }
}

}  // namespace
}  // namespace wordbridge::space_identity_test
