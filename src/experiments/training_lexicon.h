#pragma once
#include <string>

#include "experiments/cell_settings.h"
#include "experiments/result_cache.h"

namespace wordbridge {

/// The lexicon that a cell learns from (settings train, train_words, train_without, train_wrong, reversed): a data file
/// as it is, or what is asked for of one, which is written to the cache. Gives its path.
std::string training_lexicon(const CellSettings& settings, const DataFiles& files, ResultCache& cache);

/// A lexicon itself or, where the setting `reversed` asks for it, a copy in the cache whose sides have changed places.
/// Gives its path.
std::string reversed_if_asked(const CellSettings& settings, const std::string& path, ResultCache& cache);

}  // namespace wordbridge
