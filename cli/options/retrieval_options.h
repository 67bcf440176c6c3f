#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lexicon/word_pairs.h"
#include "mapping/mapping.h"
#include "retrieval/make_criterion.h"

namespace wordbridge::cli {

class Arguments;
class Session;

/// The names of all criteria.
std::vector<std::string> criterion_choices();

/// How translations are ranked.
class RetrievalOptions {
 public:
  /// `usual` says in the help what holds where --criterion is not given.
  void declare(Arguments& arguments, const std::string& usual = "the mapping's, usually csls");
  /// Another criterion, with nothing said about it.
  static RetrievalOptions of(const std::string& criterion);
  /// Settles the criterion: the one asked for, else the mapping's, else csls. UsageError for a mapping's that is not
  /// known here, and for options of another criterion; reads the lexicon that beta is fitted on. To be called before
  /// the vectors are read: errors come early then.
  void settle(const Mapping& mapping);
  /// The same with a given criterion in the place of the mapping's.
  void settle(const std::string& usual);

  const std::string& criterion() const { return criterion_; }
  std::size_t neighbors() const { return neighbors_; }
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
