#include "hub/language_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::language_list_test {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

const char* const kList = R"(pivot = "en"
method = "rcsls"
normalize = "unit"
max-words = 1000
joint = true

[options]
learning-rate = 10
constraint = "orthogonal"

[languages.es]
vectors = "es.vec"

[languages.en]
vectors = "/data/en.vec"

[languages.zh-min]
vectors = "zh.vec"
method = "procrustes"

[languages.de]
vectors = "de.vec"
[languages.de.options]
learning-rate = 1.5

[lexicons.es-en]
train = "es-en.txt"
test = "test/es-en.txt"

[lexicons.de-zh-min]
train = "x.txt"
validation = "y.txt"
)";

std::string error_of(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder.write("list.toml", text);
  try {
    read_language_list(path);
  } catch (const InputError& error) {
    return std::to_string(error.line()) + ": " + error.reason();
  }
  return "none";
}

TEST(LanguageList, ReadsAListWithPathsRelativeToItsFolder) {
  const TemporaryFolder folder;
  const LanguageList list = read_language_list(folder.write("list.toml", kList));
  EXPECT_EQ(list.pivot, "en");
  EXPECT_EQ(list.method, "rcsls");
  EXPECT_EQ(list.max_words, 1000u);
  EXPECT_TRUE(list.joint);
  std::vector<std::string> names;
  for (const LanguageEntry& language : list.languages) names.push_back(language.name);
  EXPECT_THAT(names, ElementsAre("de", "en", "es", "zh-min"));
  EXPECT_EQ(list.find("es")->vectors, folder.path("es.vec"));
  EXPECT_EQ(list.find("en")->vectors, "/data/en.vec");
  ASSERT_NE(list.lexicons_of("es", "en"), nullptr);
  EXPECT_EQ(list.lexicons_of("es", "en")->test, folder.path("test/es-en.txt"));
  EXPECT_EQ(list.lexicons_of("es", "en")->validation, "");
  EXPECT_EQ(list.lexicons_of("en", "es"), nullptr);
  ASSERT_NE(list.lexicons_of("de", "zh-min"), nullptr);
  EXPECT_THAT(list.lexicons_of("de", "zh-min")->validation, EndsWith("/y.txt"));
}

TEST(LanguageList, SettingsOfALanguageComeBeforeThoseOfTheHub) {
  const TemporaryFolder folder;
  const LanguageList list = read_language_list(folder.write("list.toml", kList));
  const AlignOptions es = list.options_of(*list.find("es")), de = list.options_of(*list.find("de")),
                     zh = list.options_of(*list.find("zh-min"));
  EXPECT_EQ(es.method, "rcsls");
  EXPECT_EQ(es.options.at("learning-rate").text(), "10");
  EXPECT_EQ(de.options.at("learning-rate").text(), "1.5");
  EXPECT_EQ(de.options.at("constraint").text(), "orthogonal");
  EXPECT_EQ(zh.method, "procrustes");
  EXPECT_TRUE(zh.options.empty());  // those of the hub are for its own method
  EXPECT_EQ(zh.normalization, "unit");
}

TEST(LanguageList, NamesLineAndReasonOfMistakes) {
  EXPECT_THAT(error_of("pivot = \"en\"\npivots = 3\n"), HasSubstr("2: 'pivots' is not known here; 'pivot' is"));
  EXPECT_THAT(error_of("pivot = 3\n"), HasSubstr("1: 'pivot' must be a text"));
  EXPECT_THAT(error_of("max-words = -1\n"), HasSubstr("1: 'max-words' must be a whole number"));
  EXPECT_THAT(error_of("joint = 1\n"), HasSubstr("1: 'joint' must be true or false"));
  EXPECT_THAT(error_of("\n\nmethod = \"magic\"\n"), HasSubstr("3: "));
  EXPECT_THAT(error_of("pivot = \"en\n"), HasSubstr("1: "));
  EXPECT_THAT(error_of("pivot = \"en\"\n[languages.en]\n"), HasSubstr("2: 'en' has no 'vectors'"));
  EXPECT_THAT(error_of("pivot = \"en\"\n[languages.\"a/b\"]\nvectors = \"x\"\n"), HasSubstr("cannot be the name"));
  EXPECT_THAT(error_of("pivot = \"en\"\n[languages.en]\nvectors = \"x\"\nfile = \"y\"\n"), HasSubstr("4: 'file'"));
  EXPECT_THAT(error_of("pivot = \"en\"\n[languages.en]\nvectors = \"x\"\n"), HasSubstr("no language beside the pivot"));
  EXPECT_THAT(error_of("pivot = \"fr\"\n[languages.en]\nvectors = \"x\"\n[languages.es]\nvectors = \"x\"\n"),
              HasSubstr("the pivot 'fr' is not among the languages"));
  EXPECT_THAT(error_of("[languages.en]\nvectors = \"x\"\n[languages.es]\nvectors = \"x\"\n"),
              HasSubstr("the pivot is missing"));
  EXPECT_THAT(error_of("pivot = \"en\"\n[languages.en]\nvectors = \"x\"\n[languages.es]\nvectors = \"x\"\n"
                       "[lexicons.es-fr]\ntrain = \"x\"\n"),
              HasSubstr("6: 'es-fr' does not name two languages"));
  EXPECT_THAT(error_of("pivot = \"en\"\n[options]\nlist = [1, 2]\n"), HasSubstr("3: 'list' must be"));
  EXPECT_THAT(error_of("\xff\xfe"), HasSubstr("1: "));
}

