#include "hub/hub_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "evaluation/word_groups.h"
#include "hub/hub_mapping.h"
#include "hub/pair_reranker.h"
#include "lexicon/lexicon_reader.h"
#include "mapping/mapping_format.h"
#include "retrieval/rerank/reranked.h"
#include "space/common_space_state.h"
#include "space/csls_statistics.h"
#include "wordbridge/common_space.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"
#include "wordbridge/hubness.h"
#include "wordbridge/word_translation.h"

namespace wordbridge {

namespace {

std::shared_ptr<const AlignmentPlan> plan_of(const std::string& language, const AlignOptions& options,
                                             AlignmentPlans& plans) {
  std::string key = fmt::format("{}\n{}\n", options.method, options.normalization);
  for (const auto& [name, value] : options.options) key += fmt::format("{} {}\n", name, value.text());
  std::shared_ptr<const AlignmentPlan>& plan = plans[key];
  if (plan != nullptr) return plan;
  const AlignOptionList known = all_align_options();
  for (const auto& [name, value] : options.options)
    if (const auto* option = known.find(name); option != nullptr && option->info().writes)
      throw UsageError(
          fmt::format("{}: --{} has to do with files that are written, which a hub does itself", language, name));
  try {
    plan = std::make_shared<const AlignmentPlan>(options);
    return plan;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", language, error.what()));
  }
}

}  // namespace

LanguageAligner::LanguageAligner(const HubWork& work, const std::string& language, AlignmentPlans& plans)
    : work_(work),
      language_(language),
      options_(work.list.options_of(*work.list.find(language))),
      plan_(plan_of(language, options_, plans)) {
  if (plan_->method().needs_lexicon) lexicon_ = train_lexicon(work.list, language, work.list.pivot);
}

std::vector<std::string> LanguageAligner::inputs() const {
  std::vector<std::string> paths = lexicon_.paths();
  paths.insert(paths.end(), plan_->inputs().begin(), plan_->inputs().end());
  return paths;
}

void LanguageAligner::check() const {
  if (plan_->method().needs_lexicon && lexicon_.empty())
    throw Error(fmt::format("there is no train lexicon {0}-{1} or {1}-{0}", language_, work_.list.pivot));
}

std::string LanguageAligner::key() const {
  HubWork::Parts parts = {{"work", "align"},
                          {"source", work_.digest(work_.list.find(language_)->vectors)},
                          {"target", work_.digest(work_.list.find(work_.list.pivot)->vectors)},
                          {"max_words", std::to_string(work_.list.max_words)},
                          {"method", options_.method},
                          {"normalization", options_.normalization}};
  for (const auto& [name, value] : options_.options) parts["option " + name] = value.text();
  for (const std::string& path : plan_->inputs()) parts["file " + path] = work_.digest(path);
  work_.add(parts, "lexicon", lexicon_);
  return HubWork::key_of(std::move(parts));
}

AlignedRecord LanguageAligner::run() const {
  const std::string& pivot = work_.list.pivot;
  WordVectors source = work_.tables.load(language_), target = work_.tables.load(pivot);
  Lexicon lexicon;
  if (!lexicon_.empty())
    lexicon = find_pairs(read_pairs(lexicon_, work_.lenient), source.vocabulary(), target.vocabulary());
  PreparedProblem problem = plan_->prepare(std::move(source), std::move(target), lexicon,
                                           {.max_words = work_.list.max_words,
                                            .lexicon = lexicon_.empty() ? "" : lexicon_.files.front().path,
                                            .source = work_.list.find(language_)->vectors,
                                            .target = work_.list.find(pivot)->vectors});
  const std::vector<std::string> warnings = plan_->warnings(problem);
  Mapping mapping = plan_->run(std::move(problem));
  mapping.provenance.report.add_warnings(warnings);
  if (const std::string name = mapping.normalizer(Side::target).name(); name != options_.normalization)
    throw Error(
        fmt::format("its map is learned after '{}', those of the hub after '{}'", name, options_.normalization));
  return work_.finish(language_, HubMaps::star, key(), mapping);
}

namespace {

constexpr std::array<std::size_t, 5> kBounds = {500, 2'000, 10'000, 50'000, 200'000};
constexpr std::size_t kHubnessQueries = 5'000;
// What a word costs that is translated lazily, in searches; the statistics of all words cost one search a word.
constexpr std::size_t kLazyCost = 45;

/// The same words and rows.
CommonSpace with_reranker(const CommonSpace& space, std::shared_ptr<const RerankModel> model) {
  const CommonSpace::State& state = space.state();
  return CommonSpace(std::make_shared<const CommonSpace::State>(state.words(Side::source), state.words(Side::target),
                                                                "rerank", std::move(model)));
}

GoldLexicon gold_of(const HubWork& work, const LexiconChoice& choice, const CommonSpace& space, Side asking) {
  // The words were not made for these vocabularies where they are joined: whatever is covered counts.
  return GoldLexicon(read_pairs(choice, work.lenient), space.vocabulary(asking), space.vocabulary(other(asking)),
                     CasePolicy::exact, LexiconChecks::none);
}

}  // namespace

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
  parts["rerank"] = work_.rerank ? "yes" : "no";
  if (work_.rerank) {
    // One that cannot be read is not learned from.
    for (const auto& [source, target] : {LanguagePair(one_, other_), LanguagePair(other_, one_)})
      for (const std::string& path : train_lexicon_or_joined(work_.list, source, target).paths())
        if (const auto digest = work_.digests.find(path); digest != work_.digests.end())
          parts[fmt::format("train {}-{} {}", source, target, path)] = digest->second;
  }
  return HubWork::key_of(std::move(parts));
}

