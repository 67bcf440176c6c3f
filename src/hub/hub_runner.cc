#include "hub/hub_runner.h"

#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/result_cache.h"
#include "base/wording.h"
#include "hub/joint_learner.h"
#include "parallel/job_queue.h"
#include "parallel/thread_pool.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

using Clock = std::chrono::steady_clock;

// What a job holds, in sizes of its two tables: estimates from a few measured peaks (docs/many-languages.md).
constexpr double kAlignShare = 3.2, kMeasureShare = 2.3, kRerankShare = 5.4;
// Jobs have work for several threads; where they are not small, more of them at a time take memory and save no time.
constexpr std::uint64_t kSmallJobs = std::uint64_t{256} << 20;
constexpr std::size_t kThreadsOfJob = 4;

std::uint64_t share_of(double share, std::uint64_t bytes) {
  return static_cast<std::uint64_t>(share * static_cast<double>(bytes));
}

std::string seconds_text(Clock::time_point begin) {
  return fmt::format("{:.1f} s", std::chrono::duration<double>(Clock::now() - begin).count());
}

/// What became of a job that may fail without stopping the others.
struct Outcome {
  std::optional<AlignedRecord> record;
  std::string reason;
  Clock::time_point begin;
};

/// What an exception says of a language: all but a wrong call and the end of the work is its own affair.
template <class Work>
std::string reason_of_failure(const Work& work) {
  try {
    work();
    return {};
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    return error.what();
  } catch (const std::bad_alloc&) {
    return "out of memory";
  } catch (const std::system_error& error) {
    return "the system refused: " + system_reason(error.code().value());
  }
}

}  // namespace

HubRunner::HubRunner(LanguageList list, HubOptions options, HubObserver& observer)
    : HubRunner(std::move(list), std::move(options), observer, local_) {}

HubRunner::HubRunner(LanguageList list, HubOptions options, HubObserver& observer, Communicator& communicator)
    : list_(std::move(list)),
      options_(std::move(options)),
      observer_(observer),
      communicator_(communicator),
      folder_(options_.folder),
      tables_(folder_, list_, digests_, options_.lenient),
      work_{folder_, list_, tables_, digests_, team_, options_.lenient, options_.matrix_words, options_.rerank} {
  list_.check();
  refuse_own_inputs(list_, options_.folder);
  AlignmentPlans plans;
  for (const LanguageEntry& language : list_.languages)
    if (language.name != list_.pivot) aligners_.emplace_back(work_, language.name, plans);
}

std::uint64_t HubRunner::memory_for(const std::vector<Job>& jobs) const {
  if (options_.memory > 0) return options_.memory;
  std::uint64_t largest = 0;
  for (const Job& job : jobs) largest = std::max(largest, job.bytes);
  const std::size_t at_once =
      std::max<std::size_t>(1, static_cast<std::size_t>(ThreadPool::current().size()) / kThreadsOfJob);
  return std::min(memory(), std::max(kSmallJobs, at_once * largest));
}

std::uint64_t HubRunner::memory() const {
  if (options_.memory > 0) return options_.memory;
  struct sysinfo info {};
  if (::sysinfo(&info) != 0) return std::uint64_t{4} << 30;
  // What files occupy is given up where memory is wanted, but not all of it.
  return (std::uint64_t{info.freeram} + info.bufferram + std::uint64_t{info.totalram} / 4) * info.mem_unit;
}

void HubRunner::fail(const std::string& language, const std::string& reason) {
  if (failed_.emplace(language, reason).second) observer_.failed(language, reason);
}

/// Of the vectors, and of all that languages are learned from.
void HubRunner::find_digests() {
  const ResultCache cache(folder_.work(), false);
  const auto add = [&](const std::string& path) {
    if (!digests_.contains(path)) digests_[path] = cache.digest(path);
  };
  add(list_.find(list_.pivot)->vectors);
  Stage stage("checksums");
  std::size_t done = 0;
  for (const LanguageAligner& aligner : aligners_) {
    stage.update(done++, aligners_.size(), aligner.language());
    const std::string reason = reason_of_failure([&] {
      aligner.check();
      add(list_.find(aligner.language())->vectors);
      for (const std::string& path : aligner.inputs()) add(path);
    });
    if (!reason.empty()) fail(aligner.language(), reason);
  }
}

