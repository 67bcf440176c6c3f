#include "vectors/formats/fasttext_model.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <iterator>
#include <limits>
#include <map>
#include <sstream>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "linalg/blas.h"
#include "linalg/random_matrix_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "wordbridge/formats.h"

namespace wordbridge::fasttext_model_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFolder = WORDBRIDGE_SOURCE_DIR "/tests/formats/fasttext/";

std::unique_ptr<FastTextSource> open(const std::string& bytes, const ReadOptions& options = {},
                                     bool size_known = true) {
  return open_fasttext_model(std::make_unique<MemoryStream>(bytes, size_known), options);
}
std::string error_of(const std::string& bytes, const ReadOptions& options = {}, bool size_known = true) {
  return input_error_of([&] { collect(*open(bytes, options, size_known)); });
}

/// word -> its numbers as printed.
std::map<std::string, std::vector<std::string>> expected_vectors(const std::string& name) {
  std::map<std::string, std::vector<std::string>> vectors;
  std::istringstream lines(file_bytes(kFolder + name));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    vectors[word] = {std::istream_iterator<std::string>(words), {}};
  }
  return vectors;
}

std::vector<std::string> printed(std::span<const float> values) {
  std::vector<std::string> texts;
  for (const float value : values) texts.push_back(fmt::format("{:.5g}", value));
  return texts;
}

struct Case {
  std::string model, vectors, format;
  std::size_t words;
  bool subwords;
};

class FastTextModelFile : public ::testing::TestWithParam<Case> {};