std::optional<PairRecord> PairMeasurer::finished() const {
  const auto text = read_kept_file(work_.folder.pair_record(one_, other_, maps_));
  std::optional<PairRecord> record = text ? parse_pair_record(*text) : std::nullopt;
  if (!record || record->key != key() || !is_there(record->forward) || !is_there(record->backward)) return std::nullopt;
  return record;
}

bool PairMeasurer::is_there(const DirectionRecord& record) const {
  if (!record.is_reranked()) return true;
  const auto bytes = read_kept_file(work_.folder.resolve(record.mapping), kMostMappingBytes);
  return bytes && sha256_of(*bytes) == record.mapping_checksum;
}

void PairMeasurer::rerank(const std::string& source, const std::string& target, const CommonSpace& space,
                          DirectionRecord& record) const {
  if (!record.measured()) return;
  try {
    const PairReranker reranker =
        maps_ == HubMaps::star ? learn_reranker(work_, source, target, space) : reranker_of_star(work_, source, target);
    if (!reranker.model) return;
    const CommonSpace ranked = with_reranker(space, reranker.model);
    const WordTranslation result = evaluate_word_translation(
        Reranked(ranked), ranked, gold_of(work_, test_lexicon(work_.list, source, target), ranked, Side::source));
    Mapping mapping = this->mapping(source, target);
    mapping.reranker = reranker.model;
    if (reranker.lexicon) mapping.lexicon = reranker.lexicon;
    mapping.provenance.options["reranker"] = reranker.weights;
    const std::string bytes = mapping_bytes(mapping);
    record.mapping = HubFolder::pair_mapping_name(source, target, maps_);
    write_kept_file(work_.folder.resolve(record.mapping), bytes);
    record.mapping_checksum = sha256_of(bytes);
    record.reranker = reranker.weights;
    std::ranges::copy(result.covered.precision, std::begin(record.reranked));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    record.reranker = fmt::format("none: {}", error.what());  // what CSLS says stays
  }
}

Mapping PairMeasurer::mapping(const std::string& source, const std::string& target) const {
  const std::string& pivot = work_.list.pivot;
  if (target == pivot) return work_.mapping(source, maps_);
  const Mapping second = work_.mapping(target, maps_);
  return source == pivot ? from_pivot(second) : between(work_.mapping(source, maps_), second);
}

