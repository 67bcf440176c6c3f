#include "vectors/formats/fasttext_rewrite.h"

#include <gmock/gmock.h>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "wordbridge/formats.h"

namespace wordbridge::fasttext_rewrite_test {
namespace {

using ::testing::HasSubstr;

const std::string kModels = WORDBRIDGE_SOURCE_DIR "/tests/formats/fasttext/";

std::string bytes_of(const std::string& name) { return read_whole(kModels + name, 1 << 20, "a small model"); }

struct FastTextRewrite : ::testing::Test {
  void rewrite(const std::string& bytes, const FastTextMaps& maps, bool size_known = true) {
    MemoryStream stream(bytes, size_known);
    AtomicFile file(folder.path("out.bin"));
    rewrite_fasttext_model(stream, file, maps);
  }
  static FastTextMaps same(std::size_t dimension) {
    return {dimension, [](Matrix rows) { return rows; }, [](Matrix rows) { return rows; }};
  }
  static std::size_t dimension_of(const std::string& name) { return open_vectors(kModels + name)->dimension(); }
  TemporaryFolder folder;
};

TEST_F(FastTextRewrite, ThatChangesNothingGivesTheSameBytes) {
  for (const char* name : {"subwords.bin", "words.bin", "classifier.bin"}) {
    rewrite(bytes_of(name), same(dimension_of(name)));
    EXPECT_TRUE(folder.read("out.bin") == bytes_of(name)) << name;
    rewrite(bytes_of(name), same(dimension_of(name)), false);
    EXPECT_TRUE(folder.read("out.bin") == bytes_of(name)) << name;
  }
}

TEST_F(FastTextRewrite, MapsWordsAndSubwordsToAnotherDimension) {
  const WordVectors before = read_vectors(kModels + "subwords.bin");
  const Matrix w = random_matrix(7, before.dimension(), 1);
  const auto map = [&](Matrix rows) { return multiply_abt(rows, w); };
  rewrite(bytes_of("subwords.bin"), {7, map, map});
  const WordVectors after = read_vectors(folder.path("out.bin"));
  ASSERT_EQ(after.dimension(), 7u);
  ASSERT_EQ(after.size(), before.size());
  EXPECT_LT(largest_difference(after.table(), multiply_abt(before.table(), w)), 1e-6);
  const auto unseen = before.subword_vector("unforeseen"), mapped = after.subword_vector("unforeseen");
  ASSERT_TRUE(unseen && mapped);
  const Matrix expected = multiply_abt(ConstMatrixView(unseen->data(), 1, unseen->size()), w);
  EXPECT_LT(largest_difference(ConstMatrixView(mapped->data(), 1, 7), expected), 1e-6);
}

TEST_F(FastTextRewrite, RefusesQuantizedModels) {
  for (const char* name : {"quantized.ftz", "pruned.ftz"})
    EXPECT_THAT(input_error_of([&] { rewrite(bytes_of(name), same(dimension_of(name))); }),
                HasSubstr("is a quantized model"));
  EXPECT_EQ(folder.files(), 0u);
}

TEST_F(FastTextRewrite, DamageIsAnErrorAndLeavesNothing) {
  const std::string bytes = bytes_of("words.bin");
  for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 50)
    for (const bool size_known : {true, false})
      EXPECT_NE(input_error_of([&] { rewrite(bytes.substr(0, length), same(dimension_of("words.bin")), size_known); }),
                "")
          << length;
  EXPECT_THAT(input_error_of([&] { rewrite(bytes + "x", same(dimension_of("words.bin"))); }), HasSubstr("more bytes"));
  std::string not_finite = bytes;
  not_finite.replace(bytes.size() - 4, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(input_error_of([&] { rewrite(not_finite, same(dimension_of("words.bin"))); }), HasSubstr("not finite"));
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace wordbridge::fasttext_rewrite_test
