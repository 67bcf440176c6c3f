#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "cli/align_method.h"
#include "cli/align_report.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/lexicon_options.h"
#include "cli/paths.h"
#include "cli/refinement_options.h"
#include "cli/vector_options.h"
#include "wordbridge/base/error.h"
#include "wordbridge/mapping/mapping_format.h"

namespace wordbridge::cli {

namespace {

constexpr std::uint64_t kRoundsWithoutLexicon = 5;

/// Learns a mapping from two files of vectors and a lexicon.
class AlignCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    source_.declare(arguments, "source", "Vectors of the source language", "--source-vocabulary");
    target_.declare(arguments, "target", "Vectors of the target language", "--target-vocabulary");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The mapping to write (.wbmap)", Arguments::Need::required);
    arguments.flag("--json", json_, "Print what the mapping says about itself as JSON");
    declare_methods(arguments);
    lexicon_.declare(arguments, LexiconOptions::Sources::file_or_shared_words);
    options_.declare(arguments, std::to_string(kUsualWords));
  }

  ExitCode run(Session& session) override {
    const Stopwatch whole;
    const AlignMethodEntry& method = method_named(method_);
    const auto aligner = make_aligner(session.options());
    const auto normalization = Normalizer::parse(normalization_name());
    check_arguments(method);
    AtomicFile output(output_);
    lexicon_.read(options_.lenient);
    check_ahead(Side::source, source_);
    check_ahead(Side::target, target_);
    WordVectors source = load_vectors(session, source_, options_, kUsualWords);
    WordVectors target = load_vectors(session, target_, options_, kUsualWords);
    const Lexicon lexicon = lexicon_.find(session, source.vocabulary(), target.vocabulary());
    if (method.needs_lexicon) warn_of_small_lexicon(session, lexicon, source, target);
    warn_of_another_start(session, source, target);

    const Stopwatch fitting;
    Mapping mapping = align(*aligner, source, target, lexicon, normalization);
    Provenance& provenance = mapping.provenance;
    provenance.seed = session.options().seed;
    provenance.max_words = options_.max_words.value_or(kUsualWords);
    name_method(provenance, method);
    provenance.criterion = method.criterion;
    if (lexicon_.given()) provenance.lexicon = fmt::format("{}: {}", lexicon_.name(), provenance.lexicon);
    for (const std::string& line : report_lines(provenance.report)) session.note(line);
    session.note(fmt::format("{} ({})", fit_line(mapping), fitting.to_text()));
    for (const std::string& warning : provenance.report.warnings) session.warn(warning);
    write_mapping(mapping, output);
    session.note(fmt::format("{} written ({} in all)", output_, whole.to_text()));
    if (json_) session.print(describe_json(mapping, 2) + "\n");
    return ExitCode::success;
  }

 private:
  /// Methods that share their options.
  struct Family {
    std::string names;  // "smith, vecmap"
    std::unique_ptr<AlignMethod> (*make)();
    std::unique_ptr<AlignMethod> method;

    std::string heading() const { return fmt::format("Method {}", names); }
  };

  void declare_methods(Arguments& arguments) {
    std::vector<std::string> names;
    std::string summaries;
    for (const AlignMethodEntry& entry : all_align_methods()) {
      names.emplace_back(entry.name);
      summaries += fmt::format("{}{}: {}", summaries.empty() ? "" : ", ", entry.name, entry.summary);
      const auto family = std::ranges::find(families_, entry.make, &Family::make);
      if (family == families_.end())
        families_.push_back({names.back(), entry.make, entry.make()});
      else
        family->names += ", " + names.back();
    }
    method_ = names.front();
    arguments.heading("Method");
    arguments.choice("--method", method_, names, fmt::format("{} (default: {})", summaries, method_));
    arguments.text("--normalize", normalization_, "STEPS",
                   "Steps 'unit' and 'center' joined by commas, or 'none' (default: the method's, usually unit)");
    for (const Family& family : families_) {
      arguments.heading(family.heading());
      family.method->declare(arguments);
    }
    training_.declare(arguments);
    restarts_.declare(arguments);
    refinement_.declare(arguments, names);
    arguments_.emplace(arguments);
  }

  static const AlignMethodEntry& method_named(const std::string& name) {
    return *std::ranges::find(all_align_methods(), name, &AlignMethodEntry::name);
  }
  const Family& family_of(const std::string& name) const {
    return *std::ranges::find(families_, method_named(name).make, &Family::make);
  }

  std::unique_ptr<Aligner> make_aligner(const GlobalOptions& options) {
    const AlignMethodEntry& method = method_named(method_);
    if (!method.needs_lexicon) refinement_.set_usual_rounds(*arguments_, kRoundsWithoutLexicon);
    refinement_.refuse_without_rounds(*arguments_);
    refuse_shared_options(method);
    for (const Family& family : families_)
      if (const auto given = arguments_->given_under(family.heading());
          !given.empty() && &family != &family_of(method_) &&
          !(refinement_.wanted() && &family == &family_of(refinement_.refit())))
        throw UsageError(fmt::format("{} belongs to --method {}, not to {}", given.front(), family.names, method_));
    const MethodContext context{options, training_, restarts_};
    std::unique_ptr<Aligner> aligner = family_of(method_).method->make(method_, context);
    if (!refinement_.wanted()) return aligner;
    return std::make_unique<RefinedAligner>(std::move(aligner), make_refit(context), refinement_.options());
  }

