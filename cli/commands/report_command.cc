#include <fmt/format.h>

#include "base/atomic_file.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/lexicon_options.h"
#include "cli/options/retrieval_options.h"
#include "cli/paths.h"
#include "cli/report/mapping_page.h"
#include "cli/session.h"

namespace wordbridge::cli {

namespace {

/// Everything about one mapping on one page.
class ReportCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::required);
    arguments.text("-o,--output", output_, "FILE", "The page: one HTML file", Arguments::Need::required);
    lexicon_.declare(arguments, LexiconOptions::Sources::optional_file);
    retrieval_.declare(arguments);
    arguments.heading("Hubs");
    arguments.number("--queries", queries_, 1, UINT64_MAX, "Ask the first N source words (default: 20000)");
  }

  ExitCode run(Session& session) override {
    const Mapping mapping = inputs_.open({lexicon_.path()});
    std::vector<std::string> read = inputs_.paths();
    read.push_back(lexicon_.path());
    refuse_overwriting(output_, read);
    if (lexicon_.given()) lexicon_.read(inputs_.options().lenient);
    retrieval_.settle(mapping);
    AtomicFile page(output_);

    const CommonSpace space = inputs_.load(session, mapping);
    MappingFindings findings;
    findings.mapping = inputs_.paths().front();
    findings.lexicon = lexicon_.path();
    findings.command = command_line();
    findings.provenance = mapping.provenance;
    if (lexicon_.given()) measure_translations(session, space, findings);
    findings.measure_hubness(space, queries_);
    page.write(mapping_page(findings));
    page.commit();
    session.note(fmt::format("{} written: open it in a browser", output_));
    return ExitCode::success;
  }

 private:
  /// By nearest neighbor, CSLS, and the criterion that the mapping is best used with.
  std::vector<RetrievalOptions> rankings() const {
    std::vector<RetrievalOptions> all;
    for (const char* name : {"nn", "csls"})
      if (retrieval_.criterion() != name) all.push_back(RetrievalOptions::of(name));
    all.push_back(retrieval_);
    return all;
  }

  void measure_translations(Session& session, const CommonSpace& space, MappingFindings& findings) const {
    const GoldLexicon gold =
        lexicon_.find_gold(session, space.vocabulary(Side::source), space.vocabulary(Side::target));
    for (const RetrievalOptions& retrieval : rankings()) {
      findings.measure(space, gold,
                       *make_criterion(retrieval.criterion(), space, retrieval.options_for(session, space)));
      session.note(fmt::format("{}: P@1 {:.1f}", findings.best().criterion, findings.best().all.precision[0]));
    }
    findings.conclude(space, session.options().seed);
  }

  std::string command_line() {
    std::string line = "wordbridge report";
    for (const std::string& path : inputs_.paths())
      if (!path.empty()) line += " " + path;
    if (!lexicon_.path().empty()) line += " --lexicon " + lexicon_.path();
    line += " --criterion " + retrieval_.criterion();
    if (queries_ != kUsualQueries) line += fmt::format(" --queries {}", queries_);
    return line + " -o report.html";  // whatever the name: the page does not depend on it
  }

  MappedInputs inputs_;
  LexiconOptions lexicon_;
  RetrievalOptions retrieval_;
  std::string output_;
  static constexpr std::uint64_t kUsualQueries = 20'000;
  std::uint64_t queries_ = kUsualQueries;
};

}  // namespace

CommandEntry report_command() {
  return {"report", "Everything about one mapping on one page, for the browser",
          "  wordbridge report en-es.wbmap en.vec es.vec --lexicon test.txt -o report.html\n"
          "  wordbridge report en-es.wbmap en.vec es.vec -o report.html",
          make_command<ReportCommand>};
}

}  // namespace wordbridge::cli
