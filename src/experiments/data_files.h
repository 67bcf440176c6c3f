#pragma once
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiments/experiment.h"
#include "wordbridge/common_space.h"
#include "wordbridge/error.h"
#include "wordbridge/mapping.h"

namespace wordbridge {

/// A file that an experiment needs is not there.
class MissingFile : public Error {
 public:
  /// Its name, and where it is published if that is known.
  explicit MissingFile(const std::string& file) : Error("missing: " + file), file_(file) {}
  const std::string& file() const { return file_; }

 private:
  std::string file_;
};

/// The files below a folder, found by their published names wherever they are in it.
class DataFiles {
 public:
  /// InputError where the folder cannot be read.
  explicit DataFiles(const std::string& folder);

  /// The path of a file of that name; a name may have folders before it ("alignment_matrices/bg.txt"). A compressed
  /// one (.gz .zst .xz .bz2), or .wbvec in the place of .vec, will do. MissingFile, with where it is published, where
  /// there is none.
  std::string find(const std::string& name) const;

  /// Learns where files are published, from a JSON list of {"files": "wiki.*.vec", "from": "https://..."}.
  void read_sources(const std::string& path);

 private:
  std::string source_of(const std::string& name) const;

  struct Source {
    std::string pattern, from;
  };
  std::string folder_;
  std::multimap<std::string, std::string> paths_;  // by the last part; several in the order of their paths
  std::vector<Source> sources_;
};

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
