#pragma once
#include <string>

#include "experiments/experiment.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge {

/// Watches what experiments do, for whoever wants to tell people. All calls come from the thread that runs them.
class ExperimentObserver {
 public:
  virtual ~ExperimentObserver() = default;

  /// A file of vectors was read, in so many seconds.
  virtual void read_vectors(const ReadSummary& /*summary*/, double /*seconds*/) {}
  /// A training lexicon was looked up in two vocabularies.
  virtual void found_lexicon(const std::string& /*name*/, const LexiconCoverage& /*coverage*/) {}
  /// A mapping was made and written to the cache; learning it took so many seconds, with all around it so many.
  virtual void made_mapping(const Mapping& /*mapping*/, const std::string& /*path*/, double /*learning*/,
                            double /*seconds*/) {}
  /// Something to be wary of, in a sentence.
  virtual void warned(const std::string& /*warning*/) {}
  /// A measurement of the cell in that row and column is there.
  virtual void measured(const Experiment& /*experiment*/, const std::string& /*row*/, const std::string& /*column*/,
                        double /*value*/) {}
};

}  // namespace wordbridge
