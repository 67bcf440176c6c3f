#include "experiments/cell_settings.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <sstream>
#include <utility>

#include "base/atomic_file.h"
#include "base/escaped_text.h"
#include "lexicon/split.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

std::string CellSettings::text(const std::string& name, const std::string& fallback) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? fallback : found->second;
}

std::size_t CellSettings::count(const std::string& name, std::size_t fallback) const {
  const std::string digits = text(name);
  if (digits.empty()) return fallback;
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size())
    throw UsageError(fmt::format("the setting '{}' must be a whole number, not '{}'", name, digits));
  return value;
}

std::vector<std::string> CellSettings::words(const std::string& name) const {
  std::istringstream stream(text(name));
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(expand(word, settings_));
  return words;
}

std::size_t CellSettings::max_words() const { return count("max_words", kUsualWords); }

std::string CellSettings::file(const std::string& name, const DataFiles& files) const {
  const std::string pattern = text(name);
  if (pattern.empty()) throw UsageError(fmt::format("the setting '{}' is missing", name));
  return files.find(expand(pattern, settings_));
}

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