TEST_P(FastTextModelFile, GivesTheVectorsThatFastTextPrints) {
  const auto expected = expected_vectors(GetParam().vectors);
  const std::string bytes = file_bytes(kFolder + GetParam().model);
  for (const bool mapped : {true, false}) {
    const auto source = open_fasttext_model(
        std::make_unique<MemoryStream>(bytes, mapped, mapped ? kFolder + GetParam().model : "a pipe"), {});
    const auto subword_model = source->subword_model();
    ASSERT_EQ(static_cast<bool>(subword_model), GetParam().subwords);
    const auto vectors = collect(*source);
    EXPECT_EQ(vectors.words.size(), GetParam().words);
    EXPECT_EQ(vectors.summary.format, GetParam().format);
    EXPECT_THAT(vectors.words, ::testing::Contains("Brücke"));
    EXPECT_THAT(vectors.words, ::testing::Contains("</s>"));
    auto unknown = expected;
    for (std::size_t i = 0; i < vectors.words.size(); ++i) {
      const std::span row(vectors.values.data() + i * vectors.dimension, vectors.dimension);
      ASSERT_TRUE(expected.contains(vectors.words[i])) << vectors.words[i];
      EXPECT_EQ(printed(row), expected.at(vectors.words[i])) << vectors.words[i];
      unknown.erase(vectors.words[i]);
      if (!subword_model) continue;
      const auto again = subword_model(vectors.words[i]);  // words of the dictionary, too
      ASSERT_TRUE(again.has_value());
      EXPECT_TRUE(same_bits(*again, row));
    }
    EXPECT_GE(unknown.size(), 13U);
    for (const auto& [word, numbers] : unknown) {
      if (!subword_model) continue;
      // fastText gives zeros where no n-gram is known; that is no vector.
      const auto vector = subword_model(word);
      EXPECT_EQ(printed(vector.value_or(std::vector<float>(vectors.dimension))), numbers) << word;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FastTextModelFile,
    ::testing::Values(Case{"subwords.bin", "subwords.expected.txt", "fastText model", 66, true},
                      Case{"words.bin", "words.expected.txt", "fastText model", 66, false},
                      Case{"classifier.bin", "classifier.expected.txt", "fastText model", 66, true},
                      Case{"quantized.ftz", "quantized.expected.txt", "fastText model, quantized", 66, true},
                      Case{"pruned.ftz", "pruned.expected.txt", "fastText model, quantized", 49, true}),
    [](const auto& test) { return test.param.model.substr(0, test.param.model.find('.')); });

/// A model by hand: two words, dimension 2.
struct HandMade {
  std::int32_t version = 12, dimension = 2, model = 2, bucket = 4, minn = 3, maxn = 3;
  std::int32_t size = 2, words = 2, labels = 0;
  std::int64_t kept_buckets = -1;
  std::string entries = std::string("ab\0", 3) + bytes_of(std::int64_t{7}) + '\0' + std::string("c\0", 2) +
                        bytes_of(std::int64_t{5}) + '\0';
  char quantized = 0;
  std::int64_t rows = 6, cols = 2;
  std::string matrix = floats({1, 2, 3, 4, 10, 20, 100, 200, 1000, 2000, 10000, 20000});
  std::string output =
      std::string("\0", 1) + bytes_of(std::int64_t{2}) + bytes_of(std::int64_t{2}) + floats({0, 0, 0, 0});

  std::string needed() const {
    std::string bytes = bytes_of(std::int32_t{793712314}) + bytes_of(version) + bytes_of(dimension);
    for (const std::int32_t unused : {5, 5, 1, 5, 1, 1}) bytes += bytes_of(unused);
    for (const std::int32_t number : {model, bucket, minn, maxn, 100}) bytes += bytes_of(number);
    bytes += bytes_of(1e-4) + bytes_of(size) + bytes_of(words) + bytes_of(labels) + bytes_of(std::int64_t{12}) +
             bytes_of(kept_buckets) + entries + quantized + bytes_of(rows) + bytes_of(cols) + matrix;
    return bytes;
  }
  std::string bytes() const { return needed() + output; }
};

// The hashes of "<ab" and "ab>" fall into bucket 0 of 4, that of "<c>" into bucket 2.
TEST(FastTextModel, MeansOfHandMadeRows) {
  const auto vectors = collect(*open(HandMade().bytes()));
  EXPECT_THAT(vectors.words, ElementsAre("ab", "c"));
  const float third = static_cast<float>(1.0 / 3);
  EXPECT_THAT(vectors.values, ElementsAre(21 * third, 42 * third, 501.5F, 1002));
  EXPECT_EQ(vectors.summary.rows, 2U);
  EXPECT_EQ(vectors.summary.header_rows, 2U);
}

TEST(FastTextModel, SubwordsOfUnknownWords) {
  const auto source = open(HandMade().bytes());
  const auto model = source->subword_model();
  EXPECT_THAT(model("c").value(), ElementsAre(501.5F, 1002));  // known, but perhaps beyond max_words
  EXPECT_THAT(
      model("cab").value(),  // buckets 3, 1, 0
      ElementsAre((100 + 10000 + 10) * static_cast<float>(1.0 / 3), (200 + 20000 + 20) * static_cast<float>(1.0 / 3)));
  EXPECT_FALSE(model("").has_value());
  EXPECT_FALSE(model("</s>").has_value());
}

TEST(FastTextModel, OldClassifiersHaveNoSubwords) {
  HandMade made;
  made.version = 11;
  made.model = 3;
  const auto source = open(made.bytes());
  EXPECT_FALSE(source->subword_model());
  EXPECT_THAT(collect(*source).values, ElementsAre(1, 2, 3, 4));
  made.model = 2;
  EXPECT_TRUE(open(made.bytes())->subword_model());
}

TEST(FastTextModel, LabelsAreLeftOut) {
  HandMade made;
  made.size = 3;
  made.labels = 1;
  made.entries += std::string("__label__x\0", 11) + bytes_of(std::int64_t{1}) + '\1';
  EXPECT_THAT(collect(*open(made.bytes())).words, ElementsAre("ab", "c"));
}

TEST(FastTextModel, StopsAfterMaxWords) {
  const auto one = collect(*open(HandMade().bytes(), {.max_words = 1}));
  EXPECT_THAT(one.words, ElementsAre("ab"));
  EXPECT_TRUE(one.summary.stopped_early);
  EXPECT_FALSE(collect(*open(HandMade().bytes(), {.max_words = 2})).summary.stopped_early);
}

TEST(FastTextModel, NanAndInfinityAreDamage) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    HandMade made;
    made.matrix = floats({1, 2, 3, bad, 10, 20, 100, 200, 1000, 2000, 10000, 20000});
    EXPECT_THAT(error_of(made.bytes()), HasSubstr("row 2 ('c'): the vector holds NaN or infinity"));
    const auto vectors = collect(*open(made.bytes(), {.lenient = true}));
    EXPECT_THAT(vectors.words, ElementsAre("ab"));
    EXPECT_EQ(vectors.summary.skipped_rows, 1U);
    EXPECT_FALSE(open(made.bytes())->subword_model()("c").has_value());
  }
}

