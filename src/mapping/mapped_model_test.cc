#include "mapping/mapped_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/temporary_folder_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::mapped_model_test {
namespace {

using ::testing::HasSubstr;

const std::string kModel = WORDBRIDGE_SOURCE_DIR "/tests/formats/fasttext/subwords.bin";

double cosine(std::span<const float> a, std::span<const float> b) {
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += double{a[i]} * b[i];
    aa += double{a[i]} * a[i];
    bb += double{b[i]} * b[i];
  }
  return ab / std::sqrt(aa * bb);
}

Normalizer fitted(const char* chain, Matrix table) { return Normalizer::fit(Normalizer::parse(chain), table); }

TEST(MappedModel, VectorsOfSeenAndUnseenWordsPointWhereTheMappingsDo) {
  const WordVectors vectors = read_vectors(kModel);
  const std::size_t d = vectors.dimension();
  const Mapping mapping(random_matrix(d + 1, d, 1), fitted("unit", vectors.table()), {});
  const TemporaryFolder folder;
  const ModelRemarks remarks = write_mapped_model(mapping, {}, kModel, *open_bytes(kModel), folder.path("mapped.bin"));
  EXPECT_FALSE(remarks.warning);
  EXPECT_THAT(remarks.note, HasSubstr("lengths are not 1"));
  const WordVectors written = read_vectors(folder.path("mapped.bin"));
  const WordVectors wanted = mapping.mapped(vectors, Side::source, true);
  ASSERT_EQ(written.size(), wanted.size());
  EXPECT_EQ(written.dimension(), d + 1);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_GT(cosine(written.table().row(i), wanted.table().row(i)), 0.9999) << i;
  EXPECT_GT(cosine(*written.subword_vector("neverseen"), *wanted.subword_vector("neverseen")), 0.9999);
}

TEST(MappedModel, WhatMeansCannotFollowIsRefusedOrApproximated) {
  const WordVectors vectors = read_vectors(kModel);
  const std::size_t d = vectors.dimension();
  const Mapping mapping(Matrix::identity(d), fitted("unit,center", vectors.table()), {});
  const TemporaryFolder folder;
  const auto write = [&](const ModelMapping& how) {
    return write_mapped_model(mapping, how, kModel, *open_bytes(kModel), folder.path("mapped.bin"));
  };
  EXPECT_THROW(write({}), UsageError);
  EXPECT_THROW(write({.approximate = true, .read_twice = false}), UsageError);
  EXPECT_EQ(folder.files(), 0u);
  EXPECT_THAT(write({.approximate = true}).note, HasSubstr("mean cosine"));
}

}  // namespace
}  // namespace wordbridge::mapped_model_test
