#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>

#include "base/atomic_file.h"
#include "cli/commands/command.h"
#include "cli/download/downloads.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/report/align_report.h"
#include "cli/report/experiment_report.h"
#include "cli/report/experiment_tables.h"
#include "cli/session.h"
#include "experiments/experiment_runner.h"
#include "experiments/needed_files.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

namespace fs = std::filesystem;

/// Tells people how it goes.
class Notes final : public ExperimentObserver {
 public:
  explicit Notes(Session& session) : session_(session) {}

  void read_vectors(const ReadSummary& summary, double seconds) override {
    session_.note(fmt::format("{} ({})", summary.to_line(), duration_text(seconds)));
  }
  void found_lexicon(const std::string& name, const LexiconCoverage& coverage) override {
    session_.note(fmt::format("{}: {}", name, coverage.to_line()));
  }
  void made_mapping(const Mapping& mapping, const std::string& path, double learning, double seconds) override {
    for (const std::string& line : report_lines(mapping.provenance.report, true)) session_.note(line);
    session_.note(fmt::format("{} ({})", fit_line(mapping), duration_text(learning)));
    session_.note(fmt::format("{} written ({} in all)", path, duration_text(seconds)));
  }
  void warned(const std::string& warning) override { session_.warn(warning); }
  void measured(const Experiment& experiment, const std::string& row, const std::string& column,
                double value) override {
    session_.note(fmt::format("{}: {}, {}: {:.{}f}", experiment.name, row, column, value, experiment.decimals));
  }

 private:
  Session& session_;
};

/// The tables and figures of the paper, measured again.
class ReproduceCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.list("experiments", paths_, 1, Arguments::kMostFiles, "experiments...",
                   "Files that define experiments (.json), or folders of them");
    arguments.heading("Data");
    arguments.text("--data", data_, "FOLDER", "Where the vectors, lexicons and test sets are, in any folder below it",
                   Arguments::Need::required);
    arguments.flag("--sample", sample_, "The small version of the experiments, for data/sample");
    arguments.text("--cache", cache_, "FOLDER",
                   "Where results are kept, so that a run goes on where one stopped (default: wordbridge-cache)");
    arguments.flag("--fresh", fresh_, "Do all work again, whatever is kept");
    format_.declare(arguments);
    arguments.text("--report", report_, "FILE", "Write a report with figures, too: one HTML file");
    arguments.flag("--download", download_, "Fetch what is published and not there yet into the folder of data first");
    downloads_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    const std::vector<std::string> files = find_experiments(paths_);
    std::vector<Experiment> experiments;
    experiments.reserve(files.size());
    for (const std::string& file : files) experiments.push_back(read_experiment(file, sample_));
    std::ranges::stable_sort(experiments, {}, &Experiment::order);
    if (download_) {
      if (sample_) throw UsageError("--download is for the published files, not for --sample");
      downloads_.fetch(session, data_, needed_files(files), false);
    }
    DataFiles data(data_);
    for (const std::string& file : files)
      if (const fs::path sources = fs::path(file).parent_path() / kSourcesFile; fs::exists(sources))
        data.read_sources(sources.string());
    ResultCache cache(cache_, fresh_);
    std::optional<AtomicFile> report;
    if (!report_.empty()) report.emplace(report_);

    Notes notes(session);
    ExperimentRunner runner(data, cache, {.hubness = !report_.empty(), .observer = &notes});
    std::vector<ExperimentResult> results;
    for (const Experiment& experiment : experiments) {
      const Stopwatch stopwatch;
      results.push_back(runner.run(experiment));
      session.note(fmt::format("{}: {} of {} measurements ({})", experiment.name, results.back().measured(),
                               results.back().wanted(), stopwatch.to_text()));
      if (!format_.json()) print(session, (results.size() > 1 ? "\n" : "") + rendered(results.back()));
    }
    if (report) {
      report->write(report_page(results, {paths_, data_, sample_, session.options().seed}));
      report->commit();
      session.note(fmt::format("{} written", report_));
    }
    if (format_.json()) print(session, json_of(results));
    if (unprinted_) std::rethrow_exception(unprinted_);
    const bool nothing = std::ranges::all_of(results, [](const ExperimentResult& r) { return r.measured() == 0; });
    if (nothing) throw Error("nothing could be measured; what is missing stands above");
    return ExitCode::success;
  }

 private:
  std::string rendered(const ExperimentResult& result) const {
    if (format_.csv()) return format_.to_csv(to_long_table(result));
    return format_.title(result.experiment.title) + format_.render(to_table(result), notes_of(result));
  }

  static std::string json_of(const std::vector<ExperimentResult>& results) {
    std::string text;
    for (const ExperimentResult& result : results) text += (text.empty() ? "" : ",\n") + to_json(result);
    return "[" + text + "]\n";
  }

  /// Where nobody reads any more, the report is written all the same; then it is an error.
  void print(Session& session, const std::string& text) {
    if (unprinted_) return;
    try {
      session.print(text);
      session.flush();
    } catch (const Error&) {
      if (report_.empty()) throw;
      unprinted_ = std::current_exception();
    }
  }

  std::vector<std::string> paths_;
  std::string data_, cache_ = "wordbridge-cache", report_;
  bool sample_ = false, fresh_ = false, download_ = false;
  Downloads downloads_;
  std::exception_ptr unprinted_;  // why results could not be printed
  TableFormat format_;
};

}  // namespace

CommandEntry reproduce_command() {
  return {"reproduce", "Measure the tables and figures of the paper again",
          "  wordbridge reproduce experiments/muse.json --data DATA\n"
          "  wordbridge reproduce experiments --data DATA --report paper.html\n"
          "  wordbridge reproduce experiments --data data/sample --sample --markdown\n"
          "  wordbridge reproduce experiments/muse.json --data DATA --download   # from nothing to the table",
          make_command<ReproduceCommand>};
}

}  // namespace wordbridge::cli
