#include "hub/pair_measurer.h"

#include <fmt/format.h>

#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/kept_file.h"
#include "evaluation/frequency_bands.h"
#include "hub/hub_mapping.h"
#include "lexicon/gold_lexicon.h"
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"
#include "wordbridge/hubness.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

namespace {

constexpr std::array<std::size_t, 5> kBounds = {500, 2'000, 10'000, 50'000, 200'000};
constexpr std::size_t kHubnessQueries = 5'000;

GoldLexicon gold_of(const HubWork& work, const LexiconChoice& choice, const CommonSpace& space) {
  // The words were not made for these vocabularies where they are joined: whatever is covered counts.
  return GoldLexicon(read_pairs(choice, work.lenient), space.vocabulary(Side::source), space.vocabulary(Side::target),
                     CasePolicy::exact, LexiconChecks::none);
}

}  // namespace

struct PairMeasurer::Tables {
  WordVectors one, other;
};

PairMeasurer::PairMeasurer(const HubWork& work, std::string one, std::string other, HubMaps maps,
                           const std::map<std::string, std::string>& mappings)
    : work_(work), one_(std::move(one)), other_(std::move(other)), maps_(maps), mappings_(mappings) {}

bool PairMeasurer::has_words() const {
  return !test_lexicon(work_.list, one_, other_).empty() || !test_lexicon(work_.list, other_, one_).empty();
}

std::vector<std::string> PairMeasurer::inputs() const {
  std::vector<std::string> paths;
  for (const auto& [source, target] : {LanguagePair(one_, other_), LanguagePair(other_, one_)})
    for (const LexiconChoice& choice :
         {test_lexicon(work_.list, source, target), selection_lexicon(work_.list, source, target)})
      for (std::string& path : choice.paths()) paths.push_back(std::move(path));
  return paths;
}

std::string PairMeasurer::key() const {
  HubWork::Parts parts = {{"work", "pair"},
                          {"one", work_.digest(work_.list.find(one_)->vectors)},
                          {"other", work_.digest(work_.list.find(other_)->vectors)},
                          {"max_words", std::to_string(work_.list.max_words)},
                          {"matrix_words", std::to_string(work_.matrix_words)}};
  for (const auto& [name, language] : {LanguagePair("one map", one_), LanguagePair("other map", other_)})
    if (const auto found = mappings_.find(language); found != mappings_.end()) parts[name] = found->second;
  work_.add(parts, "test", test_lexicon(work_.list, one_, other_));
  work_.add(parts, "test back", test_lexicon(work_.list, other_, one_));
  work_.add(parts, "selection", selection_lexicon(work_.list, one_, other_));
  work_.add(parts, "selection back", selection_lexicon(work_.list, other_, one_));
  return HubWork::key_of(std::move(parts));
}

std::optional<PairRecord> PairMeasurer::finished() const {
  const auto text = read_kept_file(work_.folder.pair_record(one_, other_, maps_));
  std::optional<PairRecord> record = text ? parse_pair_record(*text) : std::nullopt;
  return record && record->key == key() ? record : std::nullopt;
}

Mapping PairMeasurer::mapping(const std::string& source, const std::string& target) const {
  const std::string& pivot = work_.list.pivot;
  if (target == pivot) return work_.mapping(source, maps_);
  const Mapping second = work_.mapping(target, maps_);
  return source == pivot ? from_pivot(second) : between(work_.mapping(source, maps_), second);
}

DirectionRecord PairMeasurer::measure(const Tables& tables, const std::string& source,
                                      const std::string& target) const {
  const LexiconChoice test = test_lexicon(work_.list, source, target);
  DirectionRecord record;
  record.origin = test.origin();
  if (test.empty()) return record;
  try {
    const bool forward = source == one_;
    const CommonSpace space = CommonSpace::mapped(mapping(source, target), forward ? tables.one : tables.other,
                                                  forward ? tables.other : tables.one);
    const auto criterion = make_criterion("csls", space);
    const WordTranslation result = evaluate_word_translation(*criterion, space, gold_of(work_, test, space));
    record.words = result.all.words;
    record.covered = result.covered.words;
    std::ranges::copy(result.covered.precision, std::begin(record.precision));
    for (const FrequencyBand& band : by_frequency(result, kBounds))
      record.bands.push_back(
          {band.last == 0 ? space.size(Side::source) : band.last, band.covered.words, band.covered.precision[0]});
    const LexiconChoice selection = selection_lexicon(work_.list, source, target);
    const WordTranslation selected = evaluate_word_translation(*criterion, space, gold_of(work_, selection, space));
    record.selection = selected.covered.precision[0];
    record.selection_words = selected.covered.words;
    if (source == work_.list.pivot || target == work_.list.pivot)
      record.hubness = record_of(evaluate_hubness(*criterion, space, {.max_words = kHubnessQueries}),
                                 space.vocabulary(Side::target));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    record = {.origin = record.origin, .problem = error.what()};
  }
  return record;
}

PairRecord PairMeasurer::run() const {
  Tables tables{work_.tables.load(one_), work_.tables.load(other_)};
  if (work_.matrix_words > 0)
    for (WordVectors* table : {&tables.one, &tables.other})
      if (table->size() > work_.matrix_words) table->truncate(work_.matrix_words);
  PairRecord record{key(), measure(tables, one_, other_), measure(tables, other_, one_)};
  write_kept_file(work_.folder.pair_record(one_, other_, maps_), to_record(record));
  return record;
}

}  // namespace wordbridge
