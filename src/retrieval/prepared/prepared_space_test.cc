#include "wordbridge/prepared_space.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/checksum.h"
#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "retrieval/nearest_words.h"
#include "retrieval/prepared/prepared_file.h"
#include "retrieval/rerank/rerank_test_support.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"
#include "wordbridge/induce_lexicon.h"
#include "wordbridge/translate.h"

namespace wordbridge::prepared_space_test {
namespace {

constexpr std::size_t kWords = 700;

PlantedLanguages languages() {
  PlantedLanguages planted = planted_languages(kWords, 200, 0.4, 7);
  for (float& value : planted.source.table().row(kWords - 3)) value = 0;
  for (float& value : planted.target.table().row(11)) value = 0;
  return planted;
}

struct Prepared {
  explicit Prepared(const PrepareOptions& options = {}) : planted(languages()) {
    prepare_space(planted.identity(), planted.source, planted.target, folder.path("x.wbspace"), options);
  }
  PreparedSpace open() const { return PreparedSpace(folder.path("x.wbspace")); }

  PlantedLanguages planted;
  TemporaryFolder folder;
};

std::vector<std::string> some_words(const Vocabulary& vocabulary) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < vocabulary.size(); i += 9) words.emplace_back(vocabulary[i]);
  words.emplace_back(vocabulary[kWords - 3]);
  words.emplace_back("nobody says that");
  return words;
}

bool same(const std::vector<Translations>& a, const std::vector<Translations>& b) {
  return std::ranges::equal(a, b, [](const Translations& x, const Translations& y) {
    return x.word == y.word && x.origin == y.origin &&
           std::ranges::equal(x.candidates, y.candidates, [](const auto& one, const auto& other) {
             return one.id == other.id && one.word == other.word && one.score == other.score;
           });
  });
}

/// Expects the same answers, bit for bit, of two spaces.
void expect_same(const CommonSpace& space, const CommonSpace& expected) {
  for (const Side side : {Side::source, Side::target}) {
    EXPECT_TRUE(space.vocabulary(side) == expected.vocabulary(side));
    EXPECT_EQ(space.vocabulary(side).find(expected.vocabulary(side)[77]), 77u);
    for (const std::string criterion : {"csls", "nn", "isf"})
      for (const std::size_t neighbors : {1, 10, 14, 25}) {
        const TranslatorOptions options{
            .criterion = criterion, .criterion_options = {.neighbors = neighbors}, .asking = side};
        const auto words = some_words(space.vocabulary(side));
        const auto answers = Translator(expected, options).translate(words, 30);
        EXPECT_TRUE(same(Translator(space, options).translate(words, 30), answers)) << criterion << neighbors;
        for (const std::size_t one : {0, 40})
          EXPECT_TRUE(same({Translator(space, options).translate(words[one], 30)}, {answers[one]}));
      }
  }
  EXPECT_TRUE(same(nearest_words(space, some_words(space.vocabulary(Side::source)), Side::target, 7),
                   nearest_words(expected, some_words(expected.vocabulary(Side::source)), Side::target, 7)));
  for (const Side side : {Side::source, Side::target})
    EXPECT_EQ(Matrix::copy_of(space.table(side)), Matrix::copy_of(expected.table(side)));
}

TEST(PreparedSpace, GivesTheSameAnswersAsTheVectors) {
  const Prepared prepared;
  const PreparedSpace file = prepared.open();
  expect_same(file.space(), prepared.planted.space());
  EXPECT_EQ(file.space().criterion(), "csls");
  EXPECT_FALSE(file.is_half());
  ASSERT_NE(file.mapping(), nullptr);
  EXPECT_EQ(file.mapping()->source_map(), prepared.planted.identity().source_map());
  file.check();
}

TEST(PreparedSpace, InducesTheSameLexicon) {
  const Prepared prepared;
  const auto pairs = induce_lexicon(prepared.open().space(), {}),
             expected = induce_lexicon(prepared.planted.space(), {});
  ASSERT_EQ(pairs.size(), expected.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(pairs[i].source, expected[i].source);
    EXPECT_EQ(pairs[i].target, expected[i].target);
    EXPECT_EQ(pairs[i].score, expected[i].score);
    EXPECT_EQ(pairs[i].margin, expected[i].margin);
  }
}

