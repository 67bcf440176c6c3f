#pragma once
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/data_files.h"
#include "cli/result_cache.h"
#include "cli/session.h"
#include "experiments/experiment_result.h"
#include "wordbridge/common_space.h"
#include "wordbridge/mapping.h"

namespace wordbridge::cli {

/// A mapping that experiments made, for the report.
struct ExperimentRun {
  std::string name;                                 // of the cell that first wanted it: "muse: RCSLS, en-es"
  std::string key;                                  // of the mapping
  std::string mapping;                              // its header: a JSON object
  std::string hubness;                              // a JSON list; empty where nobody asked for it
  std::map<std::string, std::string> translations;  // JSON objects by criterion
};

/// Runs experiments: finds the files, aligns and measures what is not in the cache, and goes on where something is
/// missing.
class ExperimentRunner {
 public:
  /// `hubness`: measure that of every mapping, too.
  ExperimentRunner(Session& session, DataFiles& files, ResultCache& cache, bool hubness);
  ~ExperimentRunner();

  ExperimentResult run(const Experiment& experiment);
  /// The mappings that word translation was measured with, in the order of their coming.
  const std::vector<ExperimentRun>& runs() const { return runs_; }

 private:
  struct Measurement {
    double value = 0;
    std::string coverage;
  };
  /// A mapping or, with an empty key, none: the vectors share a space as they are.
  struct MappingFile {
    std::string key, path;
  };

  Measurement measure(const Experiment& experiment, const ExperimentSettings& settings, const std::string& cell);
  Measurement translation(const ExperimentSettings& settings, const std::string& cell);
  Measurement analogy(const ExperimentSettings& settings);
  Measurement similarity(const ExperimentSettings& settings);

  std::string file(const ExperimentSettings& settings, const std::string& name);
  std::string lexicon(const ExperimentSettings& settings);
  std::string reversed_if_asked(const ExperimentSettings& settings, const std::string& path);
  MappingFile mapping_for(const ExperimentSettings& settings);
  std::shared_ptr<const WordVectors> vectors(const std::string& path, std::size_t max_words);
  CommonSpace mapped(const ExperimentSettings& settings, const MappingFile& mapping);
  void note_run(const ExperimentSettings& settings, const MappingFile& mapping, const std::string& cell,
                const std::string& result);
  std::string cached(const std::map<std::string, std::string>& parts, const std::function<std::string()>& make);

  Session& session_;
  DataFiles& files_;
  ResultCache& cache_;
  bool wants_hubness_;
  struct Loaded {
    std::string name;
    std::shared_ptr<const WordVectors> vectors;
  };
  std::list<Loaded> loaded_;  // the last used first
  struct Mapped {
    std::string name;
    CommonSpace space;
  };
  std::optional<Mapped> mapped_;                 // the last one
  std::map<std::string, std::string> failures_;  // of alignments, by key
  std::vector<ExperimentRun> runs_;
};

}  // namespace wordbridge::cli
