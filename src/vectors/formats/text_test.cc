#include "vectors/formats/text.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "base/effort_test_support.h"
#include "base/error_test_support.h"
#include "base/random.h"
#include "base/temporary_folder_test_support.h"
#include "io/endless_line_test_support.h"
#include "io/lines.h"
#include "io/memory_stream_test_support.h"
#include "parallel/threads_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::text_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Read {
  std::vector<std::string> words;
  std::vector<std::vector<float>> rows;
  ReadSummary summary;
};

Read read(const std::string& text, const ReadOptions& options = {}) {
  const auto source = open_text(std::make_unique<MemoryStream>(text, true, "file.vec"), options);
  Read result;
  while (const auto block = source->next())
    for (std::size_t i = 0; i < block->words.size(); ++i) {
      result.words.push_back(block->words[i]);
      result.rows.emplace_back(block->rows.row(i).begin(), block->rows.row(i).end());
    }
  result.summary = source->summary();
  return result;
}

std::string error_of(const std::string& text, const ReadOptions& options = {}) {
  try {
    read(text, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Text, FastTextWithHeader) {
  const Read result = read("2 3\nthe 0.5 -1 2e1 \nof 1 2 3\n");
  EXPECT_THAT(result.words, ElementsAre("the", "of"));
  EXPECT_THAT(result.rows, ElementsAre(ElementsAre(0.5f, -1.0f, 20.0f), ElementsAre(1.0f, 2.0f, 3.0f)));
  EXPECT_EQ(result.summary.header_rows, 2u);
  EXPECT_FALSE(result.summary.dirty());
}

TEST(Text, GloveWithoutHeader) {
  const Read result = read("the 0.5 -1 2\nof 1 2 3\n");
  EXPECT_THAT(result.words, ElementsAre("the", "of"));
  EXPECT_TRUE(result.summary.no_header);
  EXPECT_EQ(result.summary.dimension, 3u);
}

TEST(Text, AFirstRowThatLooksLikeAHeader) {
  const Read result = read("2 300\n7 0.25\nword 1\n");
  EXPECT_THAT(result.words, ElementsAre("2", "7", "word"));
  EXPECT_EQ(result.summary.dimension, 1u);
  EXPECT_THAT(read("1 1\nword 5\n").words, ElementsAre("word"));
}

TEST(Text, WithoutHeaderMostOfTheFirstRowsTellTheDimension) {
  const Read result = read("room 101 1 2\nthe 3 4\nof 5 6\n");
  EXPECT_EQ(result.summary.dimension, 2u);
  EXPECT_THAT(result.words, ElementsAre("room 101", "the", "of"));
}

TEST(Text, AHeaderWithAWrongCountIsHarmless) {
  const Read few = read("5 2\na 1.00000 2.00000\nb 3 4\n"), many = read("1 2\na 1 2\nb 3 4\n");
  EXPECT_EQ(few.words.size(), 2u);
  EXPECT_TRUE(few.summary.dirty());
  EXPECT_THAT(few.summary.to_line(), HasSubstr("the header promises 5 rows"));
  EXPECT_EQ(many.words.size(), 2u);
}

TEST(Text, WordsWithBlanksInside) {
  const Read result =
      read("4 2\n. . . 1 2\nNew\xC2\xA0York 3 4\n\xE6\x9D\xB1\xE3\x80\x80\xE4\xBA\xAC 5 6\nroom 101 7 8\n");
  EXPECT_THAT(result.words,
              ElementsAre(". . .", "New\xC2\xA0York", "\xE6\x9D\xB1\xE3\x80\x80\xE4\xBA\xAC", "room 101"));
  EXPECT_EQ(result.summary.spaced_words, 4u);
  EXPECT_THAT(result.rows[0], ElementsAre(1.0f, 2.0f));
  EXPECT_THAT(result.rows[3], ElementsAre(7.0f, 8.0f));
}

TEST(Text, DirtThatIsCounted) {
  const Read result = read(
      "\xEF\xBB\xBF"
      "5 2\r\na 1 2\r\n 3 4\r\n\xFF\xFE 5 6\r\nz 0 -0\r\n\r\nb\t7\t8   \r\n");
  EXPECT_THAT(result.words, ElementsAre("a", "\xFF\xFE", "z", "b"));
  EXPECT_TRUE(result.summary.byte_order_mark);
  EXPECT_TRUE(result.summary.carriage_returns);
  EXPECT_EQ(result.summary.empty_words, 1u);
  EXPECT_EQ(result.summary.invalid_utf8, 1u);
  EXPECT_EQ(result.summary.zero_rows, 1u);
  EXPECT_EQ(result.summary.blank_lines, 1u);
}

TEST(Text, TinyNumbersAreNumbers) {
  const Read result = read("1 3\na 1e-40 -1e-45 1e-60\n");
  EXPECT_EQ(result.rows[0][0], 1e-40f);
  EXPECT_EQ(result.rows[0][1], -1e-45f);
  EXPECT_EQ(result.rows[0][2], 0.0f);
}

TEST(Text, ALastLineWithoutLineBreak) {
  EXPECT_EQ(read("2 2\na 1 2\nb 3 4").words.size(), 2u);
  EXPECT_EQ(read("a 1 2\nb 3 4").words.size(), 2u);
  // The header promises a third row: the file was cut, and 4 may have been 4.5.
  EXPECT_THAT(error_of("3 2\na 1 2\nb 3 4"), StartsWith("file.vec:3: the file ends in the middle of a line"));
  const Read lenient = read("3 2\na 1 2\nb 3 4", {.lenient = true});
  EXPECT_THAT(lenient.words, ElementsAre("a"));
  EXPECT_EQ(lenient.summary.skipped_rows, 1u);
  // No header promises anything, but the row before ends in a blank.
  EXPECT_THAT(error_of("a 1 2 \nb 3 4"), StartsWith("file.vec:2: the file ends in the middle of a line"));
  EXPECT_EQ(read("a 1 2 \nb 3 4 ").words.size(), 2u);
  EXPECT_EQ(read("2 2\na 1 2 \nb 3 4").words.size(), 2u) << "all promised rows are there";
}

TEST(Text, DamageNamesFileLineAndReason) {
  EXPECT_EQ(error_of("3 3\na 1 2 3\nb 1 2\nc 1 2 3\n"), "file.vec:3: the row has 2 numbers, 3 are wanted");
  EXPECT_EQ(error_of("2 2\na 1 2\n5 1\n"), "file.vec:3: the row has 1 number, 2 are wanted");
  EXPECT_EQ(error_of("2 2\na 1 2\nb 1.5 2 3\n"), "file.vec:3: the row has more than 2 numbers");
  EXPECT_EQ(error_of("a 1 2\nb 1 nan\n"), "file.vec:2: 'nan' is not a finite number");
  EXPECT_EQ(error_of("a 1 2\nb inf 2\n"), "file.vec:2: 'inf' is not a finite number");
  EXPECT_EQ(error_of("a 1 2\nb 1e39 2\n"), "file.vec:2: '1e39' is not a finite number");
  EXPECT_EQ(error_of("2 2\na 1 2\nb one 2\n"), "file.vec:3: 'one' is not a finite number");
  EXPECT_EQ(error_of("2 3\na 1 2 3\nb 1 2"), "file.vec:3: the row has 2 numbers, 3 are wanted");
  EXPECT_EQ(error_of(""), "file.vec: the file is empty");
  EXPECT_THAT(error_of("<!DOCTYPE html>\n<html>404</html>\n"), HasSubstr("file.vec:1: this is an HTML or XML page"));
  EXPECT_THAT(error_of("<?xml version=\"1.0\"?>\n<Error/>\n"), HasSubstr("HTML or XML"));
  EXPECT_THAT(error_of("hello world\nfoo bar\n"), HasSubstr("file.vec:1: no row of a word and numbers"));
  EXPECT_THAT(error_of("1000000 300\na 1 2\n"), HasSubstr("more than the file can hold"));
  EXPECT_THAT(error_of("18446744073709551615 18446744073709551615\na 1 2\n"), HasSubstr("more than the file can hold"));
  EXPECT_NE(error_of("3 2\n"), "no error");
}

TEST(Text, LenientSkipsAndCounts) {
  const Read result = read("4 2\na 1 2\nb 1\nc nan 2\nd 3 4\n", {.lenient = true});
  EXPECT_THAT(result.words, ElementsAre("a", "d"));
  EXPECT_EQ(result.summary.skipped_rows, 2u);
  EXPECT_EQ(result.summary.first_skipped, "file.vec:3: the row has 1 number, 2 are wanted");
  EXPECT_NE(error_of("2 3\na 1 2\nb 1 2\n", {.lenient = true}), "no error");  // nothing is left
}

TEST(Text, StopsAfterMaxWordsBeforeLaterDamage) {
  const Read result = read("3 2\na 1 2\nb 3 4\nc oops 1\n", {.max_words = 2});
  EXPECT_THAT(result.words, ElementsAre("a", "b"));
}

/// A reader as anybody would write it, for clean files only.
Read plain_read(const std::string& text) {
  std::istringstream in(text);
  std::string line;
  std::getline(in, line);
  const std::size_t d = static_cast<std::size_t>(std::stoul(line.substr(line.find(' '))));
  Read result;
  while (std::getline(in, line)) {
    const std::size_t blank = line.find(' ');
    result.words.push_back(line.substr(0, blank));
    const char* next = line.c_str() + blank;
    char* end = nullptr;
    std::vector<float>& row = result.rows.emplace_back();
    for (std::size_t j = 0; j < d; ++j, next = end) row.push_back(std::strtof(next, &end));
  }
  return result;
}

TEST(Text, LargeFilesAsAPlainLoopReadsThemOnAnyNumberOfThreads) {
  Random random(7);
  const std::size_t words = 20'000, d = 40;
  std::string text = std::to_string(words) + " " + std::to_string(d) + "\n";
  for (std::size_t i = 0; i < words; ++i) {
    text += "w" + std::to_string(i);
    for (std::size_t j = 0; j < d; ++j) text += " " + std::to_string(random.normal()).substr(0, 2 + random.index(7));
    text += '\n';
  }
  ASSERT_GT(text.size(), std::size_t{4} << 20);  // more than a block
  const Read expected = plain_read(text);
  for (int threads = 1; threads <= 3; threads += static_cast<int>(effort(1, 2))) {
    const WithThreads scope(threads);
    const Read result = read(text);
    EXPECT_EQ(result.words, expected.words);
    EXPECT_EQ(result.rows, expected.rows);
  }
  // The first damaged line is the one reported, wherever the pieces were cut.
  for (const std::size_t at : {text.size() / 3, text.size() / 2, text.size() - 1000}) {
    const std::size_t begin = text.find('\n', at) + 1;
    std::string damaged = text;
    damaged[damaged.find(' ', begin) + 1] = '?';
    damaged[damaged.rfind(' ') + 1] = '?';
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 1;
    EXPECT_THAT(error_of(damaged), StartsWith("file.vec:" + std::to_string(line) + ": "));
  }
}

/// Dirty rows of all kinds over several blocks; damaged ones too where wanted.
std::string dirty_text(bool damaged) {
  Random random(21);
  std::string text = "1000 30\r\n";
  while (text.size() < 3 * LineBlocks::kBlockBytes) {
    const std::size_t kind = random.index(100);
    text += kind == 0 ? "" : kind == 1 ? "New York" : "w" + std::to_string(random.index(20'000));
    for (int i = 0; i < 30; ++i) text += " " + std::to_string(random.normal()).substr(0, 3 + random.index(6));
    if (damaged && kind == 2) text += random.index(2) == 0 ? " x" : " 0.5";
    text += kind == 3 ? " \r\n" : kind == 4 ? "\n\n" : "\n";
  }
  return text;
}

/// The rows of the source, the first of equal words only, up to `max_words`.
Read first_rows(const std::string& text, const ReadOptions& options) {
  ReadOptions all = options;
  all.max_words = 0;
  const Read rows = read(text, all);
  Read result;
  Vocabulary vocabulary;
  for (std::size_t i = 0; i < rows.words.size(); ++i) {
    if (options.max_words != 0 && result.words.size() == options.max_words) break;
    if (!vocabulary.add(rows.words[i])) continue;
    result.words.push_back(rows.words[i]);
    result.rows.push_back(rows.rows[i]);
  }
  result.summary = rows.summary;
  return result;
}

TEST(Text, TheWholeTableIsThatOfTheRowsInOrderOnAnyNumberOfThreads) {
  for (const bool damaged : {false, true}) {
    const std::string text = dirty_text(damaged);
    for (const std::size_t max_words : {0, 1, 5000}) {
      const ReadOptions options{.max_words = max_words, .lenient = damaged};
      const Read expected = first_rows(text, options);
      std::string line;
      for (int threads = 1; threads <= 3; threads += static_cast<int>(effort(1, 2))) {
        const WithThreads scope(threads);
        const WordVectors vectors = read_text(std::make_unique<MemoryStream>(text, true, "file.vec"), options);
        ASSERT_EQ(vectors.size(), expected.words.size());
        for (std::size_t i = 0; i < vectors.size(); ++i) {
          ASSERT_EQ(vectors.vocabulary()[i], expected.words[i]);
          ASSERT_TRUE(std::ranges::equal(vectors.table().row(i), expected.rows[i]));
        }
        EXPECT_EQ(vectors.summary().stopped_early, max_words != 0);
        if (line.empty()) line = vectors.summary().to_line();
        EXPECT_EQ(vectors.summary().to_line(), line) << "counts do not depend on the threads";
        if (max_words != 0) continue;
        EXPECT_EQ(vectors.summary().rows + vectors.summary().duplicates, expected.summary.rows);
        EXPECT_EQ(vectors.summary().skipped_rows, expected.summary.skipped_rows);
        EXPECT_EQ(vectors.summary().first_skipped, expected.summary.first_skipped);
        EXPECT_EQ(vectors.summary().blank_lines, expected.summary.blank_lines);
        EXPECT_EQ(damaged, vectors.summary().skipped_rows > 0);
      }
    }
    if (!damaged) continue;
    const std::string first = error_of(text);
    for (int threads = 1; threads <= 3; threads += static_cast<int>(effort(1, 2))) {
      const WithThreads scope(threads);
      try {
        read_text(std::make_unique<MemoryStream>(text, true, "file.vec"), {});
        ADD_FAILURE() << "no error";
      } catch (const InputError& error) {
        EXPECT_EQ(error.what(), first);
      }
    }
  }
}

TEST(Text, CutCompressedFilesLoseWhatIsMissingAndSaySo) {
  const TemporaryFolder folder;
  std::string text;
  Random random(5);
  for (int i = 0; i < 3000; ++i)
    text += fmt::format("w{} {:.6f} {:.6f} {:.6f}\n", i, random.normal(), random.normal(), random.normal());
  for (const std::string name : {"a.vec.gz", "a.vec.zst", "a.vec.xz", "a.vec.bz2"}) {
    const std::string path = folder.path(name);
    const auto sink = create_bytes(path);
    sink->write(text);
    sink->finish();
    EXPECT_EQ(read_vectors(path).size(), 3000u) << name;
    std::filesystem::resize_file(path, std::filesystem::file_size(path) * 2 / 3);
    EXPECT_THROW(read_vectors(path), InputError) << name;
    try {
      // How much can be saved depends on the compression; bzip2 may have lost its only block.
      const WordVectors saved = read_vectors(path, {.lenient = true});
      EXPECT_LT(saved.size(), 3000u) << name;
      EXPECT_NE(saved.summary().first_skipped, "") << name;
      EXPECT_EQ(saved.vocabulary()[saved.size() - 1], "w" + std::to_string(saved.size() - 1)) << name;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), StartsWith(path + ":")) << name;
    }
  }
}

TEST(TextSink, GivesBackTheSameBits) {
  const TemporaryFolder folder;
  for (const std::string name : {"a.vec", "a.txt", "a.vec.gz", "a.vec.zst", "a.vec.xz", "a.vec.bz2"}) {
    const std::string path = folder.path(name);
    Matrix table(3, 2);
    const float values[] = {0.1f, -1e-40f, 3.4028235e38f, 1.0f / 3, -0.0f, 16777216};
    std::copy_n(values, 6, table.data());
    const std::vector<std::string> words = {"one", "two words", "\xFFthree"};
    const WordVectors vectors(Vocabulary(words), table);
    write_vectors(path, VectorFormat::text, vectors);
    const WordVectors back = read_vectors(path);
    EXPECT_EQ(back.vocabulary(), vectors.vocabulary()) << name;
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_EQ(std::signbit(back.table().data()[i]), std::signbit(values[i])) << name;
    EXPECT_EQ(back.table(), vectors.table()) << name;
  }
}

TEST(TextSink, MendsTheHeader) {
  const TemporaryFolder folder;
  for (const std::string name : {"a.vec", "a.vec.gz", "a.vec.zst", "a.vec.xz", "a.vec.bz2"})
    for (const std::optional<std::uint64_t> promised :
         {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(1), std::optional<std::uint64_t>(123456789)}) {
      const std::string path = folder.path(name);
      const auto sink = create_vectors(path, VectorFormat::text, 1, promised);
      Matrix rows(12, 1);
      std::vector<std::string> words;
      words.reserve(12);
      for (int i = 0; i < 12; ++i) words.push_back("w" + std::to_string(i));
      sink->write(words, rows);
      sink->finish();
      const WordVectors back = read_vectors(path);
      EXPECT_EQ(back.size(), 12u);
      EXPECT_EQ(back.summary().header_rows, 12u) << name;
    }
}

TEST(TextSink, RefusesWordsThatWouldComeBackChanged) {
  const TemporaryFolder folder;
  const auto sink = create_vectors(folder.path("a.vec"), VectorFormat::text, 1, 1);
  EXPECT_THROW(sink->write({"a\nb"}, Matrix(1, 1)), InputError);
  EXPECT_THROW(sink->write({""}, Matrix(1, 1)), InputError);
  EXPECT_THROW(sink->write({"a "}, Matrix(1, 1)), InputError);
  EXPECT_THROW(sink->write({"\ta"}, Matrix(1, 1)), InputError);
  EXPECT_THROW(sink->write({"x 0.5"}, Matrix(1, 1)), InputError);
  sink->write({"room 101", "a  b", "0.5"}, Matrix(3, 1));
}

TEST(Formats, ReadsPipes) {
  const TemporaryFolder folder;
  const std::string path = folder.path("pipe");
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(path) << "2 2\na 1 2\nb 3 4\n"; });
  const WordVectors vectors = read_vectors(path);
  writer.join();
  EXPECT_EQ(vectors.size(), 2u);
}

