#include "vectors/formats/word_list.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "base/temporary_folder_test_support.h"
#include "vectors/formats/binary_format_test_support.h"

namespace wordbridge::word_list_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class WordListTest : public ::testing::Test {
 protected:
  struct Read {
    std::vector<std::string> words;
    bool byte_order_mark, carriage_returns;
  };
  Read read(const std::string& bytes) { return read_file(folder_.write("words", bytes)); }
  static Read read_file(const std::string& path) {
    WordList list(path);
    Read read{{}, list.byte_order_mark(), list.carriage_returns()};
    WordsDigest digest;
    while (read.words.size() < list.size()) {
      read.words.push_back(list.next());
      digest.add(read.words.back());
    }
    EXPECT_EQ(digest.value(), list.digest());
    EXPECT_NE(input_error_of([&] { list.next(); }), "");
    return read;
  }
  TemporaryFolder folder_;
};

TEST_F(WordListTest, OneWordALine) {
  const auto list = read("cat\nNew York\n\n Zürich \n\xff");
  EXPECT_THAT(list.words, ElementsAre("cat", "New York", "", " Zürich ", "\xff"));
  EXPECT_FALSE(list.byte_order_mark || list.carriage_returns);
  EXPECT_THAT(read("a").words, ElementsAre("a"));
  EXPECT_THAT(read("a\n").words, ElementsAre("a"));
  EXPECT_THAT(read("\n").words, ElementsAre(""));
  EXPECT_THAT(read("").words, IsEmpty());
}

TEST_F(WordListTest, TakesOffMarksOfOtherSystems) {
  const auto list = read(
      "\xEF\xBB\xBF"
      "a\r\nb\rc\r\n\r\n");
  EXPECT_THAT(list.words, ElementsAre("a", "b\rc", ""));
  EXPECT_TRUE(list.byte_order_mark && list.carriage_returns);
}

TEST_F(WordListTest, ManyAndLongWords) {
  std::string text;
  std::vector<std::string> words;
  for (int i = 0; i < 30'000; ++i) {
    words.push_back(std::to_string(i) + std::string(static_cast<std::size_t>(i % 300), 'x'));
    text += words.back() + '\n';
  }
  EXPECT_EQ(read(text).words, words);
  EXPECT_EQ(read(std::string(65535, 'x')).words[0].size(), 65535U);
  EXPECT_THAT(input_error_of([&] { read("a\n" + std::string(65536, 'x')); }), HasSubstr("words:2: a line of more"));
  EXPECT_THAT(input_error_of([&] { read("a\n" + std::string(65536, 'x') + "\nb\n"); }), HasSubstr("words:2: "));
}

TEST_F(WordListTest, MissingFile) {
  EXPECT_NE(input_error_of([&] { read_file(folder_.path("none")); }), "");
}

TEST_F(WordListTest, EmptyWordsAtTheEndAreKnown) {
  const WordList list(folder_.write("words", "a\n\nb\n\n\n"));
  EXPECT_EQ(list.size(), 5U);
  EXPECT_EQ(list.filled_size(), 3U);
}

TEST_F(WordListTest, APipeGivesTheSame) {
  const std::string pipe = folder_.path("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "a\nb\n"; });
  EXPECT_THAT(read_file(pipe).words, ElementsAre("a", "b"));
  writer.join();
}

}  // namespace
}  // namespace wordbridge::word_list_test