/// Of lexicons that only measure, one that cannot be read is told where it is wanted.
void HubRunner::find_lexicon_digests() {
  const ResultCache cache(folder_.work(), false);
  for (const auto& [pair, lexicons] : list_.lexicons)
    for (const std::string& path : {lexicons.train, lexicons.validation, lexicons.test})
      if (!path.empty() && !digests_.contains(path)) reason_of_failure([&] { digests_[path] = cache.digest(path); });
}

HubTasks HubRunner::open_tasks() {
  folder_.make();
  const ResultCache cache(folder_.work(), false);
  const auto add_known = [&](const std::string& path) {
    if (auto digest = cache.known_digest(path)) digests_[path] = std::move(*digest);
  };
  const std::string& pivot = list_.find(list_.pivot)->vectors;
  add_known(pivot);
  HubTasks tasks;
  for (const LanguageAligner& aligner : aligners_) {
    const std::string& vectors = list_.find(aligner.language())->vectors;
    const std::string reason = reason_of_failure([&] {
      aligner.check();
      add_known(vectors);
      for (const std::string& path : aligner.inputs()) digests_[path] = cache.digest(path);
      if (!digests_.contains(vectors) || !digests_.contains(pivot) ||
          !work_.finished(aligner.language(), HubMaps::star, aligner.key()))
        tasks.languages.push_back(aligner.language());
    });
    if (!reason.empty()) fail(aligner.language(), reason);
  }
  tasks.pivot = tasks.languages.size() > 1 && !tables_.find(list_.pivot);
  return tasks;
}

std::vector<const LanguageAligner*> HubRunner::open_languages() {
  std::vector<const LanguageAligner*> open;
  for (const LanguageAligner& aligner : aligners_) {
    if (failed_.contains(aligner.language())) continue;
    if (auto record = work_.finished(aligner.language(), HubMaps::star, aligner.key()))
      aligned_[HubMaps::star].emplace(aligner.language(), std::move(*record));
    else
      open.push_back(&aligner);
  }
  if (const std::size_t finished = aligned_[HubMaps::star].size(); finished > 0)
    observer_.note(fmt::format("{} finished before", counted(finished, "language")));
  return open;
}

void HubRunner::align_languages() {
  const std::vector<const LanguageAligner*> open = open_languages();
  if (!options_.align) {
    for (const LanguageAligner* aligner : open)
      fail(aligner->language(),
           work_.failure(aligner->language(), aligner->key()).value_or("it has not been aligned yet"));
    return;
  }
  if (team_->is_first() && !open.empty()) tables_.keep(list_.pivot);
  team_->wait_for_all();
  if (!open.empty()) align(open);
}

void HubRunner::align(const std::vector<const LanguageAligner*>& open) {
  const std::uint64_t pivot_bytes = tables_.bytes(list_.pivot);
  std::vector<Outcome> outcomes(open.size());
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < open.size(); ++i)
    jobs.push_back({share_of(kAlignShare, tables_.bytes(open[i]->language()) + pivot_bytes), [&, i] {
                      outcomes[i].begin = Clock::now();
                      outcomes[i].reason = reason_of_failure([&] { outcomes[i].record = open[i]->run(); });
                    }});
  Stage stage("languages");
  std::size_t done = 0;
  std::map<std::string, std::string> failures;
  stage.update(0, jobs.size());
  run_jobs(jobs,
           {.bytes = memory_for(jobs), .claim = [&](std::size_t job) { return team_->claim(open[job]->language()); }},
           [&](std::size_t job) {
             Outcome& outcome = outcomes[job];
             const std::string& language = open[job]->language();
             stage.update(++done, jobs.size(), language);
             if (outcome.record) {
               observer_.note(fmt::format("{}: aligned by {} ({})", language, outcome.record->method,
                                          seconds_text(outcome.begin)));
               return;
             }
             work_.remember_failure(language, open[job]->key(), outcome.reason);
             failures.emplace(language, outcome.reason);
           });
  for (const auto& [language, reason] : team_->share(failures)) fail(language, reason);
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::string& language = open[i]->language();
    if (failed_.contains(language)) continue;
    if (!outcomes[i].record) outcomes[i].record = work_.finished(language, HubMaps::star, open[i]->key());
    if (!outcomes[i].record) throw Error(fmt::format("{}: its mapping is gone from {}", language, folder_.path()));
    aligned_[HubMaps::star].emplace(language, std::move(*outcomes[i].record));
  }
}

