#pragma once
#include <map>
#include <optional>
#include <string>

#include "lexicon/word_pairs.h"
#include "wordbridge/criterion.h"
#include "wordbridge/mapping.h"

namespace wordbridge::cli {

class Arguments;
class Session;

/// How translations are ranked.
class RetrievalOptions {
 public:
  void declare(Arguments& arguments);
  /// Settles the criterion: the one asked for, else that of the mapping's re-ranker, else the mapping's, else csls.
  /// UsageError for a mapping's that is not known here, and for options of another criterion; reads the lexicon that
  /// beta is fitted on. To be called before the vectors are read: errors come early then.
  void settle(const Mapping& mapping);

  const std::string& criterion() const { return criterion_; }
  /// Fits beta where that is asked for.
  CriterionOptions options_for(Session& session, const CommonSpace& space) const;

 private:
  void refuse_foreign(const std::string& option, const std::string& owner) const;

  std::string criterion_;                     // empty: the one that goes with the mapping
  std::map<std::string, std::string> given_;  // options of criteria that were given, with the criterion that owns them
  CriterionOptions options_;
  std::string beta_lexicon_;
  std::optional<WordPairs> beta_pairs_;
};

}  // namespace wordbridge::cli
