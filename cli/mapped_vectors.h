#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/vector_options.h"
#include "cli/session.h"
#include "space/sharded_space.h"
#include "wordbridge/common_space.h"
#include "wordbridge/hub.h"
#include "wordbridge/mapping.h"
#include "wordbridge/prepared_space.h"

namespace wordbridge::cli {

class Arguments;

/// The files of commands that work with a fitted mapping.
class MappedInputs {
 public:
  enum class MappingArgument { required, optional };

  /// With an optional mapping, two files are vectors that share a space already, and --hub makes them names of
  /// languages.
  void declare(Arguments& arguments, MappingArgument mapping);

  /// The same with words behind the files, all in one list, because only the files tell where they end: the first is a
  /// mapping where it looks like one, or is named so. To be followed by take_words().
  void declare_with_words(Arguments& arguments, std::vector<std::string>& all, const std::string& description);
  /// Takes the files off the list; what stays are the words. UsageError where there are too few files.
  void take_words(std::vector<std::string>& all);

  /// Reads the mapping (without one, gives an empty one), and refuses what cannot work (a missing file, dimensions that
  /// do not fit, standard input twice) before anything long is read. `others` are further files that the command reads.
  Mapping open(const std::vector<std::string>& others = {});
  /// Of two languages of a hub, the mapping from the second to the first, after open(); nothing without a hub.
  std::optional<Mapping> hub_mapping_back() const;
  /// Another mapping for the same vectors, after open().
  Mapping open_other(const std::string& path) const;

  /// Both sides as they are in their files.
  struct Vectors {
    WordVectors source, target;
  };
  /// Reads as many words as the mapping was learned from, and warns where they are not the mapping's.
  Vectors read(Session& session, const Mapping& mapping) const;
  /// The same check for another mapping. UsageError where dimensions differ.
  void check(Session& session, const Mapping& mapping, const Vectors& vectors) const;
  /// After open(): whether one file (.wbspace) holds all, and load() has nothing to read. It has no vectors as they
  /// were before they were mapped, so read() is not for it.
  bool is_prepared() const { return prepared_.has_value(); }
  /// As the mapping maps them; as they are where there is none. Move the vectors in to save copies.
  CommonSpace space(const Mapping& mapping, Vectors vectors) const;
  /// read() and space() at once.
  CommonSpace load(Session& session, const Mapping& mapping) const;

  /// UsageError, before any file is opened, for what several processes cannot read together.
  void require_shardable();
  /// Both sides as the mapping maps them, by all processes of a job together; with the same warnings as read().
  std::unique_ptr<const ShardedSpace> load_sharded(Session& session, const Mapping& mapping) const;

  const VectorOptions& options() const { return options_; }
  // After open().
  bool has_mapping() const { return prepared_ ? prepared_->mapping() != nullptr : !mapping_.empty(); }
  /// The two files of vectors, source first, after open().
  std::vector<std::string> vector_paths() const { return {source_.path, target_.path}; }
  /// All files, for checks of outputs.
  std::vector<std::string> paths();

 private:
  std::size_t usual_words(const Mapping& mapping) const;
  void require_same_space(std::size_t source, std::uint64_t source_space, std::size_t target,
                          std::uint64_t target_space) const;
  void declare_hub(Arguments& arguments);
  void take_optional_arguments();
  void take_languages();
  void open_prepared(const std::vector<std::string>& others);

  MappingArgument rule_ = MappingArgument::required;
  std::vector<std::string> files_;  // of an optional mapping and two files of vectors
  std::string mapping_;             // empty: none; the folder of the hub where there is one
  std::string hub_folder_;          // empty: there is none
  std::string prepared_path_;       // likewise
  std::optional<PreparedSpace> prepared_;
  std::optional<Hub> hub_;
  VectorFile source_, target_;
  VectorOptions options_;
};

}  // namespace wordbridge::cli
