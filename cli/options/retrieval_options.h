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
  /// `usual` says in the help what holds where --criterion is not given.
  void declare(Arguments& arguments, const std::string& usual =
                                         "rerank where the mapping has a re-ranker, else the "
                                         "mapping's, usually csls");
  /// Another criterion, with nothing said about it.
  static RetrievalOptions of(const std::string& criterion);
  /// Settles the criterion: the one asked for, else that of the mapping's re-ranker, else the mapping's, else csls.
  /// UsageError for a mapping's that is not known here, and for options of another criterion; reads the lexicon that
  /// beta is fitted on. To be called before the vectors are read: errors come early then.
  void settle(const Mapping& mapping);
  /// The same with a given criterion in the place of the mapping's, which check() is for.
  void settle(const std::string& usual);
  /// UsageError for a criterion that needs a re-ranker where the mapping has none.
  void check(const Mapping& mapping) const;

  const std::string& criterion() const { return criterion_; }
  std::size_t neighbors() const { return options_.neighbors; }
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
