#include "align/choice/map_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "align/alignment_plan.h"
#include "align/choice/paired_outcomes.h"
#include "align/held_out_translations.h"
#include "lexicon/identical_words.h"
#include "lexicon/split.h"
#include "wordbridge/common_space.h"
#include "wordbridge/context.h"

namespace wordbridge {

namespace {

constexpr std::size_t kFewestWords = 100;  // source words of a lexicon that can give some away
constexpr double kMostHeldOut = 1000;      // words
constexpr double kLargestShare = 0.3;
constexpr double kEvident = 0.01;  // p-value below which a difference is none of chance
constexpr std::size_t kNeighbors = 10;

const std::string kVecmap = "VecMap's map", kLearned = "VecMap's map, self-learned", kRcsls = "RCSLS from Procrustes";

std::vector<MapKind> make_kinds() {
  const std::string whitened = "unit,center,unit", unit = "unit";
  const AlignOptions from_procrustes{"rcsls", {{"learning-rate", 25}, {"epochs", 5}}, unit};
  AlignOptions from_procrustes_learned = from_procrustes;
  from_procrustes_learned.options.insert({"self-learn", true});
  return {
      {"RCSLS on VecMap's map, self-learned", {"rcsls", {{"init", "vecmap"}, {"self-learn", true}}, whitened}},
      {kLearned, {"vecmap", {{"self-learn", true}}, whitened}},
      {kVecmap, {"vecmap", {}, whitened}},
      {kRcsls, from_procrustes},
      {"VecMap's map, self-learned without equal words",
       {"vecmap", {{"self-learn", true}, {"self-learn-identical", 0}}, whitened},
       true,
       kVecmap,
       kLearned},
      {"RCSLS on VecMap's map", {"rcsls", {{"init", "vecmap"}}, whitened}, false, kVecmap, kLearned},
      {"RCSLS from Procrustes, self-learned", from_procrustes_learned, false, kRcsls, kLearned},
  };
}

using Outcome = std::vector<std::uint8_t>;  // of each held-out word, 1 where it is right

/// One choose_map(): what came out of the kinds so far.
class MapChoice {
 public:
  MapChoice(const WordVectors& source, const WordVectors& target, const LexiconSplit& split, std::string normalization)
      : source_(source),
        target_(target),
        train_(split.train),
        words_(split.validation),
        normalization_(std::move(normalization)),
        shares_words_(!identical_letter_words(source.vocabulary(), target.vocabulary()).empty()) {}

  bool worth_a_try(const MapKind& kind) const {
    if (kind.without_identical && !shares_words_) return false;
    const auto worse = outcomes_.find(kind.worse), better = outcomes_.find(kind.better);
    if (worse == outcomes_.end() || better == outcomes_.end()) return true;
    return PairedOutcomes::of(worse->second, better->second).p_value() >= kEvident;
  }

  void attempt(const MapKind& kind) {
    AlignOptions options = kind.options;
    if (!normalization_.empty()) options.normalization = normalization_;
    const Mapping mapping = AlignmentPlan(options).run(source_, target_, train_);
    Outcome right = words_.translated_right(CommonSpace(mapping, source_, target_), kNeighbors);
    const Outcome& first = outcomes_.empty() ? right : outcomes_.at(rows_.front().map);
    const PairedOutcomes paired = PairedOutcomes::of(first, right);
    rows_.push_back({kind.name, percent(right), paired.gained, paired.lost, paired.p_value()});
    outcomes_.emplace(kind.name, std::move(right));
  }

  ChoiceReport report() const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (rows_[i].score > rows_[best].score) best = i;
    const std::size_t chosen = rows_[best].p_value < kEvident ? best : 0;
    const Outcome& right = outcomes_.at(rows_[chosen].map);
    const ShareInterval expected = ShareInterval::of(count(right), right.size());
    return {right.size(), rows_, chosen, 100 * expected.low, 100 * expected.high};
  }

 private:
  static std::size_t count(const Outcome& right) { return static_cast<std::size_t>(std::ranges::count(right, 1)); }
  static double percent(const Outcome& right) {
    return 100.0 * static_cast<double>(count(right)) / static_cast<double>(right.size());
  }

  const WordVectors& source_;
  const WordVectors& target_;
  const Lexicon& train_;
  HeldOutTranslations words_;
  std::string normalization_;
  bool shares_words_;  // words alike in both languages
  std::vector<ChoiceReport::Row> rows_;
  std::map<std::string, Outcome> outcomes_;
};

}  // namespace

const std::vector<MapKind>& map_kinds() {
  static const std::vector<MapKind> kKinds = make_kinds();
  return kKinds;
}

ChoiceReport choose_map(const WordVectors& source, const WordVectors& target, const Lexicon& lexicon,
                        const std::string& normalization) {
  const std::size_t words = lexicon.source_words().size();
  if (words < kFewestWords) return {.words = 0, .rows = {{.map = map_kinds().front().name}}, .expected_high = 100};
  const double share = std::min(kLargestShare, kMostHeldOut / static_cast<double>(words));
  const LexiconSplit split = split_off_rare(lexicon, share, Context::current().seed());
  MapChoice choice(source, target, split, normalization);
  Stage stage("choosing a map");
  const auto total = static_cast<std::uint64_t>(map_kinds().size());
  std::uint64_t done = 0;
  for (const MapKind& kind : map_kinds()) {
    stage.update(done++, total, kind.name);
    if (choice.worth_a_try(kind)) choice.attempt(kind);
  }
  return choice.report();
}

const MapKind& chosen_kind(const ChoiceReport& choice) {
  const auto found = std::ranges::find(map_kinds(), choice.rows.at(choice.chosen).map, &MapKind::name);
  assert(found != map_kinds().end());
  return *found;
}

}  // namespace wordbridge
