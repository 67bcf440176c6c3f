#include <fmt/format.h>

#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/table_format.h"
#include "cli/program.h"
#include "cli/session.h"

namespace wordbridge::cli {

namespace {

/// Every measure for which there is a test set, one after the other.
class EvaluateAllCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.file("mapping", mapping_, "The mapping that 'wordbridge align' wrote");
    arguments.file("source", source_, "Vectors of the source language");
    arguments.file("target", target_, "Vectors of the target language");
    arguments.heading("Test sets");
    arguments.text("--lexicon", lexicon_, "FILE", "Word translation: pairs 'source target'");
    arguments.text("--questions", questions_, "FILE", "Analogies in the source language, before and after mapping");
    arguments.text("--similarities", similarities_, "FILE",
                   "Word similarity in the source language, before and after mapping");
    arguments.text("--cross-similarities", cross_, "FILE", "Word similarity between the two languages");
    arguments.heading("Vectors");
    arguments.text("--max-words", max_words_, "N",
                   "Read the first N words of a file, 0 for all (default: the mapping's)");
    format_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    std::vector<Part> parts;
    if (!lexicon_.empty())
      for (const char* criterion : {"nn", "csls"})
        parts.push_back({fmt::format("translation, by {}", criterion),
                         fmt::format("translation_{}", criterion),
                         {"translation", mapping_, source_, target_, "--lexicon", lexicon_, "--criterion", criterion}});
    parts.push_back({"hubness", "hubness", {"hubness", mapping_, source_, target_}});
    if (!questions_.empty())
      parts.push_back({"analogies", "analogy", {"analogy", source_, questions_, "--mapping", mapping_}});
    if (!similarities_.empty())
      parts.push_back({"similarity", "similarity", {"similarity", source_, similarities_, "--mapping", mapping_}});
    if (!cross_.empty())
      parts.push_back({"similarity between languages",
                       "cross_similarity",
                       {"similarity", source_, cross_, "--mapping", mapping_, "--target", target_}});
    for (std::size_t i = 0; i < parts.size(); ++i) run(session, parts[i], i == 0);
    if (format_.json()) session.print("}\n");
    return ExitCode::success;
  }

 private:
  struct Part {
    std::string title, key;
    std::vector<std::string> call;
  };

  void run(Session& session, const Part& part, bool first) const {
    std::vector<std::string> call = {"evaluate"};
    call.insert(call.end(), part.call.begin(), part.call.end());
    if (!format_.option().empty()) call.push_back(format_.option());
    if (!max_words_.empty()) call.insert(call.end(), {"--max-words", max_words_});
    session.print(format_.json() ? fmt::format("{}\"{}\": ", first ? "{" : ", ", part.key)
                                 : (first ? "" : "\n") + format_.title(part.title));
    run_command(call, session);
  }

  std::string mapping_, source_, target_, lexicon_, questions_, similarities_, cross_, max_words_;
  TableFormat format_;
};

}  // namespace

CommandEntry evaluate_all_command() {
  return {"evaluate all", "Every measure for which there is a test set",
          "  wordbridge evaluate all en-es.wbmap en.vec es.vec --lexicon test.txt --questions questions-words.txt\n"
          "  wordbridge evaluate all en-es.wbmap en.vec es.vec --lexicon test.txt --similarities ws353.tsv --json",
          make_command<EvaluateAllCommand>};
}

}  // namespace wordbridge::cli
