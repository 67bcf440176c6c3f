#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <utility>

#include "align/alignment_plan.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/communicator.h"
#include "cli/options/arguments.h"
#include "cli/options/lexicon_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/report/align_report.h"
#include "mapping/mapping_format.h"
#include "wordbridge/align.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// The section of help that an option of methods stands in.
std::string heading_of(std::string_view option) {
  return fmt::format("Method {}", fmt::join(methods_with(option), ", "));
}

/// Learns a mapping from two files of vectors and a lexicon.
class AlignCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    source_.declare(arguments, "source", "Vectors of the source language", "--source-vocabulary");
    target_.declare(arguments, "target", "Vectors of the target language", "--target-vocabulary");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The mapping to write (.wbmap)", Arguments::Need::required);
    arguments.flag("--json", json_, "Print what the mapping says about itself as JSON");
    arguments.flag("--verbose", verbose_, "Also tell the settings that were tried, and how each did");
    declare_methods(arguments);
    lexicon_.declare(arguments, LexiconOptions::Sources::file_or_shared_words);
    vectors_.declare(arguments, std::to_string(kUsualWords));
  }

  ExitCode run(Session& session) override {
    const Stopwatch whole;
    std::optional<AlignmentPlan> made_plan;
    check_together([&] {
      made_plan.emplace(options());
      check_arguments(*made_plan);
    });
    const AlignmentPlan& plan = *made_plan;
    std::optional<AtomicFile> output;
    if (communicator().is_first()) output.emplace(output_);
    lexicon_.read(vectors_.lenient);
    check_ahead(plan.start(), Side::source, source_);
    check_ahead(plan.start(), Side::target, target_);
    auto [mapping, fitting] =
        works_with_others() ? learn(session, plan, load_sharded_vectors) : learn(session, plan, load_vectors);
    const Provenance& provenance = mapping.provenance;
    for (const std::string& line : report_lines(provenance.report, verbose_)) session.note(line);
    session.note(fmt::format("{} ({})", fit_line(mapping), fitting.to_text()));
    for (const std::string& warning : provenance.report.warnings) session.warn(warning);
    if (output) write_mapping(mapping, *output);
    session.note(fmt::format("{} written ({} in all)", output_, whole.to_text()));
    session.note("next: " + next_command());
    if (json_) session.print(describe_json(mapping, 2) + "\n");
    return ExitCode::success;
  }

 private:
  struct Learned {
    Mapping mapping;
    Stopwatch fitting;  // since the vectors were read
  };
  /// `load` reads a file of vectors, whole or as one process of several.
  template <class Load>
  Learned learn(Session& session, const AlignmentPlan& plan, const Load& load) const {
    auto source = load(session, source_, vectors_, kUsualWords), target = load(session, target_, vectors_, kUsualWords);
    const Lexicon lexicon = lexicon_.find(session, source.vocabulary(), target.vocabulary());
    const Stopwatch fitting;
    const InputNames names{.max_words = vectors_.max_words.value_or(kUsualWords),
                           .lexicon = lexicon_.given() ? lexicon_.name() : std::string()};
    PreparedProblem problem = plan.prepare(std::move(source), std::move(target), lexicon, names);
    for (const std::string& warning : plan.warnings(problem)) session.warn(warning);
    return {plan.run(std::move(problem)), fitting};
  }

  void declare_methods(Arguments& arguments) {
    std::vector<std::string> names;
    for (const AlignMethod& method : align_methods()) names.push_back(method.name);
    arguments.heading("Method");
    arguments.choice(
        "--method", method_, names,
        fmt::format("How the map is learned: {} (default: {}); 'wordbridge align --help METHOD' tells what "
                    "a method does, and its options",
                    fmt::join(names, ", "), method_));
    arguments.text("--normalize", normalization_, "STEPS",
                   "Steps 'unit' and 'center' joined by commas, or 'none' (default: the method's, usually unit)");
    for (const AlignMethod& method : align_methods())
      for (const auto& option : method.options.all()) {
        arguments.heading(heading_of(option.name()));
        declare_option(arguments, option.info());
      }
    for (const SharedAlignOptions* shared : shared_align_options()) {
      arguments.heading(shared->title);
      for (const auto& option : shared->options.all()) declare_option(arguments, option.info());
    }
  }

  /// What a person may want to type now.
  std::string next_command() const {
    const auto quoted = [](const std::string& path) {
      return path.find_first_of(" '\"$&;()<>|*?[]#~`\\") == std::string::npos ? path : fmt::format("'{}'", path);
    };
    return fmt::format("wordbridge translate {} {} {} WORD...", quoted(output_), quoted(source_.path),
                       quoted(target_.path));
  }

  /// Methods may have options of the same name: it is one on the command line.
  void declare_option(Arguments& arguments, const OptionInfo& option) {
    if (const auto [at, is_new] = given_.try_emplace(option.name); is_new)
      arguments.raw("--" + option.name, at->second, option.value_name, option.help_with_default());
  }

  AlignOptions options() const {
    AlignOptions options{.method = method_, .options = {}, .normalization = normalization_};
    for (const auto& [name, text] : given_)
      if (text) options.options.emplace(name, *text);
    return options;
  }

  /// A missing file shows now, and so does one that the start is not for.
  void check_ahead(const Mapping* start, Side side, const VectorFile& file) const {
    const auto dimension = dimension_ahead(file, vectors_);
    if (start != nullptr && dimension) start->require_dimension(*dimension, side, file_name(file.path));
  }

  void check_arguments(const AlignmentPlan& plan) const {
    if (works_with_others()) {
      plan.require_shardable();
      for (const VectorFile* file : {&source_, &target_}) require_shardable(*file, vectors_);
    }
    require_one_standard_input({source_.path, target_.path, lexicon_.path()});
    std::vector<std::string> inputs = plan.inputs();
    for (const std::string& path : {source_.path, target_.path, source_.vocabulary, target_.vocabulary, source_.ids,
                                    target_.ids, lexicon_.path()})
      inputs.push_back(path);
    require_mapping_name(output_);
    refuse_overwriting(output_, inputs);
    if (const auto log = given_.find("log"); log != given_.end() && log->second) {
      refuse_overwriting(*log->second, inputs);
      refuse_same_output(output_, *log->second);
    }
    const AlignMethod& method = plan.method();
    if (method.needs_lexicon && !lexicon_.given())
      throw UsageError(
          fmt::format("--method {} learns from a lexicon: --lexicon FILE, --identical-words or --numerals "
                      "is needed",
                      method.name));
    if (!method.needs_lexicon && lexicon_.given())
      throw UsageError(
          fmt::format("--method {} learns without a lexicon; --validation FILE reports on one", method.name));
  }

  VectorFile source_, target_;
  VectorOptions vectors_;
  LexiconOptions lexicon_;
  std::string output_, method_ = AlignOptions().method, normalization_;
  bool json_ = false, verbose_ = false;
  std::map<std::string, std::optional<std::string>> given_;  // options of methods, as they were typed
};