TEST(PreparedSpace, HalvesAreExactForWhatTheyHold) {
  const Prepared prepared({.half = true});
  const PreparedSpace file = prepared.open();
  EXPECT_TRUE(file.is_half());
  const auto rounded = [&](Side side) {
    const CommonSpace space = prepared.planted.space();
    const auto halves = to_float16(space.table(side));
    Matrix table = Matrix::uninitialized(space.size(side), space.dimension());
    from_float16(reinterpret_cast<const char*>(halves.data()), table);
    return CommonSpace::State::Words{
        space.vocabulary(side), {}, std::make_shared<LazyRows>(UnitRows::take(std::move(table)))};
  };
  expect_same(file.space(), CommonSpace(std::make_shared<const CommonSpace::State>(rounded(Side::source),
                                                                                   rounded(Side::target), "csls")));
}

TEST(PreparedSpace, OfVectorsThatShareASpace) {
  const PlantedLanguages planted = languages();
  const TemporaryFolder folder;
  prepare_space(planted.source, planted.target, folder.path("x.wbspace"), {.neighbors = 4});
  const PreparedSpace file(folder.path("x.wbspace"));
  EXPECT_EQ(file.mapping(), nullptr);
  expect_same(file.space(), CommonSpace(planted.source, planted.target));
}

TEST(PreparedSpace, WithoutAnIndexForThisMachine) {
  const Prepared prepared;
  std::string bytes = prepared.folder.read("x.wbspace");
  for (std::size_t at = bytes.find("source.index"); at != std::string::npos; at = bytes.find("source.index", at + 1))
    bytes[at] = 'S';
  std::uint64_t offset = 0;
  bytes.copy(reinterpret_cast<char*>(&offset), 8, 24);
  const std::uint64_t directory = xxh3(bytes.data() + offset, bytes.size() - offset);
  bytes.replace(48, 8, reinterpret_cast<const char*>(&directory), 8);
  const std::uint64_t header = xxh3(bytes.data(), 120);
  bytes.replace(120, 8, reinterpret_cast<const char*>(&header), 8);
  MemoryStream stream(bytes);
  expect_same(PreparedSpace(stream).space(), prepared.planted.space());
}

TEST(PreparedSpace, FilesOfVersion1AreRead) {
  for (const auto& [name, precision] :
       {std::pair("version1.wbspace", 1e-6), std::pair("version1-half.wbspace", 1e-3)}) {
    const PreparedSpace file(WORDBRIDGE_SOURCE_DIR "/tests/formats/prepared/" + std::string(name));
    file.check();
    EXPECT_EQ(file.is_half(), precision > 1e-6);
    const Translations answer = Translator(file.space()).translate("e3", 2);
    ASSERT_EQ(answer.candidates.size(), 2u);
    EXPECT_EQ(answer.candidates[0].word, "s3");
    EXPECT_NEAR(answer.candidates[0].score, 1.111941, precision);
    EXPECT_EQ(answer.candidates[1].word, "s12");
    EXPECT_EQ(Translator(file.space()).translate("e5", 2).origin, Translations::Origin::none);  // without a vector
  }
}

TEST(PreparedSpace, AFileWithoutWordsIsNotWritten) {
  const PlantedLanguages planted = languages();
  const TemporaryFolder folder;
  EXPECT_THROW(prepare_space(planted.source, WordVectors(), folder.path("x.wbspace")), UsageError);
  EXPECT_THROW(prepare_space(planted.source, planted.target, folder.path("x.wbspace"), {.neighbors = 0}), UsageError);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(PreparedSpace, DamageIsTold) {
  const Prepared prepared;
  const std::string bytes = prepared.folder.read("x.wbspace");
  const auto answer = [](const std::string& damaged) {
    return input_error_of([&] {
      MemoryStream stream(damaged);
      const PreparedSpace file(stream);
      Translator(file.space()).translate("kamo", 10);
      file.check();
    });
  };
  EXPECT_EQ(answer(bytes), "");
  for (std::size_t at = 0; at < bytes.size(); at += 1009) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x20);
    EXPECT_NE(answer(damaged), "") << at;
  }
}

}  // namespace
}  // namespace wordbridge::prepared_space_test
