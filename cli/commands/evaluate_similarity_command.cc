#include <fmt/format.h>

#include "base/counted.h"
#include "cli/commands/command.h"
#include "cli/evaluated_spaces.h"
#include "cli/options/arguments.h"
#include "cli/options/table_format.h"
#include "cli/paths.h"
#include "cli/report/similarity_report.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// Agreement of cosines with what people say, within a language or between two.
class EvaluateSimilarityCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments);
    arguments.list("sets", files_, 1, Arguments::kMostFiles, "sets...", "Files of pairs of words with scores");
    arguments.heading("Pairs");
    arguments.text("--target", target_.path, "FILE",
                   "Vectors of the language of the second words, for sets of pairs between two languages");
    target_.declare_vocabulary(arguments, "the target", "--target-vocabulary");
    arguments.heading("Pairs");
    arguments.flag("--average-phrases", options_.average_phrases,
                   "Take the mean of its words for a phrase outside the vocabulary");
    arguments.choice("--case", case_policy_, {"exact", "lower", "title"},
                     "What to try for words not found as written (default: lower)");
    format_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    inputs_.open(target_);
    options_.case_policy = parse_case_policy(case_policy_);
    std::vector<SimilarityPairs> sets;
    for (const std::string& file : files_) {
      sets.push_back(read_similarity_pairs(file, inputs_.options().lenient));
      if (sets.back().skipped_lines > 0)
        session.warn(fmt::format("{} skipped, first: {}", counted(sets.back().skipped_lines, "line"),
                                 sets.back().first_skipped));
    }
    const std::vector<NamedSpace> spaces = inputs_.load(session, target_);
    std::vector<SimilarityOfSet> results;
    for (const SimilarityPairs& pairs : sets) {
      SimilarityOfSet& set = results.emplace_back(SimilarityOfSet{file_name(pairs.path), {}});
      for (const auto& [name, space] : spaces)
        set.results.push_back(
            {name, evaluate_similarity(pairs, space, target_.path.empty() ? Side::source : Side::target, options_)});
    }
    session.print(format_.json() ? to_json(results) : format_.render(to_table(results), note(results)));
    return ExitCode::success;
  }

 private:
  /// What is behind the numbers.
  static std::string note(const std::vector<SimilarityOfSet>& sets) {
    std::size_t pairs = 0, found = 0, case_matched = 0, averaged = 0;
    for (const SimilarityOfSet& set : sets) {
      const Similarity& result = set.results.front().result;
      pairs += result.pairs;
      found += result.found;
      case_matched += result.case_matched;
      averaged += result.averaged;
    }
    std::string text = fmt::format("correlations over the {} of {} that were found", found, counted(pairs, "pair"));
    if (case_matched > 0) text += fmt::format(", {} of them in another case", case_matched);
    if (averaged > 0) text += fmt::format(", {} with a phrase averaged", averaged);
    return text + '\n';
  }

  SpaceInputs inputs_;
  VectorFile target_;
  TableFormat format_;
  SimilarityOptions options_;
  std::vector<std::string> files_;
  std::string case_policy_ = "lower";
};

}  // namespace

CommandEntry evaluate_similarity_command() {
  return {"evaluate similarity", "Agreement of cosines with what people say, before and after a mapping",
          "  wordbridge evaluate similarity en.vec wordsim353.tsv simlex999.txt --mapping en-es.wbmap\n"
          "  wordbridge evaluate similarity en.vec en-es.test.data.txt --target es.vec --mapping en-es.wbmap\n"
          "  wordbridge evaluate similarity en.aligned.vec en-es.tsv --target es.aligned.vec --average-phrases",
          make_command<EvaluateSimilarityCommand>};
}

}  // namespace wordbridge::cli