TEST(FastTextModel, TruncationIsDamageWhereAnythingNeededIsMissing) {
  const HandMade made;
  const std::string bytes = made.bytes();
  for (const bool size_known : {true, false}) {
    for (std::size_t length = 0; length < bytes.size(); ++length)
      EXPECT_EQ(error_of(bytes.substr(0, length), {}, size_known) == "", length >= made.needed().size()) << length;
    for (const char* name : {"quantized.ftz", "pruned.ftz"}) {
      const std::string real = file_bytes(kFolder + name);
      std::size_t needed = real.size();
      while (error_of(real.substr(0, needed), {}, size_known).empty()) --needed;
      EXPECT_GT(needed, real.size() / 2);  // the output matrix behind it is small
      for (std::size_t length = 0; length < needed; length += 13)
        EXPECT_NE(error_of(real.substr(0, length), {}, size_known), "") << length;
    }
  }
}

TEST(FastTextModel, HostileNumbersAreDamage) {
  constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kMost64 = std::numeric_limits<std::int64_t>::max();
  const std::function<void(HandMade&)> harms[] = {
      [](HandMade& m) { m.version = 10; },
      [](HandMade& m) { m.version = 13; },
      [](HandMade& m) { m.dimension = 0; },
      [](HandMade& m) { m.dimension = -2; },
      [](HandMade& m) { m.dimension = kMost; },
      [](HandMade& m) { m.dimension = 3; },
      [](HandMade& m) { m.bucket = 0; },
      [](HandMade& m) { m.bucket = -4; },
      [](HandMade& m) { m.bucket = kMost; },
      [](HandMade& m) { m.bucket = 5; },
      [](HandMade& m) { m.maxn = kMost; },
      [](HandMade& m) { m.size = kMost; },
      [](HandMade& m) { m.size = m.words = kMost; },
      [](HandMade& m) { m.words = -1, m.labels = 3; },
      [](HandMade& m) { m.words = 1, m.labels = 1; },
      [](HandMade& m) { m.size = m.words = 0; },
      [](HandMade& m) { m.kept_buckets = 0; },
      [](HandMade& m) { m.kept_buckets = 4; },
      [](HandMade& m) { m.kept_buckets = kMost64; },
      [](HandMade& m) { m.entries[1] = '\0'; },
      [](HandMade& m) { m.entries = std::string(100'000, 'x') + m.entries; },
      [](HandMade& m) { m.entries = m.entries.substr(0, 12) + m.entries.substr(0, 12); },
      [](HandMade& m) { m.quantized = 1; },
      [](HandMade& m) { m.rows = 5; },
      [](HandMade& m) { m.rows = -1; },
      [](HandMade& m) { m.rows = kMost64; },
      [](HandMade& m) { m.rows = std::int64_t{1} << 39; },
      [](HandMade& m) { m.cols = 0; },
      [](HandMade& m) { m.cols = -2; },
      [](HandMade& m) { m.cols = kMost64; },
      [](HandMade& m) { m.cols = 1; },
  };
  for (const auto& harm : harms) {
    HandMade made;
    harm(made);
    for (const bool size_known : {true, false})
      EXPECT_NE(error_of(made.bytes(), {}, size_known), "") << &harm - &harms[0];
  }
  HandMade negative;
  negative.minn = -5;  // fastText takes it for 0, and so do we
  EXPECT_EQ(error_of(negative.bytes()), "");
}

/// Every byte of the real quantized models, flipped: an error or some vectors, never a crash.
TEST(FastTextModel, FlippedBytesNeverCrash) {
  for (const char* name : {"subwords.bin", "quantized.ftz", "pruned.ftz"}) {
    const std::string bytes = file_bytes(kFolder + name);
    for (std::size_t i = 0; i < bytes.size(); i += i < 1500 ? 1 : 31) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ 0xff);
      error_of(damaged, {.lenient = true}, i % 2 == 0);
    }
  }
}

TEST(FastTextModel, IsRecognized) {
  EXPECT_TRUE(looks_like_fasttext_model(HandMade().bytes()));
  EXPECT_FALSE(looks_like_fasttext_model(HandMade().bytes().substr(0, 3)));
  EXPECT_FALSE(looks_like_fasttext_model("2 3\ncat 1 2 3\n"));
  EXPECT_THAT(error_of("not a model"), HasSubstr("does not begin like a fastText model"));
}

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

}  // namespace wordbridge::fasttext_model_test
