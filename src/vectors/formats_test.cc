// The contract of vector formats, run over all of them: what is written comes back, however it is read, and nothing
// else appears. Each format's own suite is beside its source.
#include "wordbridge/formats.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <thread>

#include "base/temporary_folder_test_support.h"
#include "io/byte_stream.h"
#include "vectors/formats/binary_format_test_support.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::formats_test {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Format {
  std::string name, extension;
  std::string summary;  // what the reader calls it
};

const Format kWritten[] = {{"Text", ".vec", "fastText text"},
                           {"TextTxt", ".txt", "fastText text"},
                           {"TextGzip", ".vec.gz", "fastText text"},
                           {"TextZstd", ".vec.zst", "fastText text"},
                           {"TextXz", ".vec.xz", "fastText text"},
                           {"TextBzip2", ".vec.bz2", "fastText text"},
                           {"Word2vecBinary", ".bin", "word2vec binary"},
                           {"Npy", ".npy", "NumPy"},
                           {"Native", ".wbvec", "wordbridge"}};

std::vector<std::string> words_of(const WordVectors& vectors) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < vectors.size(); ++i) words.emplace_back(vectors.vocabulary()[i]);
  return words;
}

class FormatContract : public ::testing::TestWithParam<Format> {
 protected:
  std::string path(const std::string& stem = "x") const { return folder_.path(stem + GetParam().extension); }
  VectorFormat format() const { return format_of_path(path()); }
  std::unique_ptr<VectorSink> create(std::size_t dimension, std::optional<std::uint64_t> expected = std::nullopt) {
    return create_vectors(path(), format(), dimension, expected);
  }
  void write(const std::vector<std::string>& words, ConstMatrixView rows) {
    const auto sink = create(rows.cols(), words.size());
    sink->write(words, rows);
    sink->finish();
  }
  /// What the whole-table and the block-wise reader give, which must be the same for files without duplicates.
  WordVectors read(const ReadOptions& options = {}) {
    WordVectors vectors = read_vectors(path(), options);
    const auto source = open_vectors(path(), options);
    const auto streamed = collect(*source);
    EXPECT_EQ(streamed.words, words_of(vectors));
    EXPECT_TRUE(same_bits(streamed.values, vectors.table().elements()));
    EXPECT_EQ(streamed.summary.rows, vectors.summary().rows);
    return vectors;
  }
  ReadOptions with_words() const {  // .npy from elsewhere than its own place
    ReadOptions options;
    if (format() == VectorFormat::npy) options.vocabulary_path = folder_.path("x.vocab");
    return options;
  }

  TemporaryFolder folder_;
};

Matrix column(std::initializer_list<float> values) {
  Matrix rows(values.size(), 1);
  std::copy(values.begin(), values.end(), rows.data());
  return rows;
}

TEST_P(FormatContract, WhatIsWrittenComesBackBitForBit) {
  for (const auto& [rows, dimension] : {std::pair<std::size_t, std::size_t>{1, 1}, {3, 300}, {9000, 3}, {50, 5000}}) {
    const auto sample = sample_vectors(rows, dimension, rows + dimension);
    write(sample.words, sample.rows);
    const WordVectors vectors = read();
    EXPECT_EQ(words_of(vectors), sample.words);
    EXPECT_TRUE(same_bits(vectors.table().elements(), sample.rows.elements()));
    EXPECT_EQ(vectors.summary().rows, rows);
    EXPECT_EQ(vectors.summary().dimension, dimension);
    EXPECT_EQ(vectors.summary().format, GetParam().summary);
    EXPECT_EQ(vectors.summary().path, path());
    EXPECT_EQ(vectors.content_checksum(), content_checksum(Vocabulary(sample.words), sample.rows));
  }
}

TEST_P(FormatContract, WordsOfAllKindsComeBack) {
  const std::vector<std::string> words = {"a",    "Zürich", "北京", "New\u00A0York", "a\u3000b", "\xff\xfe", "0.5",
                                          "</s>", "\"",     "#",    "nan",           "\x01",     "1e5"};
  const auto sample = sample_vectors(words.size(), 4, 1);
  write(words, sample.rows);
  const WordVectors vectors = read();
  EXPECT_EQ(words_of(vectors), words);
  EXPECT_TRUE(same_bits(vectors.table().elements(), sample.rows.elements()));
  EXPECT_EQ(vectors.summary().spaced_words, 2U);
  EXPECT_EQ(vectors.summary().invalid_utf8, 1U);
}

