#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"
#include "wordbridge/aligners/aligner.h"

namespace wordbridge::cli {

class Arguments;

/// A method of `align` as the command line sees it: its own options, and the aligner that they make.
class AlignMethod {
 public:
  virtual ~AlignMethod() = default;
  /// Declares its options; the heading is set, and belongs to this method alone.
  virtual void declare(Arguments& arguments) = 0;
  /// UsageError for options that make no sense.
  virtual std::unique_ptr<Aligner> make(const GlobalOptions& options) const = 0;
};

struct AlignMethodEntry {
  std::string_view name;           // --method NAME
  std::string_view summary;        // a few words for the help
  std::string_view normalization;  // where --normalize is not given
  std::string_view criterion;      // the retrieval that goes with it
  bool needs_lexicon;
  std::unique_ptr<AlignMethod> (*make)();
};

/// All methods, the default first; a new one is an entry in align_methods.cc.
std::span<const AlignMethodEntry> all_align_methods();

}  // namespace wordbridge::cli