/// What fits on a screen, then each method with all that it takes.
std::vector<HelpTopic> align_topics() {
  std::vector<HelpTopic> topics = {{"", "", {"Output", "Method", "Lexicon", "Everywhere"}}};
  for (const AlignMethod& method : align_methods()) {
    HelpTopic topic{method.name, method.summary, {}};
    for (const std::string& option : method.options.names()) topic.headings.push_back(heading_of(option));
    if (method.trains) topic.headings.push_back(shared_training_options().title);
    if (!method.needs_lexicon) topic.headings.push_back(shared_restart_options().title);
    topics.push_back(std::move(topic));
  }
  topics.push_back({"refinement",
                    "rounds after the method, with a lexicon that the map itself has found",
                    {shared_refinement_options().title}});
  topics.push_back({"lexicons", "how pairs are read and looked up", {"Lexicon", kLexiconDetails}});
  topics.push_back({"vectors", "how the files of vectors are read", {"Vectors"}});
  return topics;
}

}  // namespace

CommandEntry align_command() {
  return {"align", "Learn a mapping from the vectors of two languages and a lexicon",
          "  wordbridge align en.vec es.vec --lexicon en-es.txt -o en-es.wbmap\n"
          "  wordbridge align en.vec.gz es.vec.gz --identical-words --method smith --refine 5 -o en-es.wbmap\n"
          "  wordbridge align en.vec es.vec --lexicon en-es.txt --method vecmap -o start.wbmap\n"
          "  wordbridge align en.vec es.vec --lexicon en-es.txt --method rcsls --init start.wbmap -o en-es.wbmap",
          make_command<AlignCommand>, align_topics};
}

}  // namespace wordbridge::cli
