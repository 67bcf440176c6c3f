#include "wordbridge/aligners/restarts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "wordbridge/aligners/unsupervised_criterion.h"
#include "wordbridge/base/error.h"
#include "wordbridge/base/random.h"
#include "wordbridge/lexicon/lexicon_reader.h"
#include "wordbridge/parallel/context.h"

namespace wordbridge {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kRefinementRounds = 5;

/// One solve(): the tries so far and the best of them.
class Restarts {
 public:
  Restarts(const AlignmentProblem& problem, const RestartOptions& options, const Aligner& example, const Aligner& whole)
      : problem_(problem),
        options_(options),
        criterion_(problem.source.table(), problem.target.table(), options.words),
        journal_(options.journal, options.journal.checkpoint.empty() ? Checkpoint::Fingerprint{}
                                                                     : fingerprint_of(whole, options.seed, problem)),
        name_(example.name()) {
    if (options.validation)
      validation_.emplace(problem.source.table(), problem.target.table(),
                          find_pairs(*options.validation, problem.source.vocabulary(), problem.target.vocabulary()),
                          10);
    if (journal_.resumed()) restore(*journal_.resumed());
  }

  AlignmentResult run(const RestartedAligner::Make& make) {
    while (static_cast<int>(rows_.size()) < options_.restarts && !found()) attempt(make);
    if (!found()) throw Error(failure());
    best_.metrics["criterion"] = rows_[chosen_].at("refined").get<double>();
    best_.metrics["evidence"] = rows_[chosen_].at("evidence").get<double>();
    Json details = Json::parse(best_.details);
    details["criterion"] = criterion_.name();
    details["chance"] = *chance_;
    details["restarts"] = rows_;
    details["chosen_restart"] = chosen_;
    best_.details = details.dump();
    return std::move(best_);
  }

 private:
  bool found() const { return !rows_.empty() && rows_[chosen_].at("evidence").get<double>() >= options_.min_evidence; }

  void attempt(const RestartedAligner::Make& make) {
    const int restart = static_cast<int>(rows_.size());
    JournalOptions journal = options_.journal;
    if (!journal.checkpoint.empty())
      journal.checkpoint =
          (std::filesystem::path(journal.checkpoint) / fmt::format("restart-{}", restart + 1)).string();
    AlignmentResult result =
        make(stream_seed(options_.seed, static_cast<std::uint64_t>(restart)), journal)->solve(problem_);
    const MatrixD w = to_double(result.source_map);
    if (!chance_) {
      Stage stage("what chance can do");
      stage.update(0, 0);
      chance_ = criterion_.chance_agreement(kRefinementRounds, options_.seed);
    }
    const MatrixD better = criterion_.refined(w, kRefinementRounds);
    const double refined = criterion_.score(better), agreement = criterion_.held_out_agreement(better);
    Json row = {{"restart", restart + 1},
                {"score", criterion_.score(w)},
                {"refined", refined},
                {"agreement", agreement},
                {"evidence", evidence(agreement, *chance_)}};
    if (validation_) row["validation"] = validation_->score(w);
    journal_.log(row.dump());
    rows_.push_back(std::move(row));
    if (rows_.size() == 1 || refined > rows_[chosen_].at("refined").get<double>()) {
      chosen_ = rows_.size() - 1;
      best_ = std::move(result);
    }
    save(static_cast<int>(rows_.size()) == options_.restarts || found());
  }

  std::string failure() const {
    std::vector<std::string> tries;
    for (const Json& row : rows_)
      tries.push_back(
          fmt::format("{:.3f} ({:.0f}%)", row.at("refined").get<double>(), 100 * row.at("agreement").get<double>()));
    return fmt::format(
        "{} found no alignment: {}, and how much of one half of the pairs the other half predicts, by start: {}; "
        "chance "
        "predicts {:.0f}%; more --restarts, another --seed or another method may help",
        name_, criterion_.name(), fmt::join(tries, ", "), 100 * *chance_);
  }

  void save(bool finished) const {
    CheckpointState state{.finished = finished,
                          .json = Json{{"rows", rows_},
                                       {"chosen", chosen_},
                                       {"details", Json::parse(best_.details)},
                                       {"metrics", best_.metrics}}
                                      .dump(),
                          .matrices = {}};
    if (!rows_.empty()) {
      MatrixD chance(1, 1);
      chance(0, 0) = *chance_;
      state.matrices = {to_double(best_.source_map), chance};
    }
    journal_.save(std::move(state));
  }

  void restore(const CheckpointState& state) {
    const Json saved = Json::parse(state.json);
    rows_ = saved.at("rows").get<std::vector<Json>>();
    chosen_ = saved.at("chosen");
    if (rows_.empty()) return;
    best_.source_map = to_float(state.matrices.at(0));
    chance_ = state.matrices.at(1)(0, 0);
    best_.details = saved.at("details").dump();
    best_.metrics = saved.at("metrics").get<std::map<std::string, double>>();
  }

  const AlignmentProblem& problem_;
  const RestartOptions& options_;
  UnsupervisedCriterion criterion_;
  std::optional<ValidationScore> validation_;
  Journal journal_;
  std::string name_;
  std::optional<double> chance_;  // known after the first try
  std::vector<Json> rows_;
  std::size_t chosen_ = 0;
  AlignmentResult best_;
};

}  // namespace

void check(const RestartOptions& options) {
  if (options.restarts < 1) throw UsageError("one try at least is needed: --restarts 1");
  if (!(options.min_evidence <= 1)) throw UsageError("the least evidence is at most 1");
  if (options.words == 0) throw UsageError("the criterion needs one word at least");
}

RestartedAligner::RestartedAligner(Make make, RestartOptions options)
    : make_(std::move(make)), options_(std::move(options)) {
  check(options_);
  example_ = make_(options_.seed, {});
}

std::map<std::string, std::string> RestartedAligner::options() const {
  auto all = example_->options();
  all["restarts"] = std::to_string(options_.restarts);
  all["min_evidence"] = fmt::format("{}", options_.min_evidence);
  return all;
}

AlignmentResult RestartedAligner::solve(const AlignmentProblem& problem) const {
  if (problem.source.table().empty() || problem.target.table().empty())
    throw UsageError("without words on both sides there is nothing to align");
  return Restarts(problem, options_, *example_, *this).run(make_);
}

}  // namespace wordbridge