TEST(Formats, ReadsCompressedPipesLongerThanAnyBlock) {
  const TemporaryFolder folder;
  const std::string text = dirty_text(false);
  const std::string whole = folder.path("a.vec.zst"), pipe = folder.path("pipe");
  const auto sink = create_bytes(whole);
  sink->write(text);
  sink->finish();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const WordVectors expected = read_vectors(whole);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << std::ifstream(whole, std::ios::binary).rdbuf(); });
  const WordVectors vectors = read_vectors(pipe);
  writer.join();
  EXPECT_GT(vectors.size(), 1000u);
  EXPECT_EQ(vectors.vocabulary(), expected.vocabulary());
  EXPECT_EQ(vectors.table(), expected.table());
  EXPECT_EQ(vectors.summary().compression, "zstd");
}

TEST(Formats, FirstOfDuplicatesCountsAndMaxWordsCountsWords) {
  const TemporaryFolder folder;
  const std::string path = folder.path("a.vec");
  std::ofstream(path) << "4 1\na 1\na 2\nb 3\nc 4\n";
  const WordVectors all = read_vectors(path), two = read_vectors(path, {.max_words = 2});
  EXPECT_EQ(all.size(), 3u);
  EXPECT_EQ(all.table()(0, 0), 1);
  EXPECT_EQ(all.summary().duplicates, 1u);
  EXPECT_EQ(two.size(), 2u);
  EXPECT_EQ(two.table()(1, 0), 3);
  EXPECT_TRUE(two.summary().stopped_early);
}

TEST(Text, ALineHasALimitAlsoBehindAHeader) {
  for (const char* start : {"", "10 2\n", "10 2\na 1 2\n", "a 1 2\nb 1 2\n"}) {
    for (const bool whole : {false, true}) {
      auto stream = std::make_unique<EndlessLine>(start, kEndless);
      const EndlessLine& watched = *stream;
      const std::string error = input_error_of([&] {
        if (whole) {
          read_text(std::move(stream), {.lenient = true});
        } else {
          const auto source = open_text(std::move(stream), {.lenient = true});
          EXPECT_LE(watched.file_position(), kMostLineBytes + (std::uint64_t{4} << 20));
          while (source->next()) {
          }
        }
      });
      EXPECT_THAT(error, ::testing::EndsWith(": a line of more than 64 MB: not a file of text vectors"));
      EXPECT_EQ(error.substr(0, 11),
                "bomb.zst:" + std::to_string(std::count(start, start + std::strlen(start), '\n') + 1) + ":");
    }
  }
}

}  // namespace

}  // namespace wordbridge::text_test
