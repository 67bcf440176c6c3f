#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/align_method.h"
#include "cli/align_report.h"
#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/lexicon_options.h"
#include "cli/paths.h"
#include "cli/vector_options.h"
#include "wordbridge/base/error.h"
#include "wordbridge/mapping/mapping_format.h"

namespace wordbridge::cli {

namespace {

constexpr std::size_t kUsualWords = 200'000;

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
    const AlignMethodEntry& method = chosen_method();
    const auto aligner = make_aligner(session.options());
    const auto normalization =
        Normalizer::parse(normalization_.empty() ? std::string(method.normalization) : normalization_);
    check_arguments(method);
    AtomicFile output(output_);
    lexicon_.read(options_.lenient);
    for (const VectorFile* file : {&source_, &target_}) dimension_ahead(*file, options_);  // a missing one shows now
    WordVectors source = load_vectors(session, source_, options_, kUsualWords);
    WordVectors target = load_vectors(session, target_, options_, kUsualWords);
    const Lexicon lexicon = lexicon_.find(session, source.vocabulary(), target.vocabulary());
    if (method.needs_lexicon) warn_of_small_lexicon(session, lexicon, source, target);

    const Stopwatch fitting;
    Mapping mapping = align(*aligner, source, target, lexicon, normalization, session.progress());
    Provenance& provenance = mapping.provenance;
    provenance.seed = session.options().seed;
    provenance.max_words = options_.max_words.value_or(kUsualWords);
    provenance.criterion = method.criterion;
    if (lexicon_.given()) provenance.lexicon = fmt::format("{}: {}", lexicon_.name(), provenance.lexicon);
    for (const std::string& line : selection_lines(provenance)) session.note(line);
    session.note(fmt::format("{} ({})", fit_line(mapping), fitting.to_text()));
    for (const std::string& warning : warnings_of(provenance)) session.warn(warning);
    write_mapping(mapping, output);
    session.note(fmt::format("{} written ({} in all)", output_, whole.to_text()));
    if (json_) session.print(describe_json(mapping, 2) + "\n");
    return ExitCode::success;
  }

 private:
  struct Method {
    const AlignMethodEntry* entry;
    std::unique_ptr<AlignMethod> method;
  };

  void declare_methods(Arguments& arguments) {
    std::vector<std::string> names;
    std::string summaries;
    for (const AlignMethodEntry& entry : all_align_methods()) {
      names.emplace_back(entry.name);
      summaries += fmt::format("{}{}: {}", summaries.empty() ? "" : ", ", entry.name, entry.summary);
    }
    method_ = names.front();
    arguments.heading("Method");
    arguments.choice("--method", method_, names, fmt::format("{} (default: {})", summaries, method_));
    arguments.text("--normalize", normalization_, "STEPS",
                   "Steps 'unit' and 'center' joined by commas, or 'none' (default: unit)");
    for (const AlignMethodEntry& entry : all_align_methods()) {
      methods_.push_back({&entry, entry.make()});
      arguments.heading(heading_of(entry));
      methods_.back().method->declare(arguments);
    }
    arguments_.emplace(arguments);
  }

  static std::string heading_of(const AlignMethodEntry& entry) { return fmt::format("Method {}", entry.name); }

  const Method& chosen() const {
    return *std::ranges::find_if(methods_, [&](const Method& method) { return method.entry->name == method_; });
  }
  const AlignMethodEntry& chosen_method() const { return *chosen().entry; }

  std::unique_ptr<Aligner> make_aligner(const GlobalOptions& options) const {
    for (const Method& method : methods_)
      if (const auto given = arguments_->given_under(heading_of(*method.entry));
          !given.empty() && method.entry->name != method_)
        throw UsageError(
            fmt::format("{} belongs to --method {}, not to {}", given.front(), method.entry->name, method_));
    return chosen().method->make(options);
  }

  void check_arguments(const AlignMethodEntry& method) const {
    require_one_standard_input({source_.path, target_.path, lexicon_.path()});
    refuse_overwriting(output_, std::vector<std::string>{source_.path, target_.path, source_.vocabulary,
                                                         target_.vocabulary, lexicon_.path()});
    if (method.needs_lexicon && !lexicon_.given())
      throw UsageError(
          fmt::format("--method {} learns from a lexicon: --lexicon FILE, --identical-words or --numerals "
                      "is needed",
                      method.name));
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
  std::vector<Method> methods_;
  std::optional<Arguments> arguments_;  // asked later what was given
};

}  // namespace

CommandEntry align_command() {
  return {"align", "Learn a mapping from the vectors of two languages and a lexicon",
          "  wordbridge align en.vec es.vec --lexicon en-es.txt -o en-es.wbmap\n"
          "  wordbridge align en.vec.gz es.vec.gz --identical-words --normalize unit,center,unit -o en-es.wbmap",
          make_command<AlignCommand>};
}

}  // namespace wordbridge::cli
