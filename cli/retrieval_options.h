#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "wordbridge/lexicon/word_pairs.h"
#include "wordbridge/mapping/mapping.h"
#include "wordbridge/retrieval/make_criterion.h"

namespace wordbridge::cli {

class Arguments;
class Session;

/// The names of the criteria that need no re-ranker.
std::vector<std::string> criterion_choices();

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
  std::string criterion_;  // empty: the one that goes with the mapping
  std::uint64_t neighbors_ = 10;
  std::optional<double> beta_;
  std::string beta_lexicon_;
  std::optional<WordPairs> beta_pairs_;
  std::optional<std::size_t> sample_;
};

}  // namespace wordbridge::cli
