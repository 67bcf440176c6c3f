#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/options/vector_options.h"
#include "cli/session.h"
#include "wordbridge/common_space.h"
#include "wordbridge/mapping.h"
#include "wordbridge/prepared_space.h"

namespace wordbridge::cli {

class Arguments;

/// A space to be measured: the words of one language, or of two that share it.
struct NamedSpace {
  std::string name;  // "original", "aligned"
  CommonSpace space;
};

/// The files of commands that measure vectors as they are, as a mapping makes them, or both side by side.
class SpaceInputs {
 public:
  void declare(Arguments& arguments);

  /// Reads the mapping, where there is one, and refuses what cannot work before anything long is read. `target` is the
  /// second language, with an empty path where there is none.
  void open(const VectorFile& target = {});
  std::vector<NamedSpace> load(Session& session, const VectorFile& target = {}) const;

  const VectorOptions& options() const { return options_; }
  const Mapping& mapping() const { return mapping_; }
  bool has_mapping() const { return !mapping_path_.empty(); }
  std::vector<std::string> paths() const { return {mapping_path_, file_.path, file_.vocabulary, file_.ids}; }

 private:
  bool wants_original(bool two_languages) const;
  bool wants_aligned() const { return has_mapping() && space_ != "original"; }
  WordVectors read(Session& session, const VectorFile& file, Side side) const;

  VectorFile file_;
  VectorOptions options_;
  std::string mapping_path_, side_ = "source", space_;
  Mapping mapping_;
  std::optional<PreparedSpace> prepared_;
};

}  // namespace wordbridge::cli
