#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "wordbridge/error.h"

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

}  // namespace wordbridge
