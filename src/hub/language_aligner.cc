#include "hub/language_aligner.h"

#include <fmt/format.h>

#include <utility>

#include "lexicon/lexicon_reader.h"
#include "wordbridge/error.h"

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

}  // namespace wordbridge