bool HubRunner::learn_jointly() {
  std::vector<std::string> languages;
  std::map<std::string, std::string> checksums;
  for (const auto& [language, record] : aligned_[HubMaps::star]) {
    languages.push_back(language);
    checksums[language] = record.mapping;
  }
  if (languages.size() < 2) return false;
  const JointLearner learner(work_, languages, checksums);
  if (!learner.has_terms()) {
    observer_.note("there are no lexicons between languages beside the pivot: nothing to learn jointly");
    return false;
  }
  aligned_[HubMaps::joint] = learner.run(memory(), [&](const std::string& line) { observer_.note(line); });
  return true;
}

/// Pairs of which a lexicon cannot be read go to the scores as they are.
std::vector<HubRunner::MeasuredPair> HubRunner::pairs_to_measure(HubMaps maps,
                                                                 const std::map<std::string, std::string>& checksums,
                                                                 HubManifest::Scores& scores) const {
  std::vector<std::string> names = {list_.pivot};
  for (const auto& [language, checksum] : checksums) names.push_back(language);
  std::ranges::sort(names);
  std::vector<MeasuredPair> result;
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j) {
      if (!options_.matrix && names[i] != list_.pivot && names[j] != list_.pivot) continue;
      PairMeasurer measurer(work_, names[i], names[j], maps, checksums);
      if (!measurer.has_words()) continue;
      const std::vector<std::string> inputs = measurer.inputs();
      const auto missing =
          std::ranges::find_if(inputs, [&](const std::string& path) { return !digests_.contains(path); });
      if (missing == inputs.end()) {
        result.push_back({{names[i], names[j]}, std::move(measurer), {}});
        continue;
      }
      for (const LanguagePair& pair : {LanguagePair(names[i], names[j]), LanguagePair(names[j], names[i])})
        if (const LexiconChoice test = test_lexicon(list_, pair.first, pair.second); !test.empty())
          scores[pair] = {.origin = test.origin(), .problem = *missing + ": cannot be read"};
    }
  return result;
}

HubManifest::Scores HubRunner::measure_pairs(HubMaps maps) {
  const auto begin = Clock::now();
  std::map<std::string, std::string> checksums;
  for (const auto& [language, record] : aligned_[maps]) checksums[language] = record.mapping;
  HubManifest::Scores scores;
  std::vector<MeasuredPair> pairs = pairs_to_measure(maps, checksums, scores);
  std::vector<MeasuredPair*> open;
  std::vector<Job> jobs;
  for (MeasuredPair& pair : pairs) {
    pair.record = pair.measurer.finished();
    if (pair.record) continue;
    open.push_back(&pair);
    const auto& [one, other] = pair.languages;
    jobs.push_back({share_of(options_.rerank ? kRerankShare : kMeasureShare, tables_.bytes(one) + tables_.bytes(other)),
                    [&pair] { pair.record = pair.measurer.run(); }});
  }
  team_->wait_for_all();
  Stage stage("pairs of languages");
  std::size_t done = 0;
  stage.update(0, jobs.size());
  const auto claim = [&](std::size_t job) {
    const auto& [one, other] = open[job]->languages;
    return team_->claim(fmt::format("{}+{}.{}", one, other, name_of(maps)));
  };
  run_jobs(jobs, {.bytes = memory_for(jobs), .claim = claim}, [&](std::size_t) { stage.update(++done, jobs.size()); });
  team_->wait_for_all();
  if (!open.empty())
    observer_.note(
        fmt::format("{} measured, {} ({})", counted(open.size(), "pair"), name_of(maps), seconds_text(begin)));
  for (MeasuredPair& pair : pairs) {
    const auto& [one, other] = pair.languages;
    if (!pair.record) pair.record = pair.measurer.finished();  // by another process
    if (!pair.record)
      throw Error(fmt::format("what was measured of {} and {} is gone from {}", one, other, folder_.path()));
    if (!pair.record->forward.origin.empty()) scores.emplace(pair.languages, std::move(pair.record->forward));
    if (!pair.record->backward.origin.empty())
      scores.emplace(LanguagePair(other, one), std::move(pair.record->backward));
  }
  return scores;
}

