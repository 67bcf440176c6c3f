#include "retrieval/rerank/rerank_test_support.h"

#include <utility>

#include "base/random.h"
#include "wordbridge/normalizer.h"

namespace wordbridge {

namespace {

constexpr std::size_t kPlantedDimension = 12;

std::string syllables(Random& random, std::size_t count, const std::string& consonants) {
  std::string word;
  for (std::size_t i = 0; i < count; ++i) {
    word += consonants[random.index(consonants.size())];
    word += "aeiou"[random.index(5)];
  }
  return word;
}

std::string respelled(std::string word) {
  for (char& letter : word) letter = letter == 'k' ? 'c' : letter == 'f' ? 'h' : letter;
  word.back() = 'u';
  return word + "s";
}

}  // namespace

WordVectors vectors_of(const std::vector<std::string>& words, const std::vector<float>& values) {
  const std::size_t cols = values.size() / words.size();
  return WordVectors(Vocabulary(words), Matrix::copy_of({values.data(), words.size(), cols}));
}

MatrixD values_of(const FeatureFamily& family, const WordCandidates& word) {
  MatrixD values(word.size(), family.names().size());
  family.compute(word, values);
  return values;
}

Mapping PlantedLanguages::identity() const { return Mapping(Matrix::identity(kPlantedDimension), {}, {}); }

PlantedLanguages planted_languages(std::size_t words, std::size_t pairs, double noise, std::uint64_t seed) {
  Random random(seed);
  Vocabulary source, target;
  Matrix x(words, kPlantedDimension), y(words, kPlantedDimension);
  for (std::size_t i = 0; i < words; ++i) {
    std::string word = syllables(random, 3 + random.index(2), "kflmnprst");
    while (!source.add(word)) word += "lo";
    std::string translated =
        random.uniform() < 0.5 ? respelled(word) : syllables(random, 3 + random.index(2), "bdgjvwxz");
    while (!target.add(translated)) translated += "zu";
    for (std::size_t j = 0; j < kPlantedDimension; ++j) {
      const double value = random.normal();
      x(i, j) = static_cast<float>(value);
      y(i, j) = static_cast<float>(value + noise * random.normal());
    }
  }
  normalize_rows(x);
  normalize_rows(y);
  std::vector<Lexicon::Pair> list;
  for (WordId i = 0; i < pairs; ++i) list.push_back({i, i});
  return {WordVectors(std::move(source), std::move(x)), WordVectors(std::move(target), std::move(y)),
          Lexicon(std::move(list))};
}

}  // namespace wordbridge