TEST_P(FormatContract, AWordWithASpaceComesBackOrIsRefused) {
  const auto sink = create(1, 2);
  const std::string error = input_error_of([&] { sink->write({"a", "New York"}, column({1, 2})); });
  if (format() == VectorFormat::word2vec_binary) {
    EXPECT_THAT(error, HasSubstr("New York"));
    return;
  }
  EXPECT_EQ(error, "");
  sink->finish();
  EXPECT_THAT(words_of(read()), ElementsAre("a", "New York"));
}

TEST_P(FormatContract, WordsThatWouldComeBackChangedAreRefused) {
  if (format() == VectorFormat::native) return;  // it takes any
  for (const std::string word : {"", "a\nb"}) {
    const auto sink = create(1, 1);
    EXPECT_NE(input_error_of([&] { sink->write({word}, column({1})); }), "") << word;
  }
}

TEST_P(FormatContract, BlocksOfAnySizeMakeTheSameFile) {
  const auto sample = sample_vectors(9000, 2, 5);
  write(sample.words, sample.rows);
  const std::string whole = folder_.read("x" + GetParam().extension);
  const auto sink = create(2, 9000);
  for (std::size_t begin = 0, size = 0; begin < 9000; begin += size, ++size) {
    const std::size_t end = std::min<std::size_t>(begin + size, 9000);
    sink->write({sample.words.begin() + static_cast<long>(begin), sample.words.begin() + static_cast<long>(end)},
                sample.rows.view().slice(begin, end));
  }
  sink->finish();
  EXPECT_EQ(folder_.read("x" + GetParam().extension), whole);
}

