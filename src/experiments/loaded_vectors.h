#pragma once
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "experiments/experiment_observer.h"
#include "wordbridge/common_space.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// The tables that experiments work with: the last ones stay in memory, because cells over the same vectors follow each
/// other.
class LoadedVectors {
 public:
  explicit LoadedVectors(ExperimentObserver& observer) : observer_(observer) {}

  /// The first so many words of a file.
  std::shared_ptr<const WordVectors> vectors(const std::string& path, std::size_t max_words);

  /// What a space is made of: the files, and a mapping in the cache by its key; without one, the vectors share a space.
  struct Parts {
    std::string source, target;
    std::size_t max_words = 0;
    std::string mapping_key, mapping_path;
  };
  /// UsageError for vectors of different dimensions without a mapping.
  CommonSpace space(const Parts& parts);
  /// The words of one language as the mapping makes them, or as they are.
  CommonSpace space_of_one(const Parts& parts);

 private:
  struct Table {
    std::string name;
    std::shared_ptr<const WordVectors> vectors;
  };
  struct Space {
    std::string name;
    CommonSpace space;
  };
  ExperimentObserver& observer_;
  std::list<Table> tables_;     // the last used first
  std::optional<Space> space_;  // the last one
};

}  // namespace wordbridge
