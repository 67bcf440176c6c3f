#include "mapping/stored_lexicon.h"

#include <gmock/gmock.h>

#include <stdexcept>

#include "io/compressed_stream.h"

namespace wordbridge::stored_lexicon_test {
namespace {

using ::testing::HasSubstr;

StoredLexicon odd_words() {
  return {{{"house", "casa"},
           {"house", "hogar", 0.1},
           {"New York", " Nueva\tYork\n"},
           {"# no comment", "\\t"},
           {"\xff\x80", "ñandú", 1.0 / 3}}};
}

std::string zstd(std::string_view text) {
  std::string bytes;
  const auto stream = make_compressor(Compression::zstd, [&](std::string_view piece) { bytes += piece; });
  stream->write(text);
  stream->finish();
  return bytes;
}

std::string error_of(std::string_view bytes, std::size_t pairs) {
  try {
    parse_stored_lexicon(bytes, pairs);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no error";
}

TEST(StoredLexicons, WordsAndWeightsComeBack) {
  const StoredLexicon lexicon = odd_words();
  const std::string bytes = to_compressed(lexicon);
  EXPECT_EQ(parse_stored_lexicon(bytes, 5), lexicon);
  EXPECT_EQ(to_compressed(lexicon), bytes) << "the same pairs give the same bytes";
}

TEST(StoredLexicons, AreSmallerThanTheirText) {
  StoredLexicon lexicon;
  std::size_t text = 0;
  for (int i = 0; i < 5000; ++i) {
    lexicon.pairs.push_back({"word" + std::to_string(i * i), "palabra" + std::to_string(i * 7)});
    text += lexicon.pairs.back().source.size() + lexicon.pairs.back().target.size() + 2;
  }
  const std::string bytes = to_compressed(lexicon);
  EXPECT_LT(bytes.size() * 2, text);
  EXPECT_EQ(parse_stored_lexicon(bytes, 5000), lexicon);
}

TEST(StoredLexicons, SidesChangePlaces) {
  EXPECT_EQ(odd_words().swapped().pairs[1], (StoredLexicon::Pair{"hogar", "house", 0.1}));
  EXPECT_EQ(odd_words().swapped().swapped(), odd_words());
}

TEST(StoredLexicons, SayWhatIsWrong) {
  EXPECT_THAT(error_of(zstd("house\tcasa\n"), 2), HasSubstr("1 pairs where the header says 2"));
  EXPECT_THAT(error_of(zstd("house casa\n"), 1), HasSubstr("without a tab"));
  EXPECT_THAT(error_of(zstd("house\tcasa"), 1), HasSubstr("no end"));
  EXPECT_THAT(error_of(zstd("\tcasa\n"), 1), HasSubstr("without a word"));
  EXPECT_THAT(error_of(zstd("house\t\n"), 1), HasSubstr("without a word"));
  EXPECT_THAT(error_of(zstd("a\tb\na\tb\n"), 2), HasSubstr("comes twice"));
  EXPECT_THAT(error_of(zstd("a\tb\na\tb\t2\n"), 2), HasSubstr("comes twice"));
  for (const char* weight : {"", "0", "-1", "nan", "inf", "1e999", "1 ", "1\t1"})
    EXPECT_THAT(error_of(zstd(std::string("a\tb\t") + weight + "\n"), 1), HasSubstr("no number above 0")) << weight;
  EXPECT_THAT(error_of("no zstd", 1), HasSubstr("the lexicon: "));
  EXPECT_NE(error_of("", 1), "no error");
}

TEST(StoredLexicons, EveryCutIsFound) {
  const std::string good = to_compressed(odd_words());
  for (std::size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(error_of(good.substr(0, length), 5), "no error") << length;
}

TEST(StoredLexicons, DoNotGrowWithoutEnd) {
  EXPECT_THAT(error_of(zstd(std::string(std::size_t{1} << 26, 'a')), 1), HasSubstr("more than a lexicon can be"));
}

}  // namespace
}  // namespace wordbridge::stored_lexicon_test
