#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/common_space.h"

namespace wordbridge {

/// How a sentence becomes words.
enum class Tokenization {
  words,   // runs of letters, marks and digits, with apostrophes and hyphens inside; any other character is by itself
  blanks,  // what stands between blanks: for text that is tokenized already
};
Tokenization parse_tokenization(std::string_view name);

/// The words of a sentence, as they are written, but for typographic apostrophes and hyphens within words. Bytes that
/// are not UTF-8 are taken for letters.
std::vector<std::string> tokenize(std::string_view sentence, Tokenization tokenization);

/// Sentences of two languages, each the translation of the one with its number.
struct ParallelSentences {
  std::vector<std::string> source, target;
  std::size_t lines = 0;
  std::size_t empty = 0;     // pairs set aside: a line of one side has nothing on it
  std::size_t repeated = 0;  // likewise: one of the sentences came before

  std::size_t size() const { return source.size(); }
};

/// Two files with a sentence a line. InputError where one has more lines than the other.
ParallelSentences read_parallel_sentences(const std::string& source, const std::string& target);

struct SentenceOptions {
  std::size_t candidates = 200'000;     // pairs among which translations are looked for
  std::size_t queries = 2'000;          // of them, drawn at random
  std::size_t idf_sentences = 300'000;  // pairs behind the candidates by which words are weighted
  std::size_t neighbors = 10;           // k of csls
  Tokenization tokenization = Tokenization::words;
  std::uint64_t seed = 1;
};

/// How often the translation of a sentence is found, by a criterion and in one direction.
struct SentenceTranslation {
  static constexpr std::array<std::size_t, 3> kRanks = {1, 5, 10};
  struct Share {
    double percent = 0;
    double low = 0, high = 0;  // Wilson's interval, 95%
  };

  std::string criterion = {};
  Side asking = Side::source;
  std::size_t queries = 0;
  std::size_t unknown_queries = 0;  // sentences without a word that has a vector and a weight: never right
  std::size_t candidates = 0;
  std::size_t unknown_candidates = 0;   // likewise: never found
  std::array<Share, 3> precision = {};  // at kRanks
};

/// What all directions and criteria share.
struct SentenceEvaluation {
  std::size_t idf_sentences = 0;
  bool idf_apart = true;  // they are others than the candidates
  std::vector<SentenceTranslation> results = {};
};

/// As MUSE's sent_translation has it: pairs of sentences are shuffled; the first are the candidates, of which some ask;
/// behind them come those by which words are weighted (all pairs, where there are too few). A sentence is the mean of
/// the vectors of its words, each word once, weighted by max(1, log10(n / df)) with the n sentences of its language and
/// the df of them that have the word; words without vector or weight are left out. Words are looked up as they are
/// written, then in lower case, then as the parts between their apostrophes and hyphens. Both directions, by nearest
/// neighbor and by CSLS; the neighbors that CSLS counts are those among queries and candidates.
SentenceEvaluation evaluate_sentences(const ParallelSentences& sentences, const CommonSpace& space,
                                      const SentenceOptions& options = {});

/// Wilson's score interval of a share, in percent.
SentenceTranslation::Share wilson_share(std::size_t right, std::size_t all);

/// {"idf_sentences", "idf_apart", "results": [{"criterion", "direction": "source-target", "queries",
/// "unknown_queries", "candidates", "unknown_candidates", "precision": {"1": {"percent", "low", "high"}, ...}}]}
std::string to_json(const SentenceEvaluation& evaluation);

}  // namespace wordbridge
