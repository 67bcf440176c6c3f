#include "experiments/mapping_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "align/registry.h"
#include "base/option_error.h"
#include "experiments/experiments_test_support.h"
#include "mapping/mapping_format.h"
#include "mapping/plain_matrix.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::mapping_maker_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class Parse>
std::string error_of(const Parse& parse, const std::vector<std::string>& words) {
  try {
    parse(words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(AlignRequest, OptionsOfTheRegistryAndOfTheLexicon) {
  const AlignRequest request =
      parse_align_request({"--method", "procrustes", "--refine", "5", "--normalize=unit,center", "--case", "lower"});
  EXPECT_EQ(request.options.method, "procrustes");
  EXPECT_EQ(request.options.normalization, "unit,center");
  ASSERT_THAT(request.options.options, SizeIs(1));
  EXPECT_EQ(request.options.options.at("refine").text(), "5");
  EXPECT_EQ(request.case_policy, CasePolicy::lower);
  EXPECT_FALSE(request.identical_words);
  EXPECT_TRUE(parse_align_request({"--numerals"}).numerals);
  EXPECT_EQ(parse_align_request({}).options.method, "rcsls");
}

// Every option of every method is known, whatever is added to them later; and what writes is refused.
TEST(AlignRequest, EveryOptionOfTheRegistry) {
  std::size_t writes = 0;
  const AlignOptionList all = all_align_options();
  for (const auto& option : all.all()) {
    const std::vector<std::string> words = {"--" + option.name() + "=x"};
    if (!option.info().writes) {
      EXPECT_EQ(parse_align_request(words).options.options.at(option.name()).text(), "x");
      continue;
    }
    ++writes;
    EXPECT_THAT(error_of(parse_align_request, words), HasSubstr("an experiment may not set --" + option.name()));
  }
  EXPECT_EQ(writes, 3);  // log, checkpoint, resume
}

TEST(AlignRequest, NothingThatWrites) {
  const std::vector<std::vector<std::string>> of_methods = {
      {"--log", "x"}, {"--log=x"}, {"--checkpoint", "x"}, {"--resume"}};
  for (const auto& words : of_methods) {
    EXPECT_THAT(error_of(parse_align_request, words), HasSubstr("an experiment may not set --")) << words.front();
    EXPECT_THAT(error_of(parse_import_request, words), HasSubstr("unknown option")) << words.front();
  }
  const std::vector<std::vector<std::string>> of_the_program = {{"-o", "x"},       {"-ox"},        {"-o=x"},
                                                                {"--output", "x"}, {"--output=x"}, {"--json"}};
  for (const auto& words : of_the_program) {
    EXPECT_THAT(error_of(parse_align_request, words), HasSubstr("an experiment may not set -")) << words.front();
    EXPECT_THAT(error_of(parse_import_request, words), HasSubstr("an experiment may not set -")) << words.front();
  }
}

TEST(DataFiles, AnExperimentReadsNothingElse) {
  const std::vector<std::vector<std::string>> good = {
      {"import", "@W.txt", "--target-matrix", "@V.txt", "--source=@en.vec"},
      {"--method", "rcsls", "--init", "identity"},
      {"--method", "rcsls", "--init", "@start.wbmap"}};
  for (const auto& words : good) require_data_files(words);
  const std::vector<std::vector<std::string>> bad = {{"import", "/etc/passwd"},
                                                     {"import", "@W.txt", "--target-matrix", "V.txt"},
                                                     {"import", "@W.txt", "--source=en.vec"},
                                                     {"--method", "rcsls", "--init", "/etc/passwd"},
                                                     {"--init=start.wbmap"}};
  for (const auto& words : bad)
    EXPECT_THAT(error_of([](const auto& given) { return require_data_files(given), 0; }, words),
                HasSubstr("must be the name of a data file, with an @ before it"))
        << words.back();
}

TEST(AlignRequest, WhatIsNone) {
  EXPECT_EQ(error_of(parse_align_request, {"--learning-rat", "1"}),
            "unknown option '--learning-rat' (did you mean '--learning-rate'?)");
  EXPECT_EQ(error_of(parse_align_request, {"-x"}), "unknown option '-x'");
  EXPECT_EQ(error_of(parse_align_request, {"--refine"}), "--refine needs a value");
  EXPECT_EQ(error_of(parse_align_request, {"--refine", "1", "--refine=2"}), "--refine is given twice");
  EXPECT_EQ(error_of(parse_align_request, {"rcsls"}), "unexpected argument 'rcsls'");
  EXPECT_THAT(error_of(parse_align_request, {"--case", "upper"}), HasSubstr("none of exact, lower, title"));
  EXPECT_THAT(error_of(parse_align_request, {"--numerals", "--identical-words"}), HasSubstr("together"));
}

TEST(ImportRequest, Matrices) {
  const ImportRequest request = parse_import_request({"W.txt", "--target-matrix", "V.txt", "--transpose", "--header",
                                                      "no", "--source", "en.vec", "--criterion", "nn"});
  EXPECT_EQ(request.options.matrix, "W.txt");
  EXPECT_EQ(request.options.target_matrix, "V.txt");
  EXPECT_TRUE(request.options.layout.transpose);
  EXPECT_EQ(request.options.layout.header, PlainMatrixLayout::Header::absent);
  EXPECT_EQ(request.options.criterion, "nn");
  EXPECT_EQ(request.options.normalization, "unit");
  EXPECT_EQ(request.source, "en.vec");
  EXPECT_EQ(error_of(parse_import_request, {"W.txt", "V.txt"}), "import takes one matrix");
  EXPECT_EQ(error_of(parse_import_request, {}), "import takes one matrix");
  EXPECT_THAT(error_of(parse_import_request, {"W.txt", "--criterion", "luck"}), HasSubstr("none of nn, csls"));
}

struct MappingMakerTest : ::testing::Test {
  CellSettings settings(const std::string& align, ExperimentSettings more = {}) {
    more.insert({{"source_vectors", "en.vec"}, {"target_vectors", "es.vec"}, {"train", "train.txt"}});
    more["align"] = align;
    return CellSettings(std::move(more));
  }
  std::string error_of(const CellSettings& cell) {
    try {
      maker.mapping_for(cell);
    } catch (const Error& error) {
      return command_line_text(error);
    }
    return "";
  }

  ExperimentFolder folder;
  DataFiles files = folder.files();
  ResultCache cache{folder.cache(), false};
  RememberingObserver observer;
  LoadedVectors loaded{observer};
  MappingMaker maker{files, cache, loaded, observer};
};

TEST_F(MappingMakerTest, LearnsOnceAndFindsItLater) {
  const CachedMapping first = maker.mapping_for(settings("--method procrustes"));
  const Mapping mapping = read_mapping(first.path);
  EXPECT_EQ(mapping.provenance.method, "procrustes");
  EXPECT_EQ(mapping.provenance.max_words, 200'000);
  EXPECT_THAT(mapping.provenance.lexicon, HasSubstr("train.txt: 25 of 25 source words"));
  EXPECT_THAT(observer.read, ElementsAre("en.vec", "es.vec"));
  EXPECT_THAT(observer.lexicons, ElementsAre("train.txt 25"));
  EXPECT_THAT(observer.mappings, ElementsAre("procrustes"));
  EXPECT_THAT(observer.warnings, IsEmpty());
  EXPECT_EQ(maker.mapping_for(settings("--method procrustes")).key, first.key);
  ResultCache later(folder.cache(), false);
  EXPECT_EQ(MappingMaker(files, later, loaded, observer).mapping_for(settings("--method procrustes")).key, first.key);
  EXPECT_THAT(observer.mappings, ElementsAre("procrustes"));
}

TEST_F(MappingMakerTest, VectorsInMemoryAreNotReadAgain) {
  loaded.vectors(files.find("en.vec"), 200'000);
  maker.mapping_for(settings("--method procrustes"));
  maker.mapping_for(settings("--method least-squares"));
  EXPECT_THAT(observer.read, ElementsAre("en.vec", "es.vec"));
}

TEST_F(MappingMakerTest, KeysSayWhatMappingsDependOn) {
  const auto key = [&](const CellSettings& cell) { return maker.mapping_for(cell).key; };
  const std::string usual = key(settings("--method procrustes"));
  EXPECT_EQ(key(settings("--method  {way}", {{"way", "procrustes"}})), usual) << "the words count";
  EXPECT_NE(key(settings("--method smith")), usual);
  EXPECT_NE(key(settings("--method procrustes", {{"max_words", "30"}})), usual);
  EXPECT_NE(key(settings("--method procrustes", {{"normalize", "unit,center"}})), usual);
  EXPECT_NE(key(settings("--method procrustes", {{"train_words", "20"}})), usual);
  Context context({.threads = 1, .seed = 5});
  const Context::Scope scope(context);
  EXPECT_NE(key(settings("--method procrustes")), usual);
}

// A key as the program has made it since there are caches: they are found again.
TEST_F(MappingMakerTest, KeysStayTheSame) {
  const std::string digest = cache.digest(files.find("en.vec")), other = cache.digest(files.find("es.vec"));
  const std::string lexicon = cache.digest(files.find("train.txt"));
  EXPECT_EQ(maker.mapping_for(settings("--method procrustes --refine 1", {{"normalize", "unit"}})).key,
            ResultCache::key_of({{"align", "--method procrustes --refine 1 "},
                                 {"lexicon", lexicon},
                                 {"max_words", "200000"},
                                 {"normalize", "unit"},
                                 {"seed", "1"},
                                 {"source", digest},
                                 {"target", other}}));
  const std::string matrix = folder.folder().write("W.txt", "4 4\n1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1\n");
  files = folder.files();
  EXPECT_EQ(maker.mapping_for(settings("import @W.txt")).key,
            ResultCache::key_of({{"file 0", cache.digest(matrix)}, {"import", "@W.txt "}, {"seed", "1"}}));
}

TEST_F(MappingMakerTest, NoneAndMatrices) {
  EXPECT_EQ(maker.mapping_for(settings("none")).key, "");
  folder.folder().write("W.txt", "4 4\n0 1 0 0\n0 0 1 0\n0 0 0 1\n1 0 0 0\n");
  files = folder.files();
  const Mapping mapping = read_mapping(maker.mapping_for(settings("import @W.txt --source @en.vec")).path);
  EXPECT_EQ(mapping.source_map()(0, 1), 1);
  EXPECT_EQ(mapping.provenance.method, "import");
  EXPECT_EQ(mapping.provenance.max_words, 200'000);
  EXPECT_EQ(mapping.provenance.source.words, 40);
  EXPECT_THAT(observer.read, ElementsAre("en.vec"));
}

TEST_F(MappingMakerTest, LexiconsWithoutAFile) {
  EXPECT_THAT(error_of(settings("--numerals")), HasSubstr("the setting 'train' names one"));
  EXPECT_THAT(error_of(settings("--identical-words", {{"train", ""}})), HasSubstr("no word")) << "e0 is not s0";
  const Mapping mapping = read_mapping(
      maker
          .mapping_for(settings("--method procrustes --identical-words", {{"train", ""}, {"target_vectors", "en.vec"}}))
          .path);
  EXPECT_THAT(mapping.provenance.lexicon, HasSubstr("identical words: 40"));
}

TEST_F(MappingMakerTest, WhatCannotBeMadeIsTriedOnce) {
  const CellSettings bad = settings("--method rcsls --init nowhere.wbmap");
  const std::string error = error_of(bad);
  EXPECT_THAT(error, HasSubstr("nowhere.wbmap"));
  EXPECT_EQ(error_of(bad), error);
  EXPECT_THAT(error_of(settings("--method telepathy")), HasSubstr("--method: 'telepathy' is none of"));
  EXPECT_THAT(error_of(settings("--method procrustes", {{"train", ""}})), HasSubstr("'train' is needed"));
  EXPECT_THAT(error_of(settings("--method icp")), HasSubstr("learns without a lexicon"));
  EXPECT_THAT(error_of(settings("--normalize unit", {{"normalize", "unit"}})), HasSubstr("one of them is enough"));
  EXPECT_THAT(observer.mappings, IsEmpty());
  EXPECT_THROW(maker.mapping_for(settings("--method rcsls", {{"target_vectors", "xx.vec"}})), MissingFile);
}

TEST_F(MappingMakerTest, WarnsOfASmallLexicon) {
  maker.mapping_for(settings("--method procrustes", {{"train_words", "2"}}));
  EXPECT_THAT(observer.warnings, ElementsAre(HasSubstr("2 distinct words of the lexicon cannot settle")));
}

TEST_F(MappingMakerTest, CancelledWorkIsNoFailure) {
  Context context({.threads = 1});
  {
    const Context::Scope scope(context);
    context.cancel();
    EXPECT_THROW(maker.mapping_for(settings("--method procrustes")), Cancelled);
  }
  EXPECT_NE(maker.mapping_for(settings("--method procrustes")).key, "");
}

}  // namespace

}  // namespace wordbridge::mapping_maker_test