  std::unique_ptr<Aligner> make_refit(const MethodContext& context) const {
    const std::string& name = refinement_.refit();
    const Family& family = family_of(name);
    std::vector<std::string> once;
    if (method_named(name).trains) once = arguments_->given_under(TrainingOptions::kHeading);
    for (const std::string& given : arguments_->given_under(family.heading()))
      if (given == "--init") once.push_back(given);
    if (!once.empty())
      throw UsageError(fmt::format("{} is for one training, not for --refine-with {}", once.front(), name));
    if (!method_named(name).needs_lexicon)
      throw UsageError(fmt::format("--refine-with {}: the method does not learn from a lexicon", name));
    return family.method->make(name, context);
  }

  /// UsageError for options that several methods share, but not this one.
  void refuse_shared_options(const AlignMethodEntry& method) const {
    if (const auto given = arguments_->given_under(TrainingOptions::kHeading); !method.trains && !given.empty())
      if (!(refinement_.wanted() && method_named(refinement_.refit()).trains))
        throw UsageError(
            fmt::format("{} belongs to methods that train step by step, not to {}", given.front(), method_));
    if (const auto given = arguments_->given_under(RestartChoice::kHeading); method.needs_lexicon && !given.empty())
      throw UsageError(fmt::format("{} belongs to methods without a lexicon, not to {}", given.front(), method_));
  }

  /// A preset has a name of its own: the aligner's becomes an option.
  void name_method(Provenance& provenance, const AlignMethodEntry& method) const {
    const std::string name = fmt::format("{}{}", method.name, refinement_.wanted() ? "+refine" : "");
    if (name != provenance.method) provenance.options["map"] = std::exchange(provenance.method, name);
  }

  /// The mapping that training starts from, where one is given.
  const Mapping* start() const { return family_of(method_).method->start(); }

  /// As asked for, else that of the mapping to start from, else the method's.
  std::string normalization_name() const {
    if (start() == nullptr)
      return normalization_.empty() ? std::string(method_named(method_).normalization) : normalization_;
    std::string own = start()->normalizer(Side::source).name();
    if (!normalization_.empty() && normalization_ != own)
      throw UsageError(
          fmt::format("--normalize {}: the mapping to start from was learned after '{}'", normalization_, own));
    return own;
  }

  /// A missing file shows now, and so does one that the start is not for.
  void check_ahead(Side side, const VectorFile& file) const {
    const auto dimension = dimension_ahead(file, options_);
    if (start() != nullptr && dimension) start()->require_dimension(*dimension, side, file_name(file.path));
  }

  void warn_of_another_start(Session& session, const WordVectors& source, const WordVectors& target) const {
    if (start() == nullptr) return;
    if (const auto warning = start()->mismatch(source, Side::source)) session.warn(*warning);
    if (const auto warning = start()->mismatch(target, Side::target)) session.warn(*warning);
  }

  void check_arguments(const AlignMethodEntry& method) const {
    require_one_standard_input({source_.path, target_.path, lexicon_.path()});
    std::vector<std::string> inputs = family_of(method_).method->inputs();
    for (const std::string& path :
         {source_.path, target_.path, source_.vocabulary, target_.vocabulary, lexicon_.path(), training_.validation})
      inputs.push_back(path);
    refuse_overwriting(output_, inputs);
    if (method.needs_lexicon && !lexicon_.given())
      throw UsageError(
          fmt::format("--method {} learns from a lexicon: --lexicon FILE, --identical-words or --numerals "
                      "is needed",
                      method.name));
    if (!method.needs_lexicon && lexicon_.given())
      throw UsageError(
          fmt::format("--method {} learns without a lexicon; --validation FILE reports on one", method.name));
  }

  static void warn_of_small_lexicon(Session& session, const Lexicon& lexicon, const WordVectors& source,
                                    const WordVectors& target) {
    const std::size_t needed = std::min(source.dimension(), target.dimension());
    const std::size_t words = std::min(lexicon.source_words().size(), lexicon.target_words().size());
    if (words < needed)
      session.warn(fmt::format("{} distinct words of the lexicon cannot settle a map of {} dimensions", words, needed));
  }

  VectorFile source_, target_;
  VectorOptions options_;
  LexiconOptions lexicon_;
  std::string output_, method_, normalization_;
  bool json_ = false;
  std::vector<Family> families_;
  TrainingOptions training_;
  RestartChoice restarts_;
  RefinementChoice refinement_;
  std::optional<Arguments> arguments_;  // asked later what was given
};

}  // namespace

CommandEntry align_command() {
  return {"align", "Learn a mapping from the vectors of two languages and a lexicon",
          "  wordbridge align en.vec es.vec --lexicon en-es.txt -o en-es.wbmap\n"
          "  wordbridge align en.vec.gz es.vec.gz --identical-words --method smith --refine 5 -o en-es.wbmap\n"
          "  wordbridge align en.vec es.vec --lexicon en-es.txt --method vecmap -o start.wbmap\n"
          "  wordbridge align en.vec es.vec --lexicon en-es.txt --init start.wbmap -o en-es.wbmap",
          make_command<AlignCommand>};
}

}  // namespace wordbridge::cli
