#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "linalg/rows.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/matrix.h"

namespace wordbridge {

/// The shape of a table and a checksum of its values, as fingerprints and options name it.
std::string checksum_of(ConstMatrixView table);
/// The same for a table that is sharded; by all processes together.
std::string checksum_of(const ShardedRows& table);

/// The number of a lexicon's pairs and a checksum of them, and one of the weights where not all are 1.
std::string checksum_of(const Lexicon& lexicon);

/// What a run must remember to go on after an interruption.
struct CheckpointState {
  bool finished = false;
  std::string json = "{}";             // an object
  std::vector<MatrixD> matrices = {};  // bit for bit
};

/// The state of a long run in a folder, replaced as a whole at each save: whenever the run is killed, the folder holds
/// the last state or the one before. The fingerprint, named values such as options and checksums of the inputs, ties
/// the state to its run.
class Checkpoint {
 public:
  using Fingerprint = std::map<std::string, std::string>;

  /// Makes the folder where it is missing, and takes away what killed runs left half-written in it. InputError where
  /// that cannot be.
  Checkpoint(const std::string& folder, Fingerprint fingerprint);

  /// The state of an earlier run, or nullopt if there is none. UsageError where it was made with another
  /// fingerprint: the message says what differs. InputError where the file is damaged.
  std::optional<CheckpointState> load() const;
  /// The file as it is, for the other processes of a job; nullopt if there is none.
  std::optional<std::string> bytes() const;
  /// The state in such bytes, whatever its fingerprint. InputError, naming `path`, where they are damaged.
  static CheckpointState parse(const std::string& path, const std::string& bytes);
  /// True where the folder holds the state of a run that did not end, of whatever fingerprint.
  bool has_unfinished() const;
  void save(const CheckpointState& state) const;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Fingerprint fingerprint_;
};

}  // namespace wordbridge
