#include <cstdio>

#include "align/align.h"
#include "base/error.h"
#include "lexicon/lexicon_reader.h"
#include "retrieval/translate.h"
#include "vectors/formats.h"

using namespace wordbridge;

int main() try {
  WordVectors en = read_vectors("data/sample/en.vec.xz", {.max_words = 200'000});
  WordVectors es = read_vectors("data/sample/es.vec.xz", {.max_words = 200'000});
  const Lexicon train = read_lexicon("data/sample/en-es.train.txt", en.vocabulary(), es.vocabulary());

  // Methods and their options are those of `wordbridge align --help`.
  const Mapping mapping = align(en, es, train, {.method = "procrustes"});
  const CommonSpace space(mapping, std::move(en), std::move(es));

  for (const auto& candidate : Translator(space).translate("night", 3))
    std::printf("%s %.3f\n", candidate.word.c_str(), candidate.score);
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
