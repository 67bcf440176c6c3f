#pragma once
#include <map>
#include <memory>
#include <string>

#include "align/alignment_plan.h"
#include "hub/hub_work.h"

namespace wordbridge {

/// Plans by what is asked for: thousands of languages are mostly aligned in the same way, and share one.
using AlignmentPlans = std::map<std::string, std::shared_ptr<const AlignmentPlan>>;

/// Aligns one language to the pivot, as `wordbridge align` would.
class LanguageAligner {
 public:
  /// UsageError, naming the language, for settings that cannot be.
  LanguageAligner(const HubWork& work, const std::string& language, AlignmentPlans& plans);

  const std::string& language() const { return language_; }
  /// The files that it reads, besides the vectors.
  std::vector<std::string> inputs() const;
  /// Error where it cannot work, as far as that shows without reading files: there is no lexicon.
  void check() const;
  /// Of all that goes in. Error where a file was not found.
  std::string key() const;
  /// Learns, and leaves mapping and record in the folder.
  AlignedRecord run() const;

 private:
  const HubWork& work_;
  std::string language_;
  AlignOptions options_;
  std::shared_ptr<const AlignmentPlan> plan_;
  LexiconChoice lexicon_;
};

}  // namespace wordbridge
