#include "wordbridge/entry.h"

#include <gtest/gtest.h>

#include "retrieval/rerank/rerank_test_support.h"
#include "retrieval/rerank/train_reranker.h"
#include "wordbridge/error.h"

namespace wordbridge::entry_test {
namespace {

CommonSpace trained_space() {
  const PlantedLanguages planted = planted_languages(400, 250, 1.0, 1);
  Mapping mapping = planted.identity();
  mapping.reranker = train_reranker({planted.source.vocabulary(), planted.target.vocabulary(), planted.lexicon,
                                     [&](const Lexicon&) { return planted.space(); }},
                                    {.large_lexicon = 250})
                         .model;
  return CommonSpace(mapping, planted.source, planted.target);
}

Translations::Candidate candidate(const char* word, double p_first, double p_translation, bool known = false) {
  return {word, 0, p_first, p_first, p_translation, known};
}

std::vector<std::string> leading_words(const Entry& entry) {
  std::vector<std::string> words;
  for (const EntryLine& line : entry.lines) words.push_back(line.leading().word);
  return words;
}

TEST(Entry, HasWhatIsLikelyAndWhatIsKnownFirst) {
  const Translator translator(trained_space());
  const EntryMaker maker(translator);
  Translations bank{.query = "bank", .word = "", .candidates = {}};
  bank.candidates = {candidate("bank", 0.6, 0.7), candidate("banque", 0.3, 0.9), candidate("rive", 0.05, 0.01, true),
                     candidate("chaise", 0.05, 0.001)};
  const Entry entry = maker.entry_of(bank);
  EXPECT_EQ(leading_words(entry), (std::vector<std::string>{"rive", "banque", "bank"}));
  EXPECT_TRUE(entry.lines[0].leading().known);
  EXPECT_EQ(entry.lines[1].leading().rank, 2u);
  EXPECT_EQ(entry.lines[1].leading().p_first, 0.3);
  EXPECT_EQ(entry.lines[1].leading().p_translation, 0.9);
}

TEST(Entry, HasNoLineWhereNothingIsLikely) {
  const Translator translator(trained_space());
  Translations nothing{.query = "qqq", .word = "", .candidates = {}};
  nothing.candidates = {candidate("a", 0.01, 0.001)};
  EXPECT_TRUE(EntryMaker(translator).entry_of(nothing).lines.empty());
}

TEST(Entry, OfWholeVocabulariesAreThoseOfItsWords) {
  const CommonSpace space = trained_space();
  const Translator translator(space);
  const EntryMaker maker(translator);
  std::vector<Entry> induced;
  maker.induce(390, 1000, [&](Entry entry) { induced.push_back(std::move(entry)); });
  ASSERT_EQ(induced.size(), 10u);
  for (std::size_t i = 0; i < induced.size(); ++i) {
    EXPECT_EQ(induced[i].id, WordId(390 + i));
    const std::vector<std::string> word = {induced[i].query};
    EXPECT_EQ(leading_words(maker.entries(word).front()), leading_words(induced[i]));
  }
}

TEST(Entry, NeedsProbabilitiesAndOneBalance) {
  const CommonSpace space = trained_space();
  const Translator csls(space, {.criterion = "csls"}), reranked(space);
  EXPECT_THROW(EntryMaker{csls}, UsageError);
  EXPECT_THROW((EntryMaker{reranked, {.precision = 1.5}}), UsageError);
  EXPECT_THROW((EntryMaker{reranked, {.precision = 0.5, .recall = 0.5}}), UsageError);
}

}  // namespace
}  // namespace wordbridge::entry_test
