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

  // align() normalizes what it is given, so it gets copies; apply() normalizes and maps the originals.
  WordVectors x = en, y = es;
  const Mapping mapping = align(ProcrustesAligner(), x, y, train, Normalizer::parse("unit"));
  Translator translator(mapping.apply(std::move(en), Side::source, true),
                        mapping.apply(std::move(es), Side::target, true), {.criterion = "csls"});

  for (const auto& candidate : translator.translate("night", 3).candidates)
    std::printf("%s %.3f\n", candidate.word.c_str(), candidate.score);
} catch (const Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