/// Looking through all languages for each would take minutes.
TEST(LanguageList, TwentyThousandLanguages) {
  std::string text = "pivot = \"en\"\n[languages.en]\nvectors = \"en.vec\"\n", lexicons;
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "l" + std::to_string(i);
    text += "[languages." + name + "]\nvectors = \"" + name + ".vec\"\n";
    lexicons += "[lexicons." + name + "-en]\ntrain = \"" + name + ".txt\"\n";
  }
  const TemporaryFolder folder;
  const LanguageList list = read_language_list(folder.write("list.toml", text + lexicons));
  EXPECT_EQ(list.languages.size(), 20001u);
  EXPECT_EQ(list.lexicons.size(), 20000u);
}

TEST(LanguageList, PairsOfLanguagesWithDashes) {
  const std::vector<LanguageEntry> languages = {{"en", ""}, {"min-zh", ""}, {"zh", ""}, {"zh-min", ""}};
  EXPECT_EQ(parse_pair_name("zh-en", languages), LanguagePair("zh", "en"));
  EXPECT_EQ(parse_pair_name("zh-min-en", languages), LanguagePair("zh-min", "en"));
  EXPECT_EQ(parse_pair_name("en-zh-min", languages), LanguagePair("en", "zh-min"));
  EXPECT_EQ(parse_pair_name("zh-zh", languages), std::nullopt);
  EXPECT_EQ(parse_pair_name("zh", languages), std::nullopt);
}

TEST(LanguageFolders, TheLanguageOfAFile) {
  EXPECT_EQ(language_of_file("es.vec"), "es");
  EXPECT_EQ(language_of_file("/x/wiki.es.vec"), "es");
  EXPECT_EQ(language_of_file("cc.es.300.vec.gz"), "es");
  EXPECT_EQ(language_of_file("cc.zh-min-nan.300.bin"), "zh-min-nan");
  EXPECT_EQ(language_of_file("wiki.es.50k.vec.gz"), "es");
  EXPECT_EQ(language_of_file("k.vec"), "k");
  EXPECT_EQ(language_of_file("es.wbvec"), "es");
  EXPECT_EQ(language_of_file("analogies.en.txt"), "");
  EXPECT_EQ(language_of_file("es.aligned.vec"), "");
  EXPECT_EQ(language_of_file(".vec"), "");
  EXPECT_EQ(language_of_file("README.md"), "");
}

TEST(LanguageFolders, FindsVectorsAndLexiconsByTheirNames) {
  const TemporaryFolder folder;
  for (const char* name :
       {"en.vec", "wiki.es.vec", "es.wbvec", "cc.de.300.vec.xz", "es-en.txt", "es-en.0-5000.txt", "es-en.5000-6500.txt",
        "en-de.train.tsv", "en-de.validation.txt", "de-xx.train.txt", "es-en.notes.txt", "README"})
    folder.write(name, "x\n");
  const LanguageList list = find_languages("en", folder.path(""), folder.path(""));
  EXPECT_EQ(list.pivot, "en");
  ASSERT_EQ(list.languages.size(), 3u);
  EXPECT_THAT(list.find("es")->vectors, HasSubstr("es.wbvec"));
  EXPECT_THAT(list.find("de")->vectors, HasSubstr("cc.de.300.vec.xz"));
  ASSERT_EQ(list.lexicons.size(), 2u);
  EXPECT_THAT(list.lexicons_of("es", "en")->train, HasSubstr("es-en.0-5000.txt"));
  EXPECT_THAT(list.lexicons_of("es", "en")->test, HasSubstr("es-en.5000-6500.txt"));
  EXPECT_THAT(list.lexicons_of("en", "de")->train, HasSubstr("en-de.train.tsv"));
  EXPECT_THAT(list.lexicons_of("en", "de")->validation, HasSubstr("en-de.validation.txt"));
}

TEST(LanguageFolders, ThePivotMayBeAFileElsewhere) {
  const TemporaryFolder folder, other;
  folder.write("es.vec", "x\n");
  const std::string pivot = other.write("wiki.en.vec", "x\n");
  const LanguageList list = find_languages(pivot, folder.path(""), folder.path(""));
  EXPECT_EQ(list.pivot, "en");
  EXPECT_EQ(list.find("en")->vectors, pivot);
  EXPECT_THROW(find_languages("words", folder.path(""), folder.path("")), UsageError);
}

TEST(LanguageFolders, RefusesWhatIsNoList) {
  const TemporaryFolder folder;
  EXPECT_THROW(find_languages("en.vec", folder.path("missing"), folder.path("")), IoError);
  EXPECT_THROW(find_languages("en.vec", folder.path(""), folder.path("")), UsageError);  // nothing beside the pivot
  folder.write("es.vec", "x\n");
  folder.write("wiki.es.vec", "x\n");
  EXPECT_THROW(find_languages("en.vec", folder.path(""), folder.path("")), UsageError);  // two files of a language
}

}  // namespace wordbridge::language_list_test
