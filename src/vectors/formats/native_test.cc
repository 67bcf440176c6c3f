#include "vectors/formats/native.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <limits>

#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "vectors/formats/native_layout.h"
#include "vectors/table_sums.h"

namespace wordbridge::native_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// How the bytes reach the reader.
enum class Way { mapped_file, sized_stream, pipe };
constexpr Way kWays[] = {Way::mapped_file, Way::sized_stream, Way::pipe};

class Native : public ::testing::Test {
 protected:
  std::string write(const std::vector<std::string>& words, ConstMatrixView rows) {
    const auto sink = create_native(folder_.path("x.wbvec"), rows.cols(), std::nullopt);
    for (std::size_t begin = 0; begin < words.size(); begin += 1000) {
      const std::size_t end = std::min(begin + 1000, words.size());
      sink->write({words.begin() + static_cast<long>(begin), words.begin() + static_cast<long>(end)},
                  rows.slice(begin, end));
    }
    EXPECT_FALSE(folder_.has("x.wbvec"));
    sink->finish();
    std::string bytes = folder_.read("x.wbvec");
    std::filesystem::remove(folder_.path("x.wbvec"));
    return bytes;
  }
  std::unique_ptr<ByteStream> stream(const std::string& bytes, Way way) {
    if (way != Way::mapped_file) return std::make_unique<MemoryStream>(bytes, way == Way::sized_stream);
    // A file of its own each time: one that is mapped must not be overwritten.
    const std::string name = "mapped" + std::to_string(++mapped_) + ".wbvec";
    return std::make_unique<MemoryStream>(bytes, true, folder_.write(name, bytes));
  }
  CollectedVectors stream_all(const std::string& bytes, const ReadOptions& options = {}, Way way = Way::pipe) {
    const auto source = open_native(stream(bytes, way), options);
    return collect(*source);
  }
  WordVectors load(const std::string& bytes, const ReadOptions& options = {}, Way way = Way::mapped_file) {
    return read_native(stream(bytes, way), options);
  }
  /// The errors of both routes, which must agree.
  std::string error_of(const std::string& bytes, const ReadOptions& options = {}, Way way = Way::pipe) {
    const auto reason = [](const std::string& error) { return error.substr(error.find(": ") + 1); };
    const std::string streamed = reason(input_error_of([&] { stream_all(bytes, options, way); }));
    EXPECT_EQ(reason(input_error_of([&] { load(bytes, options, way); })), streamed);
    return streamed;
  }

  TemporaryFolder folder_;
  int mapped_ = 0;
};

std::vector<std::string> words_of(const WordVectors& vectors) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < vectors.size(); ++i) words.emplace_back(vectors.vocabulary()[i]);
  return words;
}

Matrix column(std::initializer_list<float> values) {
  Matrix rows(values.size(), 1);
  std::copy(values.begin(), values.end(), rows.data());
  return rows;
}

TEST_F(Native, RoundTripIsBitExactOnEveryWay) {
  for (const auto& [rows, dimension] :
       {std::pair<std::size_t, std::size_t>{1, 1}, {5, 3}, {8191, 2}, {8192, 2}, {8193, 2}, {20000, 5}}) {
    auto sample = sample_vectors(rows, dimension, rows);
    sample.words[0] = "New York\u3000\n";
    const std::string bytes = write(sample.words, sample.rows);
    for (const Way way : kWays) {
      const auto streamed = stream_all(bytes, {}, way);
      EXPECT_EQ(streamed.words, sample.words);
      EXPECT_TRUE(same_bits(streamed.values, sample.rows.elements()));
      const auto loaded = load(bytes, {}, way);
      EXPECT_EQ(words_of(loaded), sample.words);
      EXPECT_TRUE(same_bits(loaded.table().elements(), sample.rows.elements()));
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(loaded.table().data()) % 64, 0U);
      EXPECT_EQ(loaded.summary().rows, rows);
      EXPECT_EQ(loaded.summary().spaced_words, 1U);
      EXPECT_EQ(streamed.summary.zero_rows, loaded.summary().zero_rows);
    }
  }
}

TEST_F(Native, TheStoredContentChecksumIsTheComputedOne) {
  const auto sample = sample_vectors(20000, 3, 5);
  const std::string bytes = write(sample.words, sample.rows);
  for (const std::size_t max_words : {0, 1, 5000, 8192, 8193, 16384, 19999, 20000, 30000}) {
    const auto vectors = load(bytes, {.max_words = max_words});
    EXPECT_EQ(vectors.content_checksum(), content_checksum(vectors.vocabulary(), vectors.table()));
  }
}

