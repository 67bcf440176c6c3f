#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace wordbridge
