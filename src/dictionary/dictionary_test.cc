#include "dictionary/dictionary.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/random.h"
#include "base/temporary_folder_test_support.h"
#include "lexicon/word_pairs.h"
#include "wordbridge/error.h"

namespace wordbridge::dictionary_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Dictionary light() {
  return {"en",
          "fr",
          {{"light", 120, {{"lumière", 0.9, 0.97, 80, false, {"lumières"}}, {"clair", 0.05, 0.6, 200}}},
           {"Bank", 7, {{"banque", std::nullopt, std::nullopt, 30, true}}}}};
}

Dictionary back() {
  return {"fr", "en", {{"lumière", 80, {{"light", 0.8, 0.9, 120}}}, {"clair", 200, {{"clear", 0.7, 0.8, 99}}}}};
}

/// Words that mean something to one format or another.
std::vector<std::string> odd_words() {
  return {"<b>&amp;\"'</b>",
          "a\tb\nc",
          "new_york",
          "_",
          "__",
          " blanks ",
          "\xff\xfe",
          "#",
          "# c",
          "=1+1",
          "a,b",
          "\"q\"",
          std::string("nul\0byte", 8),
          "\\t",
          "]]>",
          "--",
          "^$/<>{}[]@\\",
          "é",
          "\xEF\xBF\xBF",
          "\x1b[2J",
          "%s{}"};
}

Dictionary odd_dictionary() {
  Dictionary dictionary{"en", "x-target", {}};
  for (const std::string& word : odd_words()) {
    Dictionary::Entry entry{word, 1, {}};
    for (const std::string& other : odd_words()) entry.translations.push_back({other, 0.5, 0.25, 3, false, {other}});
    dictionary.entries.push_back(std::move(entry));
  }
  return dictionary;
}

