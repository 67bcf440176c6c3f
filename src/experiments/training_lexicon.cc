#include "experiments/training_lexicon.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "base/atomic_file.h"
#include "base/escaped_text.h"
#include "lexicon/split.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::uint64_t kSeedOfWrongTargets = 1;

std::string written(const WordPairs& pairs, const std::map<std::string, std::string>& parts, const ResultCache& cache) {
  std::string path = cache.path_of(ResultCache::key_of(parts), ".txt");
  AtomicFile file(path);
  for (const WordPairs::Pair& pair : pairs.pairs) file.write(to_line(pair));
  file.commit();
  return path;
}

}  // namespace

std::string reversed_if_asked(const CellSettings& settings, const std::string& path, ResultCache& cache) {
  if (!settings.is_true("reversed")) return path;
  return written(reversed(read_word_pairs(path)), {{"reversed", cache.digest(path)}}, cache);
}

std::string training_lexicon(const CellSettings& settings, const DataFiles& files, ResultCache& cache) {
  const std::string path = settings.file("train", files);
  const std::size_t words = settings.count("train_words", 0);
  const bool without = !settings.text("train_without").empty();
  const std::size_t wrong = settings.count("train_wrong", 0);
  if (wrong > 100) throw UsageError(fmt::format("setting 'train_wrong': {} is no percentage", wrong));
  if (words == 0 && !without && wrong == 0) return reversed_if_asked(settings, path, cache);
  std::map<std::string, std::string> parts = {{"train", cache.digest(path)}, {"words", std::to_string(words)}};
  WordPairs pairs = read_word_pairs(path);
  if (without) {
    const std::string others = settings.file("train_without", files);
    parts["without"] = cache.digest(others);
    pairs = without_source_words(std::move(pairs), read_word_pairs(others));
  }
  if (words > 0) pairs = first_source_words(std::move(pairs), words);
  if (wrong > 0) {
    parts["wrong"] = std::to_string(wrong);
    pairs = with_wrong_targets(std::move(pairs), static_cast<double>(wrong), kSeedOfWrongTargets);
  }
  return reversed_if_asked(settings, written(pairs, parts, cache), cache);
}

}  // namespace wordbridge
