#pragma once
#include <map>
#include <string>
#include <vector>

#include "base/result_cache.h"
#include "experiments/cell_settings.h"
#include "experiments/data_files.h"
#include "experiments/experiment.h"
#include "lexicon/word_lookup.h"
#include "mapping/matrix_import.h"
#include "wordbridge/align.h"

namespace wordbridge {

// What the setting `align` of an experiment asks for, in the words of the command line. It decides the mapping and
// nothing else: whatever has to do with files that are written is refused.

/// Whether these words ask for a matrix to be imported.
bool is_import(const std::vector<std::string>& words);

/// An experiment reads data files only: UsageError where a file is named without the @ that stands before their names.
void require_data_files(const std::vector<std::string>& words);

/// A mapping to be learned: "--method rcsls --learning-rate 1".
struct AlignRequest {
  AlignOptions options = {};
  CasePolicy case_policy = CasePolicy::exact;      // of words of the lexicon
  bool identical_words = false, numerals = false;  // the lexicon, where the experiment names none
};
/// UsageError for options that there are not, or that write.
AlignRequest parse_align_request(const std::vector<std::string>& words);

/// A matrix to be imported: "W.txt --transpose".
struct ImportRequest {
  MatrixImportOptions options = {};
  std::string source = {}, target = {};  // files of vectors that the means are taken from
};
ImportRequest parse_import_request(const std::vector<std::string>& words);

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