HubManifest HubRunner::manifest() {
  HubManifest manifest;
  manifest.version = version();
  manifest.pivot = list_.pivot;
  manifest.normalization = list_.options_of(*list_.find(list_.pivot)).normalization;
  manifest.seed = Context::current().seed();
  manifest.max_words = list_.max_words;
  manifest.failed = failed_;
  return manifest;
}

void HubRunner::add_languages(HubManifest& manifest) {
  for (const LanguageEntry& language : list_.languages) {
    const bool is_pivot = language.name == list_.pivot;
    const auto record = aligned_[manifest.recommended].find(language.name);
    if (!is_pivot && record == aligned_[manifest.recommended].end()) continue;
    tables_.keep(language.name);  // it may be gone since
    const auto table = tables_.find(language.name);
    if (!table) continue;
    HubManifest::Language& entry = manifest.languages.emplace_back();
    entry.name = language.name;
    entry.vectors = language.vectors;
    entry.table = table->path;
    entry.words = table->words;
    entry.dimension = table->dimension;
    entry.checksum = table->checksum;
    if (is_pivot) continue;
    entry.mapping = HubFolder::mapping_name(language.name, manifest.recommended);
    entry.mapping_checksum = record->second.mapping;
    entry.method = record->second.method;
    entry.lexicon = record->second.lexicon;
    entry.warnings = record->second.warnings;
  }
}

void HubRunner::start() {
  folder_.make();
  team_.emplace(folder_, communicator_);
  // The first process reads the files to know their checksums; the others find them kept.
  if (team_->is_first()) find_digests();
  team_->wait_for_all();
  if (!team_->is_first()) find_digests();
}

std::map<std::string, std::string> HubRunner::align_only(const std::vector<std::string>& languages) {
  for (const std::string& language : languages)
    if (list_.find(language) == nullptr)
      throw UsageError(fmt::format("there is no language '{}' in the list", language));
  const auto wanted = [&](const std::string& name) { return std::ranges::find(languages, name) != languages.end(); };
  std::vector<LanguageAligner> chosen;
  for (LanguageAligner& aligner : aligners_)
    if (wanted(aligner.language())) chosen.push_back(std::move(aligner));
  aligners_.swap(chosen);
  start();
  if (team_->is_first() && wanted(list_.pivot)) tables_.keep(list_.pivot);
  align_languages();
  team_.reset();
  return failed_;
}

HubManifest HubRunner::run() {
  start();
  find_lexicon_digests();
  align_languages();
  HubManifest result = manifest();
  result.scores[HubMaps::star] = measure_pairs(HubMaps::star);
  if (list_.joint && learn_jointly()) {
    result.scores[HubMaps::joint] = measure_pairs(HubMaps::joint);
    result.comparison = compare_maps(result);
    if (result.comparison->joint > result.comparison->star) result.recommended = HubMaps::joint;
  }
  if (team_->is_first()) {
    add_languages(result);
    write_kept_file(folder_.manifest(), to_json(result));
  }
  team_->wait_for_all();
  if (!team_->is_first()) add_languages(result);
  team_.reset();
  return result;
}

}  // namespace wordbridge
