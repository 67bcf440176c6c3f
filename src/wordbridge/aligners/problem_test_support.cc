#include "wordbridge/aligners/problem_test_support.h"

#include <string>
#include <utility>
#include <vector>

namespace wordbridge {

WordVectors numbered_vectors(Matrix table) {
  Vocabulary words;
  for (std::size_t i = 0; i < table.rows(); ++i) words.add(std::to_string(i));
  return {std::move(words), std::move(table)};
}

Lexicon diagonal_lexicon(std::size_t pairs) {
  std::vector<Lexicon::Pair> list;
  for (WordId i = 0; i < pairs; ++i) list.push_back({i, i});
  return Lexicon(std::move(list));
}

}  // namespace wordbridge
