#include "experiments.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "cli/report/experiment_report.h"
#include "cli/report/experiment_tables.h"
#include "experiments/experiment_runner.h"
#include "run.h"
#include "text.h"
#include "wordbridge/context.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

/// Warnings go where those of all work go.
class Warnings final : public ExperimentObserver {
 public:
  void warned(const std::string& warning) override { Context::current().progress().warn(warning); }
};

/// JSON and text of each experiment, and the HTML of all.
std::pair<std::vector<std::pair<Text, Text>>, Text> run_experiments(const Run& run, const std::vector<Path>& paths,
                                                                    const Path& data, bool sample,
                                                                    const Path& cache_folder, bool fresh,
                                                                    const std::optional<Path>& report) {
  return run([&] {
    std::vector<std::string> given;
    for (const Path& path : paths) given.push_back(path.bytes);
    std::vector<Experiment> experiments;
    DataFiles files(data.bytes);
    for (const std::string& file : find_experiments(given)) {
      experiments.push_back(read_experiment(file, sample));
      if (const auto sources = std::filesystem::path(file).parent_path() / kSourcesFile;
          std::filesystem::exists(sources))
        files.read_sources(sources.string());
    }
    std::ranges::stable_sort(experiments, {}, &Experiment::order);
    ResultCache cache(cache_folder.bytes, fresh);
    std::optional<AtomicFile> page;
    if (report) page.emplace(report->bytes);
    Warnings warnings;
    ExperimentRunner runner(files, cache, {.hubness = report.has_value(), .observer = &warnings});
    std::vector<ExperimentResult> results;
    std::vector<std::pair<Text, Text>> texts;
    for (const Experiment& experiment : experiments) {
      results.push_back(runner.run(experiment));
      texts.emplace_back(Text{to_json(results.back())},
                         Text{to_table(results.back()).to_text() + notes_of(results.back())});
    }
    Text html{cli::report_page(results, {given, data.bytes, sample, run.seed()})};
    if (page) {
      page->write(html.bytes);
      page->commit();
    }
    return std::pair(std::move(texts), std::move(html));
  });
}

}  // namespace

void bind_experiments(py::module_& module) { module.def("reproduce", &run_experiments); }

}  // namespace wordbridge::python