TEST_F(Native, ChangesToAMappedTableStayInMemory) {
  const std::string bytes = write({"a", "b"}, column({1, 2}));
  auto vectors = load(bytes);
  vectors.table()(0, 0) = 77;
  EXPECT_EQ(folder_.read("mapped1.wbvec"), bytes);
  EXPECT_EQ(vectors.table()(0, 0), 77);
  // The mapping outlives the file's name.
  std::filesystem::remove(folder_.path("mapped1.wbvec"));
  EXPECT_EQ(vectors.table()(1, 0), 2);
}

TEST_F(Native, AFileThatIsNotTheStreamsIsNotMapped) {
  // Same path and size, other bytes: as if the file had been replaced in between.
  const std::string bytes = write({"a", "b"}, column({1, 2})), other = write({"a", "b"}, column({3, 4}));
  folder_.write("x.wbvec", other);
  const auto vectors = read_native(std::make_unique<MemoryStream>(bytes, true, folder_.path("x.wbvec")), {});
  EXPECT_EQ(vectors.table()(0, 0), 1);
}

TEST_F(Native, StopsAfterMaxWordsAndChecksOnlyTheirBlocks) {
  const auto sample = sample_vectors(20000, 2, 6);
  std::string bytes = write(sample.words, sample.rows);
  bytes[128 + 10000 * 2 * 4] ^= 1;  // in the second block
  for (const Way way : kWays) {
    const auto first = load(bytes, {.max_words = 8192}, way);
    EXPECT_EQ(first.size(), 8192U);
    EXPECT_TRUE(first.summary().stopped_early);
    const auto streamed = stream_all(bytes, {.max_words = 3}, way);
    EXPECT_EQ(streamed.words.size(), 3U);
    EXPECT_TRUE(streamed.summary.stopped_early);
    EXPECT_THAT(error_of(bytes, {.max_words = 8193}, way), HasSubstr("rows 8193 to 16384 are damaged"));
    EXPECT_THAT(error_of(bytes, {}, way), HasSubstr("rows 8193 to 16384 are damaged"));
  }
}

TEST_F(Native, LenientSkipsDamagedBlocks) {
  const auto sample = sample_vectors(20000, 2, 6);
  std::string bytes = write(sample.words, sample.rows);
  bytes[128 + 10000 * 2 * 4] ^= 1;
  for (const Way way : kWays) {
    const auto loaded = load(bytes, {.lenient = true}, way);
    ASSERT_EQ(loaded.size(), 20000U - 8192U);
    EXPECT_EQ(loaded.summary().skipped_rows, 8192U);
    EXPECT_EQ(loaded.vocabulary()[8192], sample.words[16384]);
    EXPECT_TRUE(same_bits(loaded.table().row(8192), sample.rows.row(16384)));
    EXPECT_EQ(loaded.content_checksum(), content_checksum(loaded.vocabulary(), loaded.table()));
    const auto streamed = stream_all(bytes, {.lenient = true}, way);
    EXPECT_EQ(streamed.words, words_of(loaded));
    EXPECT_TRUE(same_bits(streamed.values, loaded.table().elements()));
    EXPECT_EQ(streamed.summary.skipped_rows, 8192U);
  }
}

TEST_F(Native, SetsAsideDuplicatesAndEmptyWords) {
  const std::string bytes = write({"a", "b", "", "a", "c"}, column({1, 2, 3, 4, 0}));
  for (const Way way : kWays) {
    const auto loaded = load(bytes, {}, way);
    EXPECT_THAT(words_of(loaded), ElementsAre("a", "b", "c"));
    EXPECT_THAT(loaded.table().elements(), ElementsAre(1, 2, 0));
    EXPECT_EQ(loaded.summary().duplicates, 1U);
    EXPECT_EQ(loaded.summary().empty_words, 1U);
    EXPECT_EQ(loaded.summary().zero_rows, 1U);
    EXPECT_EQ(loaded.content_checksum(), content_checksum(loaded.vocabulary(), loaded.table()));
    EXPECT_EQ(load(bytes, {.max_words = 3}, way).size(), 3U);
    EXPECT_THAT(stream_all(bytes, {}, way).words, ElementsAre("a", "b", "a", "c"));
  }
}

