#pragma once
#include <map>
#include <string>
#include <vector>

#include "experiments/cell_settings.h"
#include "experiments/experiment_observer.h"
#include "experiments/loaded_vectors.h"
#include "experiments/mapping_request.h"
#include "experiments/result_cache.h"

namespace wordbridge {

/// A mapping in the cache; an empty key: none, the vectors share a space as they are.
struct CachedMapping {
  std::string key, path;
};

/// The mappings that cells ask for: found in the cache, or made and put there. The seed is that of the context.
class MappingMaker {
 public:
  MappingMaker(const DataFiles& files, ResultCache& cache, LoadedVectors& loaded, ExperimentObserver& observer)
      : files_(files), cache_(cache), loaded_(loaded), observer_(observer) {}

  /// MissingFile where a file is not there. What could not be made once is not tried again.
  CachedMapping mapping_for(const CellSettings& settings);

 private:
  /// What a method learns from.
  struct Inputs {
    std::string source, target, lexicon;  // no lexicon: an empty path
    std::size_t max_words = 0;
    std::string normalization;  // empty: the method's
  };
  using KeyParts = std::map<std::string, std::string>;

  Inputs find_inputs(const CellSettings& settings, KeyParts& parts);
  std::vector<std::string> with_data_files(const std::vector<std::string>& words, KeyParts& parts);
  void learn(const AlignRequest& request, const Inputs& inputs, const std::string& path);
  Lexicon find_lexicon(const AlignRequest& request, const std::string& path, const Vocabulary& source,
                       const Vocabulary& target);
  void import(const ImportRequest& request, const std::string& path);

  const DataFiles& files_;
  ResultCache& cache_;
  LoadedVectors& loaded_;
  ExperimentObserver& observer_;
  std::map<std::string, std::string> failures_;  // what was said, by key
};

}  // namespace wordbridge
