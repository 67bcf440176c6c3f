#include "align/restarts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>
#include <vector>

#include "align/unsupervised/unsupervised_criterion.h"
#include "base/json.h"
#include "base/random.h"
#include "lexicon/lexicon_reader.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr int kRefinementRounds = 5;

std::string log_line(const RestartReport::Try& one) {
  Json line = {{"restart", one.restart},
               {"score", one.score},
               {"refined", one.refined},
               {"agreement", one.agreement},
               {"evidence", one.evidence}};
  if (one.validation) line["validation"] = *one.validation;
  return line.dump();
}

/// One solve(): the tries so far and the best of them.
class Restarts {
 public:
  Restarts(const AlignmentProblem& problem, const RestartOptions& options, const Aligner& example, const Aligner& whole)
      : problem_(problem),
        options_(options),
        criterion_(problem.source.table(), problem.target.table(), options.words),
        session_(options.session, whole, problem),
        name_(example.name()) {
    restarts_.criterion = criterion_.name();
    if (options.validation)
      validation_.emplace(problem.source.table(), problem.target.table(),
                          find_pairs(*options.validation, problem.source.vocabulary(), problem.target.vocabulary()),
                          10);
    if (session_.resumed()) restore(*session_.resumed());
  }

  AlignmentResult run(const RestartedAligner::Make& make) {
    while (static_cast<int>(restarts_.tries.size()) < options_.restarts && !found()) attempt(make);
    if (!found()) throw Error(failure());
    best_.metrics["criterion"] = chosen().refined;
    best_.metrics["evidence"] = chosen().evidence;
    best_.report.restarts = restarts_;
    return std::move(best_);
  }

 private:
  const RestartReport::Try& chosen() const { return restarts_.tries[restarts_.chosen]; }
  bool found() const { return !restarts_.tries.empty() && chosen().evidence >= options_.min_evidence; }

  void attempt(const RestartedAligner::Make& make) {
    const int restart = static_cast<int>(restarts_.tries.size());
    AlignmentProblem problem = problem_;
    problem.seed = stream_seed(problem_.seed, static_cast<std::uint64_t>(restart));
    AlignmentResult result = make(session_.part(fmt::format("restart-{}", restart + 1)))->solve(problem);
    const MatrixD w = to_double(result.source_map);
    if (restarts_.tries.empty()) {
      Stage stage("what chance can do");
      stage.update(0, 0);
      restarts_.chance = criterion_.chance_agreement(kRefinementRounds, problem_.seed);
    }
    const MatrixD better = criterion_.refined(w, kRefinementRounds);
    const double refined = criterion_.score(better), agreement = criterion_.held_out_agreement(better);
    restarts_.tries.push_back(
        {restart + 1, criterion_.score(w), refined, agreement, evidence(agreement, restarts_.chance)});
    if (validation_) restarts_.tries.back().validation = validation_->score(w);
    session_.log(log_line(restarts_.tries.back()));
    if (restarts_.tries.size() == 1 || refined > chosen().refined) {
      restarts_.chosen = restarts_.tries.size() - 1;
      best_ = std::move(result);
    }
    save(static_cast<int>(restarts_.tries.size()) == options_.restarts || found());
  }

  std::string failure() const {
    std::vector<std::string> tries;
    for (const RestartReport::Try& one : restarts_.tries)
      tries.push_back(fmt::format("{:.3f} ({:.0f}%)", one.refined, 100 * one.agreement));
    return fmt::format(
        "{} found no alignment: {}, and how much of one half of the pairs the other half predicts, by start: {}; "
        "chance predicts {:.0f}%; more restarts, another seed or another method may help",
        name_, criterion_.name(), fmt::join(tries, ", "), 100 * restarts_.chance);
  }

  void save(bool finished) const {
    CheckpointState state{.finished = finished,
                          .json = Json{{"restarts", Json::parse(to_json({.restarts = restarts_}))},
                                       {"details", Json::parse(to_json(best_.report))},
                                       {"metrics", best_.metrics}}
                                      .dump(),
                          .matrices = {to_double(best_.source_map)}};
    session_.save(std::move(state));
  }

  void restore(const CheckpointState& state) {
    const Json saved = Json::parse(state.json);
    restarts_ = parse_report(saved.at("restarts").dump()).restarts.value();
    best_.source_map = to_float(state.matrices.at(0));
    best_.report = parse_report(saved.at("details").dump());
    best_.metrics = saved.at("metrics").get<std::map<std::string, double>>();
  }

  const AlignmentProblem& problem_;
  const RestartOptions& options_;
  UnsupervisedCriterion criterion_;
  std::optional<ValidationScore> validation_;
  TrainingSession session_;
  std::string name_;
  RestartReport restarts_;
  AlignmentResult best_;
};

}  // namespace

void check(const RestartOptions& options) {
  if (options.restarts < 1) throw UsageError("restarts must be 1 or more");
  if (!(options.min_evidence <= 1)) throw UsageError("the least evidence is at most 1");
  if (options.words == 0) throw UsageError("the criterion needs one word at least");
}

RestartedAligner::RestartedAligner(Make make, RestartOptions options)
    : make_(std::move(make)), options_(std::move(options)) {
  check(options_);
  example_ = make_({});
}

const OptionList<RestartOptions>& restart_options() {
  static const OptionList<RestartOptions> kList = [] {
    OptionList<RestartOptions> list;
    list.add("restarts", &RestartOptions::restarts,
             "Tries at most, with one seed after the other, until one is evidently right")
        .range(1, 1'000'000);
    list.add("min-evidence", &RestartOptions::min_evidence,
             "Fail where one half of the pairs found predicts the other by less than this share of the way from chance "
             "to certainty; -1: never")
        .at_most(1);
    return list;
  }();
  return kList;
}

std::map<std::string, std::string> RestartedAligner::options() const {
  auto all = example_->options();
  all.merge(restart_options().describe(options_));
  return all;
}

AlignmentResult RestartedAligner::solve(const AlignmentProblem& problem) const {
  if (problem.source.table().empty() || problem.target.table().empty())
    throw UsageError("without words on both sides there is nothing to align");
  return Restarts(problem, options_, *example_, *this).run(make_);
}

}  // namespace wordbridge
