#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result_cache.h"
#include "experiments/data_files.h"
#include "experiments/experiment.h"

namespace wordbridge {

/// The settings of one measurement, as what they mean.
class CellSettings {
 public:
  explicit CellSettings(ExperimentSettings settings) : settings_(std::move(settings)) {}

  std::string text(const std::string& name, const std::string& fallback = {}) const;
  bool is_true(const std::string& name) const { return text(name) == "true"; }
  /// UsageError for what is no whole number.
  std::size_t count(const std::string& name, std::size_t fallback) const;
  /// The words of a text with blanks between them, each {name} replaced.
  std::vector<std::string> words(const std::string& name) const;
  /// How many words of each file of vectors are read.
  std::size_t max_words() const;

  /// The data file that the setting names. UsageError where there is no such setting, MissingFile where there is no
  /// such file.
  std::string file(const std::string& name, const DataFiles& files) const;

 private:
  ExperimentSettings settings_;
};

/// The lexicon that a cell learns from (settings train, train_words, train_without, train_wrong, reversed): a data file
/// as it is, or what is asked for of one, which is written to the cache. Gives its path.
std::string training_lexicon(const CellSettings& settings, const DataFiles& files, ResultCache& cache);

/// A lexicon itself or, where the setting `reversed` asks for it, a copy in the cache whose sides have changed places.
/// Gives its path.
std::string reversed_if_asked(const CellSettings& settings, const std::string& path, ResultCache& cache);

}  // namespace wordbridge
