#include "experiments/mapping_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "align/registry.h"
#include "wordbridge/error.h"

namespace wordbridge::mapping_request_test {
namespace {

using ::testing::HasSubstr;
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

}  // namespace
}  // namespace wordbridge::mapping_request_test