TEST_F(Native, NanAndInfinityAreDamage) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    const std::string bytes = write({"a", "b"}, column({bad, 2}));
    EXPECT_THAT(error_of(bytes), HasSubstr("row 1 ('a'): the vector holds NaN or infinity"));
    EXPECT_THAT(words_of(load(bytes, {.lenient = true})), ElementsAre("b"));
  }
}

TEST_F(Native, EveryFlippedByteIsNoticed) {
  const auto sample = sample_vectors(9, 5, 7);
  const std::string bytes = write(sample.words, sample.rows);
  EXPECT_EQ(error_of(bytes), "");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {0x01, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      EXPECT_NE(error_of(damaged), "") << i;
      EXPECT_NE(error_of(damaged, {}, Way::sized_stream), "") << i;
    }
  }
}

TEST_F(Native, SampledFlippedBytesOfALargerFileAreNoticedOnTheMappedWay) {
  const auto sample = sample_vectors(9000, 3, 8);
  const std::string bytes = write(sample.words, sample.rows);
  for (std::size_t i = 0; i < bytes.size(); i += 6007) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    EXPECT_NE(error_of(damaged, {}, Way::mapped_file), "") << i;
  }
}

TEST_F(Native, TruncationAnywhereIsDamage) {
  const std::string bytes = write({"cat", "Zürich"}, column({1, 2}));
  for (std::size_t length = 0; length < bytes.size(); ++length)
    for (const Way way : {Way::sized_stream, Way::pipe})
      for (const bool lenient : {false, true})
        EXPECT_NE(error_of(bytes.substr(0, length), {.lenient = lenient}, way), "") << length;
  for (const std::size_t length : {0, 1, 127, 128, 130, 200, 255})
    EXPECT_NE(error_of(bytes.substr(0, length), {}, Way::mapped_file), "") << length;
  for (const Way way : kWays) EXPECT_THAT(error_of(bytes + "x", {}, way), HasSubstr(" the end of the data"));
}

TEST_F(Native, AHeaderThatPromisesMoreThanMemoryHoldsIsDamage) {
  const NativeHeader huge = make_native_header(0xffffffff, std::uint64_t{1} << 20, 0, {});
  std::string bytes(reinterpret_cast<const char*>(&huge), sizeof(huge));
  for (const Way way : kWays) EXPECT_NE(error_of(bytes + "some bytes", {}, way), "");
}

TEST_F(Native, AnEmptyFileOfVectorsIsDamage) {
  EXPECT_THAT(error_of(write({}, Matrix(0, 3))), HasSubstr("holds no word vectors"));
}

TEST_F(Native, RefusesAbsurdWords) {
  const auto sink = create_native(folder_.path("y.wbvec"), 1, 1);
  EXPECT_THAT(input_error_of([&] { sink->write({std::string(65536, 'x')}, Matrix(1, 1)); }),
              HasSubstr("cannot write row 1"));
}

TEST_F(Native, FilesOfVersion1AreReadForEver) {
  const std::string folder = WORDBRIDGE_SOURCE_DIR "/tests/formats/native/";
  const auto small = read_native(open_bytes(folder + "version1.wbvec"), {});
  EXPECT_THAT(words_of(small), ElementsAre("cat", "Zürich", "New York"));
  EXPECT_THAT(small.table().elements(),
              ElementsAre(1, -2, 0.5F, 0, 65504, 6.103515625e-05F, 5.960464477539063e-08F, -0.0F, 1024));
  EXPECT_EQ(small.content_checksum(), "d6f04e3290a1b3f6fce9ab80fad047d76784e5433b484f11a1529df13f6b8bcd");
  const auto source = open_native(open_bytes(folder + "version1-two-blocks.wbvec.xz"), {});
  const auto large = collect(*source);
  EXPECT_EQ(large.summary.compression, "xz");
  ASSERT_EQ(large.words.size(), 8200U);
  for (std::size_t i = 0; i < 8200; ++i) {
    EXPECT_EQ(large.words[i], std::to_string(i));
    EXPECT_EQ(large.values[i], static_cast<float>(i));
  }
  // Written today, the same vectors give the same bytes.
  Matrix rows = small.table();
  EXPECT_EQ(write(words_of(small), rows), file_bytes(folder + "version1.wbvec"));
}

TEST_F(Native, IsRecognized) {
  EXPECT_TRUE(looks_like_native(write({"a"}, column({1}))));
  EXPECT_FALSE(looks_like_native("\x89WBVEC"));
  EXPECT_FALSE(looks_like_native("2 3\ncat 1 2 3\n"));
}

}  // namespace
}  // namespace wordbridge::native_test