/// The value of four bytes, the highest first.
std::size_t big_endian(const std::string& bytes, std::size_t at) {
  std::size_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

struct Article {
  std::string word, text;
};

/// A slow reader of StarDict: all articles in the order of the index.
std::vector<Article> stardict_articles(const std::vector<std::string>& files) {
  std::vector<Article> articles;
  for (std::size_t at = 0; at < files[1].size();) {
    const std::size_t end = files[1].find('\0', at);
    articles.push_back(
        {files[1].substr(at, end - at), files[2].substr(big_endian(files[1], end + 1), big_endian(files[1], end + 5))});
    at = end + 9;
  }
  return articles;
}

TEST(Dictionaries, Tables) {
  EXPECT_EQ(to_tsv(light()),
            "# source\ttarget\tp_translation\tp_first\trank\tsource_frequency\ttarget_frequency\tknown\tforms\n"
            "light\tlumière\t0.9700\t0.9000\t1\t120\t80\tguessed\tlumières\n"
            "light\tclair\t0.6000\t0.0500\t2\t120\t200\tguessed\t\n"
            "Bank\tbanque\t\t\t1\t7\t30\tknown\t\n");
  EXPECT_THAT(to_csv(light()), HasSubstr("light,lumière,0.9700,0.9000,1,120,80,guessed,lumières\n"));
  EXPECT_THAT(to_csv(odd_dictionary()), HasSubstr("\n\"=1+1\",\"a,b\",0.2500,"));
}

TEST(Dictionaries, TablesAreLexicons) {
  const TemporaryFolder folder;
  const WordPairs pairs = read_word_pairs(folder.write("x.tsv", to_tsv(light())));
  EXPECT_THAT(pairs.pairs, ElementsAre(WordPairs::Pair{"light", "lumière"}, WordPairs::Pair{"light", "clair"},
                                       WordPairs::Pair{"Bank", "banque"}));
}

TEST(Dictionaries, JsonLines) {
  const std::string text = to_json_lines(light());
  const Json line = Json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(line.at("word").get<std::string>(), "light");
  EXPECT_EQ(line.at("lang").get<std::string>(), "English");
  EXPECT_EQ(line.at("lang_code").get<std::string>(), "en");
  const Json& first = line.at("translations").at(0);
  EXPECT_EQ(first.at("lang").get<std::string>(), "French");
  EXPECT_EQ(first.at("p_translation").get<double>(), 0.97);
  EXPECT_EQ(first.at("forms").at(0).get<std::string>(), "lumières");
  EXPECT_EQ(std::ranges::count(to_json_lines(odd_dictionary()), '\n'), static_cast<long>(odd_words().size()));
}

TEST(Dictionaries, StarDict) {
  DictionarySummary summary;
  const auto files = to_stardict(light(), summary);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_THAT(files[0], HasSubstr("\nwordcount=2\nidxfilesize=" + std::to_string(files[1].size()) + "\n"));
  const auto articles = stardict_articles(files);
  EXPECT_EQ(articles[0].word, "Bank");
  EXPECT_EQ(articles[0].text, "banque (known)");
  EXPECT_EQ(articles[1].text, "1. lumière, lumières (97%)\n2. clair (60%)");
}

TEST(Dictionaries, StarDictsIndexIsInItsOwnOrder) {
  Random random(5);
  Dictionary dictionary{"en", "fr", {}};
  std::set<std::string> words;
  for (int i = 0; i < 500; ++i) {
    std::string word;
    for (std::size_t n = 1 + random.index(4); n > 0; --n) word += "aAbB-zZ[^~"[random.index(10)];
    if (random.index(4) == 0) word += "é";
    words.insert(word);
  }
  for (const std::string& word : words) dictionary.entries.push_back({word, 1, {{word}}});
  DictionarySummary summary;
  const auto articles = stardict_articles(to_stardict(dictionary, summary));
  ASSERT_EQ(articles.size(), words.size());
  const auto folded = [](const std::string& word) {
    std::vector<int> letters;
    for (const char c : word) letters.push_back(c >= 'A' && c <= 'Z' ? c + 32 : static_cast<unsigned char>(c));
    return letters;
  };
  for (std::size_t i = 1; i < articles.size(); ++i) {
    const auto before = folded(articles[i - 1].word), after = folded(articles[i].word);
    EXPECT_TRUE(before < after || (before == after && articles[i - 1].word < articles[i].word)) << articles[i].word;
    EXPECT_EQ(articles[i].text, articles[i].word);
  }
}

TEST(Dictionaries, HeadwordsThatAreTooLong) {
  Dictionary dictionary{"en", "fr", {{std::string(255, 'a'), 1, {{"x"}}}, {std::string(256, 'b'), 2, {{"y"}}}}};
  DictionarySummary summary;
  EXPECT_EQ(stardict_articles(to_stardict(dictionary, summary)).size(), 1u);
  EXPECT_EQ(summary.left_out, 1u);
}

TEST(Dictionaries, Dictd) {
  DictionarySummary summary;
  const auto files = to_dictd(light(), summary);
  ASSERT_EQ(files.size(), 2u);
  EXPECT_THAT(files[1], HasSubstr("light\n     1. lumière, lumières (97%)\n     2. clair (60%)\n"));
  EXPECT_THAT(files[0], HasSubstr("\tBank\n"));  // as it is shown, behind the key
  EXPECT_THAT(files[0], HasSubstr("00-database-allchars\tB\tB\n"));
}

TEST(Dictionaries, ApertiumHoldsBothDirections) {
  const Dictionary both[] = {light(), back()};
  const std::string text = to_apertium(both);
  EXPECT_THAT(text, HasSubstr("<e w=\"0.0305\"><p><l>light</l><r>lumière</r></p></e>"));
  EXPECT_THAT(text, HasSubstr("<e r=\"LR\" w=\"0.5108\"><p><l>light</l><r>clair</r></p></e>"));
  EXPECT_THAT(text, HasSubstr("<e r=\"RL\" w=\"0.2231\"><p><l>clear</l><r>clair</r></p></e>"));
  EXPECT_THAT(text, HasSubstr("<e r=\"LR\" w=\"0.0000\"><p><l>Bank</l><r>banque</r></p></e>"));
  const Dictionary phrase[] = {{"en", "fr", {{"new_york", 1, {{"a & b"}}}}}};
  EXPECT_THAT(to_apertium(phrase), HasSubstr("<e><p><l>new<b/>york</l><r>a<b/>&amp;<b/>b</r></p></e>"));
}

TEST(Dictionaries, Tmx) {
  const Dictionary both[] = {light(), back()};
  const std::string text = to_tmx(both);
  EXPECT_THAT(text, HasSubstr("<tu><prop type=\"p-translation-forward\">0.9700</prop>"));
  EXPECT_THAT(text, HasSubstr("<prop type=\"p-translation-backward\">0.9000</prop>"));
  EXPECT_THAT(text,
              HasSubstr("<tuv xml:lang=\"en\"><seg>clear</seg></tuv><tuv xml:lang=\"fr\"><seg>clair</seg></tuv>"));
}

TEST(Dictionaries, WordsOfAnyKindAreReadable) {
  EXPECT_EQ(readable_word("new_york"), "new york");
  EXPECT_EQ(readable_word("_"), "_");
  EXPECT_EQ(readable_word("__"), "__");
  EXPECT_EQ(readable_word("a\tb\nc"), "a b c");
  EXPECT_EQ(readable_word("\xffz"), "\xEF\xBF\xBDz");
  EXPECT_EQ(readable_word(" x "), "x");
  EXPECT_EQ(readable_word("\x01"), "\xEF\xBF\xBD");
  EXPECT_EQ(readable_word("snake_case", false), "snake_case");
}

TEST(Dictionaries, MarkupIsEscapedInEveryFormat) {
  const Dictionary odd[] = {odd_dictionary()};
  for (const std::string& text : {to_apertium(odd), to_tmx(odd), to_lift(odd[0]), to_tei(odd[0])}) {
    EXPECT_THAT(text, HasSubstr("&lt;b&gt;&amp;amp;"));
    EXPECT_THAT(text, Not(HasSubstr("<b>")));
    EXPECT_TRUE(std::ranges::none_of(text, [](char c) { return (c >= 0 && c < 32 && c != '\n') || c == 127; }));
  }
}

TEST(Dictionaries, FormatsByNameAndPath) {
  EXPECT_EQ(dictionary_format("stardict").kind, DictionaryKind::stardict);
  EXPECT_THROW(dictionary_format("pdf"), UsageError);
  EXPECT_EQ(dictionary_format_of_path("a/en-es.tei.xml")->kind, DictionaryKind::tei);
  EXPECT_EQ(dictionary_format_of_path("x.dix")->kind, DictionaryKind::apertium);
  EXPECT_EQ(dictionary_format_of_path("x.pdf"), nullptr);
  EXPECT_EQ(dictionary_format_of_path(".tsv"), nullptr);
}

TEST(Dictionaries, LanguageTags) {
  for (const char* tag : {"en", "eng", "zh-Hant", "x-source", "es-419", "en_GB"})
    EXPECT_NE(language_tag(tag, "-"), "-") << tag;
  EXPECT_EQ(language_tag("en_GB", "-"), "en-GB");
  for (const char* none : {"", "e", "en-", "-en", "9a", "english-", "a b", "ñ", "muchtoolong", "en--us"})
    EXPECT_EQ(language_tag(none, "x-source"), "x-source") << none;
}

TEST(Dictionaries, AllFilesAppearOrNone) {
  const Dictionary both[] = {light(), back()};
  for (const DictionaryFormat& format : dictionary_formats()) {
    const TemporaryFolder folder;
    const std::string name = "x" + format.extensions.front();
    {
      const DictionaryFiles unwritten(format, folder.path(name), "en", "fr", true);
      EXPECT_EQ(unwritten.paths().size(), (format.both_ways ? 1 : 2) * (1 + format.beside.size())) << format.name;
    }
    EXPECT_EQ(folder.files(), 0u) << format.name;
    DictionaryFiles files(format, folder.path(name), "en", "fr", true);
    const DictionarySummary summary = files.write(both);
    EXPECT_EQ(summary.entries, 4u);
    EXPECT_EQ(summary.translations, 5u);
    EXPECT_EQ(folder.files(), files.paths().size());
    EXPECT_TRUE(folder.has(format.both_ways ? name : "x.fr-en" + format.extensions.front())) << format.name;
  }
}

TEST(Dictionaries, NamesThatCannotBe) {
  const TemporaryFolder folder;
  const auto open = [&](const char* format, const std::string& path, bool both, const char* target = "fr") {
    DictionaryFiles(dictionary_format(format), path, "en", target, both);
  };
  EXPECT_THROW(open("stardict", "-", false), UsageError);
  EXPECT_THROW(open("stardict", folder.path("x.txt"), false), UsageError);
  EXPECT_THROW(open("tsv", "", true), UsageError);
  EXPECT_THROW(open("tsv", folder.path("x"), true), UsageError);
  EXPECT_THROW(open("tmx", folder.path("x.tmx"), true, "en"), UsageError);
  EXPECT_THROW(open("tmx", folder.path("nowhere/x.tmx"), true), IoError);
  EXPECT_NO_THROW(open("tsv", folder.path("x"), false));
  EXPECT_EQ(folder.files(), 0u);
}

}  // namespace
}  // namespace wordbridge::dictionary_test
