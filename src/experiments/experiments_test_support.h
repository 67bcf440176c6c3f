#pragma once
#include <string>
#include <vector>

#include "base/result_cache.h"
#include "base/temporary_folder_test_support.h"
#include "experiments/data_files.h"
#include "experiments/experiment.h"
#include "experiments/experiment_result.h"

namespace wordbridge {

/// A folder with two languages in it, for experiments: word eI of en.vec translates word sI of es.vec. Lexicons
/// train.txt and test.txt, and same.txt of English words with themselves.
class ExperimentFolder {
 public:
  ExperimentFolder();
  ~ExperimentFolder();

  DataFiles files() const { return DataFiles(folder_.path("")); }
  std::string cache() const { return folder_.path("cache"); }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

/// Remembers what it was told.
class RememberingObserver final : public ExperimentObserver {
 public:
  void read_vectors(const ReadSummary& summary, double seconds) override;
  void found_lexicon(const std::string& name, const LexiconCoverage& coverage) override;
  void made_mapping(const Mapping& mapping, const std::string& path, double learning, double seconds) override;
  void warned(const std::string& warning) override;
  void measured(const Experiment& experiment, const std::string& row, const std::string& column, double value) override;

  std::vector<std::string> read, lexicons, mappings, warnings, cells;
};

/// Three columns; the middle one of the first row was not measured, and of the second nothing.
ExperimentResult example_result();

}  // namespace wordbridge
