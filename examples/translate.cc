#include <cstdio>

#include "wordbridge/aligners/aligner.h"
#include "wordbridge/aligners/procrustes.h"
#include "wordbridge/base/error.h"
#include "wordbridge/lexicon/lexicon_reader.h"
#include "wordbridge/retrieval/translate.h"
#include "wordbridge/vectors/formats.h"

using namespace wordbridge;

int main() try {
  WordVectors en = read_vectors("data/sample/en.vec.xz", {.max_words = 200'000});
  WordVectors es = read_vectors("data/sample/es.vec.xz", {.max_words = 200'000});
  const Lexicon train = read_lexicon("data/sample/en-es.train.txt", en.vocabulary(), es.vocabulary());

  // align() normalizes what it is given, so it gets copies.
  WordVectors x = en, y = es;
  const Mapping mapping = align(ProcrustesAligner(), x, y, train, Normalizer::parse("unit"));
  const CommonSpace space(mapping, std::move(en), std::move(es));

  for (const auto& candidate : Translator(space).translate("night", 3))
    std::printf("%s %.3f\n", candidate.word.c_str(), candidate.score);
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
