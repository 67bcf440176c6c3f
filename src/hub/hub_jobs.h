#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "align/alignment_plan.h"
#include "hub/hub_work.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// Plans by what is asked for: thousands of languages are mostly aligned in the same way, and share one.
using AlignmentPlans = std::map<std::string, std::shared_ptr<const AlignmentPlan>>;

/// Aligns one language to the pivot, as `wordbridge align` would.
class LanguageAligner {
 public:
  /// UsageError, naming the language, for invalid settings.
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

/// Measures how well two languages of a hub are translated into each other, by CSLS and ranked anew, and keeps what
/// ranks them.
class PairMeasurer {
 public:
  /// `mappings` are the checksums of the mappings, by language; the pivot has none. `one` comes before `other` by name.
  PairMeasurer(const HubWork& work, std::string one, std::string other, HubMaps maps,
               const std::map<std::string, std::string>& mappings);

  /// Whether there are words to ask, in one direction at least.
  bool has_words() const;
  /// All lexicons.
  std::vector<std::string> inputs() const;
  /// Of all that goes in.
  std::string key() const;
  /// A record of before, where all that goes in is the same.
  std::optional<PairRecord> finished() const;
  /// Measures, and leaves the record in the folder. A direction that cannot be measured says why.
  PairRecord run() const;

 private:
  /// The two languages where they are compared when `source` is translated into `target`.
  CommonSpace space(const std::string& source, const std::string& target) const;
  /// Whether they are compared in the same space both ways: no method moved the pivot's side.
  bool is_one_space() const;
  /// In a space whose side `asking` holds the words of `source`; what goes wrong is told in the record.
  DirectionRecord measure(const std::string& source, const std::string& target, Side asking,
                          const std::function<CommonSpace()>& make_space) const;
  /// Whether it is less work to learn the statistics of CSLS for all words at once.
  bool asks_much(const CommonSpace& space) const;
  Mapping mapping(const std::string& source, const std::string& target) const;
  /// Learns what ranks anew (joint maps take what the star has learned), measures it, and leaves the mapping in the
  /// folder. `space` has `source` as its source side.
  void rerank(const std::string& source, const std::string& target, const CommonSpace& space,
              DirectionRecord& record) const;
  /// Whether the mapping that a record names is in its place.
  bool is_there(const DirectionRecord& record) const;

  const HubWork& work_;
  std::string one_, other_;
  HubMaps maps_;
  const std::map<std::string, std::string>& mappings_;
};

}  // namespace wordbridge
