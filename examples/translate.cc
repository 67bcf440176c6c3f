#include <wordbridge/wordbridge.h>

#include <cstdio>

int main() try {
  auto en = wordbridge::read_vectors("data/sample/en.vec.xz"), es = wordbridge::read_vectors("data/sample/es.vec.xz");
  auto lexicon = wordbridge::read_lexicon("data/sample/en-es.train.txt", en, es);

  // Methods and their options are those of `wordbridge align --help`.
  auto mapping = wordbridge::align(en, es, lexicon, {.method = "procrustes"});
  auto space = wordbridge::CommonSpace(mapping, std::move(en), std::move(es));

  for (auto& candidate : wordbridge::Translator(space).translate("night", 3))
    std::printf("%s %.3f\n", candidate.word.c_str(), candidate.score);
} catch (const wordbridge::Error& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
