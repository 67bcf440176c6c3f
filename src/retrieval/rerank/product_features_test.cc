#include "retrieval/rerank/product_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::product_features_test {
namespace {

using ::testing::ElementsAre;

TEST(ProductFeatures, OnlyThoseWhoseFactorsAreThere) {
  const ProductFeatures products({"edit", "cosine", "equal"});
  EXPECT_THAT(products.names(), ElementsAre("equal x cosine", "edit x cosine"));
  MatrixD factors(2, 3), values(2, 2);
  factors(0, 0) = 2, factors(0, 1) = 3, factors(0, 2) = 5;
  factors(1, 1) = 1;
  products.compute(factors, values);
  EXPECT_EQ(values(0, 0), 15);
  EXPECT_EQ(values(0, 1), 6);
  EXPECT_EQ(values(1, 0), 0);
  EXPECT_TRUE(ProductFeatures({"cosine", "csls"}).names().empty());
}

}  // namespace
}  // namespace wordbridge::product_features_test
