#include "mapping/map_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "mapping/mapping_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::map_export_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<float> last_floats(const std::string& bytes, std::size_t count) {
  std::vector<float> values(count);
  std::memcpy(values.data(), bytes.data() + bytes.size() - count * sizeof(float), count * sizeof(float));
  return values;
}

TEST(MapExportTest, AnNpyHoldsTheMapAndItsIntercept) {
  Mapping mapping = small_mapping();  // W = [[0, 1], [1, 0]]
  mapping.set_source_intercept({5, 6});
  const std::string bytes = npy_bytes(mapping, Side::source);
  EXPECT_THAT(bytes, HasSubstr("'shape': (2, 3), }"));
  EXPECT_EQ(bytes.size() % 64, 24u) << "the header ends where a block of 64 bytes does";
  EXPECT_THAT(last_floats(bytes, 6), ElementsAre(0, 1, 5, 1, 0, 6));
  EXPECT_THROW(npy_bytes(full_mapping(), Side::source), UsageError) << "one matrix cannot say how to normalize";
}

TEST(MapExportTest, AnNpzHoldsMeansToo) {
  const std::string bytes = npz_bytes(full_mapping(), Side::target);
  for (const char* name : {"W.npy", "b.npy", "mean0.npy", "mean1.npy"}) EXPECT_THAT(bytes, HasSubstr(name));
  EXPECT_THAT(bytes, HasSubstr("'shape': (2, 4), }"));
  EXPECT_THAT(bytes, HasSubstr("'shape': (4,), }"));
  EXPECT_EQ(bytes, npz_bytes(full_mapping(), Side::target));
}

TEST(MapExportTest, AnOnnxModelHasAStepForEachPart) {
  const std::string bytes = onnx_bytes(full_mapping(), Side::source, true);  // unit, center, unit
  std::size_t normalizations = 0;
  for (std::size_t at = bytes.find("\"\x0fLpNormalization"); at != std::string::npos;
       at = bytes.find("\"\x0fLpNormalization", at + 1))
    ++normalizations;
  EXPECT_EQ(normalizations, 3u);
  EXPECT_THAT(bytes, HasSubstr("Gemm"));
  EXPECT_THAT(bytes, HasSubstr("mean0"));
  EXPECT_THAT(onnx_bytes(small_mapping(), Side::source, false), testing::Not(HasSubstr("LpNormalization")));
}

}  // namespace
}  // namespace wordbridge::map_export_test