CommonSpace PairMeasurer::space(const std::string& source, const std::string& target) const {
  const auto load = [&](const std::string& language) {
    WordVectors table = work_.tables.load(language);
    if (work_.matrix_words > 0 && table.size() > work_.matrix_words) table.truncate(work_.matrix_words);
    return table;
  };
  // Mapped in their own place, so that there is one copy of each.
  return CommonSpace(mapping(source, target), load(source), load(target));
}

bool PairMeasurer::is_one_space() const {
  return std::ranges::none_of(std::array{one_, other_}, [&](const std::string& language) {
    return language != work_.list.pivot && work_.mapping(language, maps_).target_map();
  });
}

bool PairMeasurer::asks_much(const CommonSpace& space) const {
  if (one_ == work_.list.pivot || other_ == work_.list.pivot) return true;  // for hubness
  std::size_t asked = 0;
  for (const auto& [source, target] : {LanguagePair(one_, other_), LanguagePair(other_, one_)})
    for (const LexiconChoice& choice :
         {test_lexicon(work_.list, source, target), selection_lexicon(work_.list, source, target)})
      try {
        if (!choice.empty())
          asked += gold_of(work_, choice, space, source == one_ ? Side::source : Side::target).size();
      } catch (const InputError&) {
        // It is told where it is measured.
      }
  return kLazyCost * asked > space.size(Side::source) + space.size(Side::target);
}

DirectionRecord PairMeasurer::measure(const std::string& source, const std::string& target, Side asking,
                                      const std::function<CommonSpace()>& make_space) const {
  const LexiconChoice test = test_lexicon(work_.list, source, target);
  DirectionRecord record;
  record.origin = test.origin();
  if (test.empty()) return record;
  try {
    const CommonSpace space = make_space();
    const auto criterion = make_criterion("csls", space, {}, asking);
    const auto translate = [&](const LexiconChoice& choice) {
      return evaluate_word_translation(*criterion, space, gold_of(work_, choice, space, asking), asking);
    };
    const WordTranslation result = translate(test);
    record.words = result.all.words;
    record.covered = result.covered.words;
    std::ranges::copy(result.covered.precision, std::begin(record.precision));
    for (const FrequencyBand& band : by_frequency(result, kBounds))
      record.bands.push_back(
          {band.last == 0 ? space.size(asking) : band.last, band.covered.words, band.covered.precision[0]});
    const WordTranslation selected = translate(selection_lexicon(work_.list, source, target));
    record.selection = selected.covered.precision[0];
    record.selection_words = selected.covered.words;
    if (source == work_.list.pivot || target == work_.list.pivot)
      record.hubness = record_of(evaluate_hubness(*criterion, space, {.max_words = kHubnessQueries}, asking),
                                 space.vocabulary(other(asking)));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    record = {.origin = record.origin, .problem = error.what()};
  }
  return record;
}

PairRecord PairMeasurer::run() const {
  PairRecord record{key(), {}, {}};
  if (is_one_space()) {
    // What both directions need is made once.
    CommonSpace shared = space(one_, other_);
    if (asks_much(shared)) shared.state().csls(CriterionOptions().neighbors).learn_both();
    record.forward = measure(one_, other_, Side::source, [&] { return shared; });
    record.backward = measure(other_, one_, Side::target, [&] { return shared; });
    if (work_.rerank) rerank(one_, other_, std::move(shared), record.forward);
  } else {
    record.forward = measure(one_, other_, Side::source, [&] { return space(one_, other_); });
    record.backward = measure(other_, one_, Side::source, [&] { return space(other_, one_); });
    if (work_.rerank && record.forward.measured()) rerank(one_, other_, space(one_, other_), record.forward);
  }
  // What ranks anew looks from one side.
  if (work_.rerank && record.backward.measured()) rerank(other_, one_, space(other_, one_), record.backward);
  write_kept_file(work_.folder.pair_record(one_, other_, maps_), to_record(record));
  return record;
}

}  // namespace wordbridge
