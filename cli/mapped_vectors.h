#pragma once
#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/vector_options.h"
#include "wordbridge/mapping/mapping.h"

namespace wordbridge::cli {

class Arguments;

/// Both sides in the common space, unit rows.
struct MappedVectors {
  Mapping mapping;  // the one that brought them there; empty where they came so
  WordVectors source, target;
};

/// The files of commands that work with a fitted mapping.
class MappedInputs {
 public:
  enum class MappingArgument { required, optional };

  /// With an optional mapping, two files are vectors that share a space already.
  void declare(Arguments& arguments, MappingArgument mapping);

  /// Refuses what cannot work (a missing file, dimensions that do not fit, standard input twice) before it reads
  /// anything long; then reads both sides, warns where they are not the mapping's, and maps them. `other_input` is a
  /// further file that the command reads.
  MappedVectors load(Session& session, const std::string& other_input = {});

  const VectorOptions& options() const { return options_; }
  /// All files, for checks of outputs.
  std::vector<std::string> paths();

 private:
  void take_optional_arguments();
  MappedVectors load_shared_space(Session& session) const;

  MappingArgument rule_ = MappingArgument::required;
  std::vector<std::string> files_;  // of an optional mapping and two files of vectors
  std::string mapping_;             // empty: none
  VectorFile source_, target_;
  VectorOptions options_;
};

}  // namespace wordbridge::cli