TEST_P(FormatContract, AWrongExpectedCountIsMended) {
  const auto sample = sample_vectors(120, 2, 6);
  const std::optional<std::uint64_t> expectations[] = {std::nullopt, 0, 1, 99, 120, 121, 1'000'000'000};
  for (const auto& expected : expectations) {
    const auto sink = create(2, expected);
    sink->write(sample.words, sample.rows);
    sink->finish();
    const WordVectors vectors = read();
    EXPECT_EQ(words_of(vectors), sample.words);
    EXPECT_EQ(vectors.summary().header_rows, 120U);
    EXPECT_FALSE(vectors.summary().dirty() && vectors.summary().zero_rows == 0) << vectors.summary().to_line();
  }
}

TEST_P(FormatContract, NothingAppearsBeforeTheEnd) {
  write({"old"}, column({1}));
  const std::size_t files = folder_.files();
  {
    const auto sink = create(1, 1);
    sink->write({"new"}, column({2}));
  }
  EXPECT_EQ(folder_.files(), files);
  EXPECT_THAT(words_of(read()), ElementsAre("old"));
}

TEST_P(FormatContract, AMissingFolderShowsAtOnce) {
  EXPECT_NE(input_error_of([&] { create_vectors(folder_.path("none/x" + GetParam().extension), format(), 1); }), "");
}

TEST_P(FormatContract, MaxWordsGivesTheFirstWords) {
  const auto sample = sample_vectors(9000, 2, 7);
  write(sample.words, sample.rows);
  for (const std::size_t count : {1, 10, 8192, 8999}) {
    const WordVectors vectors = read({.max_words = count});
    EXPECT_EQ(vectors.size(), count);
    EXPECT_EQ(vectors.vocabulary()[count - 1], sample.words[count - 1]);
    EXPECT_TRUE(same_bits(vectors.table().row(count - 1), sample.rows.row(count - 1)));
    EXPECT_TRUE(vectors.summary().stopped_early);
    EXPECT_EQ(vectors.content_checksum(), content_checksum(vectors.vocabulary(), vectors.table()));
  }
  EXPECT_EQ(read({.max_words = 100'000}).size(), 9000U);
}

TEST_P(FormatContract, TheFirstOfDuplicatesCounts) {
  write({"a", "b", "a", "c", "b", "d"}, column({1, 2, 3, 4, 5, 6}));
  const WordVectors vectors = read_vectors(path());
  EXPECT_THAT(words_of(vectors), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(vectors.table().elements(), ElementsAre(1, 2, 4, 6));
  EXPECT_EQ(vectors.summary().duplicates, 2U);
  EXPECT_EQ(vectors.summary().rows, 4U);
  EXPECT_EQ(vectors.content_checksum(), content_checksum(vectors.vocabulary(), vectors.table()));
  EXPECT_THAT(words_of(read_vectors(path(), {.max_words = 3})), ElementsAre("a", "b", "c"));
  const auto source = open_vectors(path());
  EXPECT_THAT(collect(*source).words, ElementsAre("a", "b", "a", "c", "b", "d"));
}

TEST_P(FormatContract, ZeroRowsAreKeptAndCounted) {
  write({"a", "b", "c"}, column({1, 0, -0.0F}));
  const WordVectors vectors = read();
  EXPECT_EQ(vectors.size(), 3U);
  EXPECT_EQ(vectors.summary().zero_rows, 2U);
}

TEST_P(FormatContract, NanAndInfinityAreDamage) {
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    write({"a", "b", "c"}, column({1, bad, 3}));
    EXPECT_THAT(input_error_of([&] { read_vectors(path()); }), HasSubstr(path()));
    EXPECT_NE(input_error_of([&] { collect(*open_vectors(path())); }), "");
    const WordVectors vectors = read({.lenient = true});
    EXPECT_THAT(words_of(vectors), ElementsAre("a", "c"));
    EXPECT_THAT(vectors.table().elements(), ElementsAre(1, 3));
    EXPECT_EQ(vectors.summary().skipped_rows, 1U);
    EXPECT_NE(vectors.summary().first_skipped, "");
  }
}

TEST_P(FormatContract, AFileThatIsCutIsDamageOrAPrefix) {
  const auto sample = sample_vectors(20, 3, 8);
  write(sample.words, sample.rows);
  const std::string whole = folder_.read("x" + GetParam().extension);
  // The header of text is a hint only: cut behind a line, what is left is a file with a wrong count. And nobody can see
  // that the last number of the last line lost some digits.
  const bool plain_text = GetParam().extension == ".vec" || GetParam().extension == ".txt";
  const std::size_t start = plain_text ? whole.find('\n', whole.find('\n') + 1) : 0;
  const std::size_t last_line = plain_text ? whole.rfind('\n', whole.size() - 2) : whole.size();
  for (std::size_t length = start; length < whole.size(); length += 1 + whole.size() / 60) {
    const std::string cut = folder_.write("cut", whole.substr(0, length));
    for (const bool lenient : {false, true}) {
      ReadOptions options = with_words();
      options.lenient = lenient;
      const std::string error = input_error_of([&] {
        const auto words = words_of(read_vectors(cut, options));
        ASSERT_LE(words.size(), sample.words.size());
        EXPECT_TRUE(std::equal(words.begin(), words.end(), sample.words.begin())) << length;
        EXPECT_TRUE(lenient || length + 1 == whole.size() || length > last_line ||
                    (plain_text && whole[length - 1] == '\n'))
            << length;
      });
      EXPECT_THAT(error, AnyOf("", HasSubstr(cut)));
    }
  }
}

TEST_P(FormatContract, APipeGivesTheSame) {
  const auto sample = sample_vectors(3000, 20, 9);
  write(sample.words, sample.rows);
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const bool streamed : {false, true}) {
    std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << folder_.read("x" + GetParam().extension); });
    if (streamed) {
      const auto source = open_vectors(pipe, with_words());
      const auto vectors = collect(*source);
      EXPECT_EQ(vectors.words, sample.words);
      EXPECT_TRUE(same_bits(vectors.values, sample.rows.elements()));
    } else {
      const WordVectors vectors = read_vectors(pipe, with_words());
      EXPECT_EQ(words_of(vectors), sample.words);
      EXPECT_TRUE(same_bits(vectors.table().elements(), sample.rows.elements()));
    }
    writer.join();
  }
}

TEST_P(FormatContract, ACompressedFileGivesTheSame) {
  if (GetParam().extension.starts_with(".vec.")) return;  // compressed already
  const auto sample = sample_vectors(1000, 5, 12);
  write(sample.words, sample.rows);
  for (const std::string compression : {".gz", ".xz"}) {
    const auto sink = create_bytes(path() + compression);
    sink->write(folder_.read("x" + GetParam().extension));
    sink->finish();
    const WordVectors vectors = read_vectors(path() + compression);  // finds the words of x.npy.gz, too
    EXPECT_EQ(words_of(vectors), sample.words);
    EXPECT_TRUE(same_bits(vectors.table().elements(), sample.rows.elements()));
    // A stream that is cut says so, and is not taken for a file with fewer rows.
    const std::string whole = folder_.read("x" + GetParam().extension + compression);
    const std::string cut = folder_.write("cut", whole.substr(0, whole.size() - 3));
    EXPECT_NE(input_error_of([&] { read_vectors(cut, with_words()); }), "");
    EXPECT_NE(input_error_of([&] { collect(*open_vectors(cut, with_words())); }), "");
  }
}

/// Checks that a stage counts upwards and ends.
class Watcher : public Progress {
 public:
  void update(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view) override {
    EXPECT_FALSE(finished_);
    EXPECT_EQ(stage, stage_.empty() ? stage : stage_);
    EXPECT_GE(done, done_);
    EXPECT_TRUE(total == 0 || done <= total);
    stage_ = stage;
    done_ = done;
  }
  void finish(std::string_view stage) override {
    EXPECT_EQ(stage, stage_);
    finished_ = true;
  }
  bool finished() const { return finished_; }

 private:
  std::string stage_;
  std::uint64_t done_ = 0;
  bool finished_ = false;
};

TEST_P(FormatContract, ProgressCountsUpwardsAndEnds) {
  const auto sample = sample_vectors(9000, 10, 10);
  write(sample.words, sample.rows);
  for (const std::size_t max_words : {0, 5}) {
    if (max_words != 0 && format() == VectorFormat::text) continue;
    Watcher watcher;
    Context context({.progress = &watcher});
    const Context::Scope scope(context);
    read_vectors(path(), {.max_words = max_words});
    EXPECT_TRUE(watcher.finished()) << max_words;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FormatContract, ::testing::ValuesIn(kWritten),
                         [](const auto& test) { return test.param.name; });

TEST(Formats, AreToldByContentNotByName) {
  const TemporaryFolder folder;
  const auto sample = sample_vectors(5, 3, 11);
  for (const Format& format : kWritten) {
    const std::string path = folder.path("x" + format.extension), other = folder.path("y.vec");
    const auto sink = create_vectors(path, format_of_path(path), 3, 5);
    sink->write(sample.words, sample.rows);
    sink->finish();
    std::filesystem::copy_file(path, other, std::filesystem::copy_options::overwrite_existing);
    ReadOptions options;
    if (format.extension == ".npy") options.vocabulary_path = folder.path("x.vocab");
    EXPECT_EQ(read_vectors(other, options).summary().format, format.summary);
  }
}

TEST(Formats, FastTextModelsBringTheirSubwords) {
  const std::string folder = WORDBRIDGE_SOURCE_DIR "/tests/formats/fasttext/";
  const WordVectors all = read_vectors(folder + "subwords.bin");
  EXPECT_EQ(all.summary().format, "fastText model");
  ASSERT_TRUE(all.has_subword_model());
  EXPECT_TRUE(all.subword_vector("Brückenbau").has_value());
  const WordVectors few = read_vectors(folder + "subwords.bin", {.max_words = 3});
  EXPECT_EQ(few.size(), 3U);
  EXPECT_TRUE(few.summary().stopped_early);
  // A word beyond the limit has the vector that it would have within.
  ASSERT_FALSE(few.vocabulary().contains("Brücke"));
  EXPECT_TRUE(
      same_bits(few.subword_vector("Brücke").value(), all.table().row(all.vocabulary().find("Brücke").value())));
  EXPECT_FALSE(read_vectors(folder + "words.bin").has_subword_model());
  const TemporaryFolder scratch;
  const auto sink = create_bytes(scratch.path("model.zst"));
  sink->write(file_bytes(folder + "subwords.bin"));
  sink->finish();
  const WordVectors compressed = read_vectors(scratch.path("model.zst"));
  EXPECT_EQ(compressed.content_checksum(), all.content_checksum());
  EXPECT_EQ(compressed.subword_vector("Brückenbau"), all.subword_vector("Brückenbau"));
}

TEST(Formats, WhatCannotBeReadSaysWhy) {
  const TemporaryFolder folder;
  const auto error_of = [](const std::string& path) { return input_error_of([&] { read_vectors(path); }); };
  EXPECT_THAT(error_of(folder.path("missing")), HasSubstr("missing: "));
  EXPECT_NE(error_of(folder.path("")), "");
  EXPECT_NE(error_of(folder.write("empty", "")), "");
  EXPECT_NE(error_of(folder.write("page", "<!DOCTYPE html><html><body>404</body></html>")), "");
}

TEST(Formats, TheExtensionTellsWhatIsWritten) {
  EXPECT_EQ(format_of_path("a/x.vec"), VectorFormat::text);
  EXPECT_EQ(format_of_path("x.txt.xz"), VectorFormat::text);
  EXPECT_EQ(format_of_path("x.bin"), VectorFormat::word2vec_binary);
  EXPECT_EQ(format_of_path("x.w2v"), VectorFormat::word2vec_binary);
  EXPECT_EQ(format_of_path("x.npy"), VectorFormat::npy);
  EXPECT_EQ(format_of_path("x.f16"), VectorFormat::raw_float16);
  EXPECT_EQ(format_of_path("x.f32"), VectorFormat::raw_float32);
  EXPECT_EQ(format_of_path("x.wbvec"), VectorFormat::native);
  for (const std::string path : {"x", "x.gz", "x.bin.gz", "x.vec.rar", "vec"})
    EXPECT_THROW(format_of_path(path), UsageError) << path;
}

}  // namespace
}  // namespace wordbridge::formats_test
