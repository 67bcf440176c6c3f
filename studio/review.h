#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "studio/bench.h"
#include "studio/project.h"

namespace wordbridge::studio {

/// The known translations of words, by either side.
class KnownPairs {
 public:
  void add(const std::string& source, const std::string& target);
  void remove(const std::string& source, const std::string& target);
  /// Of a word of that side, in the order they came.
  std::vector<std::string> of(Side side, std::string_view word) const;
  bool has(const std::string& source, const std::string& target) const;
  std::size_t size() const { return size_; }
  using Words = std::map<std::string, std::vector<std::string>, std::less<>>;
  /// By source word.
  const Words& pairs() const { return of_source_; }

 private:
  Words of_source_, of_target_;
  std::size_t size_ = 0;
};

/// What was decided, as it stands: each pair and each word that is put aside has its last verdict.
class Verdicts {
 public:
  Verdicts() = default;
  explicit Verdicts(const std::vector<Decision>& standing);
  /// In the place of what was decided about the same pair before.
  void apply(const Decision& decision);
  /// Nothing stands of this pair, or of this word that was put aside.
  void forget(const std::string& source, const std::string& target);

  bool rejected(const std::string& source, const std::string& target) const;
  bool accepted(const std::string& source, const std::string& target) const;
  bool settled(const std::string& source) const;  // a pair of it is accepted, or it is put aside
  const KnownPairs& accepted() const { return accepted_; }
  const KnownPairs& rejected() const { return rejected_; }
  std::size_t skipped() const { return skipped_.size(); }

 private:
  KnownPairs accepted_, rejected_;
  std::set<std::string> skipped_;
};

/// A word with what it may be translated to.
struct Suggestion {
  WordId source;
  std::vector<std::pair<WordId, double>> candidates;  // with their scores, best first
  double probability;  // of the first; where there is no re-ranker, its share of a softmax of CSLS scores
  bool disputed;       // by nearest neighbor, CSLS and the re-ranker
  /// How much an answer would teach: doubt, times how frequent the word is, and more where criteria disagree.
  double use;
};

/// The suggestions for the most frequent source words of a bench, made little by little.
class ReviewQueue {
 public:
  static constexpr std::size_t kMostWords = 20'000;
  static constexpr std::size_t kCandidates = 9;

  explicit ReviewQueue(std::shared_ptr<Bench> bench) : bench_(std::move(bench)) {}

  /// Makes them, the most frequent words first; those that are ready can be asked for meanwhile. `skip`: words that
  /// are not wanted, such as those of the lexicon.
  void fill(const std::function<bool(std::string_view)>& skip);

  enum class Order { use, probability, frequency, disputed };
  struct Page {
    std::vector<Suggestion> suggestions;
    std::size_t open = 0;  // suggestions that nobody has answered
    bool complete = false;
  };
  /// `left_out`: pairs and words that were answered meanwhile.
  Page page(Order order, std::size_t first, std::size_t count, const Verdicts& verdicts) const;
  const Bench& bench() const { return *bench_; }

 private:
  void add(std::vector<Suggestion> suggestions);

  std::shared_ptr<Bench> bench_;
  mutable std::mutex mutex_;
  std::vector<Suggestion> suggestions_;  // by frequency
  bool complete_ = false;
};

}  // namespace wordbridge::studio
