#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"
#include "cli/training_options.h"
#include "wordbridge/aligners/aligner.h"

namespace wordbridge::cli {

class Arguments;

/// What is asked for beside a method's own options.
struct MethodContext {
  const GlobalOptions& global;
  const TrainingOptions& training;
  const RestartChoice& restarts;
};

/// A family of methods of `align` as the command line sees it: options that they share, and the aligners that these
/// make.
class AlignMethod {
 public:
  virtual ~AlignMethod() = default;
  /// Declares the options; the heading is set, and belongs to this family alone.
  virtual void declare(Arguments& arguments) = 0;
  /// The aligner of the method of that name. UsageError for options that make no sense.
  virtual std::unique_ptr<Aligner> make(std::string_view name, const MethodContext& context) = 0;
  /// The files that its options name, for checks of outputs.
  virtual std::vector<std::string> inputs() const { return {}; }
  /// The mapping that training starts from, where one is given; known after make().
  virtual const Mapping* start() const { return nullptr; }
};

struct AlignMethodEntry {
  std::string_view name;                   // --method NAME
  std::string_view summary;                // a few words for the help
  std::string_view normalization;          // where --normalize is not given
  std::string_view criterion;              // the retrieval that goes with it
  bool needs_lexicon;                      // methods that do not, take none
  bool trains;                             // takes the options of long trainings
  std::unique_ptr<AlignMethod> (*make)();  // entries with the same function are of one family
};

/// All methods, the default first; a new one is an entry in align_methods.cc.
std::span<const AlignMethodEntry> all_align_methods();

}  // namespace wordbridge::cli
