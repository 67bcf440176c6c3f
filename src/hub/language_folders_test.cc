#include "hub/language_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::language_folders_test {

using testing::HasSubstr;

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

}  // namespace wordbridge::language_folders_test
