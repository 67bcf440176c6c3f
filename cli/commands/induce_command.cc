#include <fmt/format.h>

#include <iterator>
#include <optional>

#include "base/atomic_file.h"
#include "base/escaped_text.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/retrieval_options.h"
#include "cli/paths.h"
#include "wordbridge/error.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge::cli {

namespace {

/// Writes to a file, or to standard output.
class PairWriter {
 public:
  PairWriter(Session& session, const std::string& path) : session_(session) {
    if (!path.empty() && path != "-") file_.emplace(path);
  }

  void write(std::string_view text) {
    if (file_)
      file_->write(text);
    else
      session_.print(text);
  }
  void finish() {
    if (file_) file_->commit();
  }

 private:
  Session& session_;
  std::optional<AtomicFile> file_;
};

/// Makes a lexicon of the best translations of a whole vocabulary.
class InduceCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The lexicon to write (default, and -: standard output)");
    arguments.heading("Pairs");
    arguments.number("-n,--count", count_, 1, 1 << 20, "Translations of each word (default: 1)");
    arguments.flag("--mutual", mutual_, "Only pairs in which each word is among the best translations of the other");
    arguments.number("--threshold", threshold_, "Least score (default: none)");
    arguments.number("--precision", precision_,
                     "With a re-ranker: only pairs that are right with this probability at least, from 0 to 1");
    arguments.exclude("--threshold", "--precision");
    arguments.number("--margin", margin_, "Least distance of the score to the next best (default: 0)");
    arguments.number("--first-rank", first_, 1, Arguments::kMost,
                     "Only words from this frequency rank on (default: 1)");
    arguments.number("--last-rank", last_, 0, Arguments::kMost,
                     "Only words up to this frequency rank, 0 for all (default: 0)");
    retrieval_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    refuse_overwriting(output_, inputs_.paths());
    if (last_ > 0 && first_ > last_)
      throw UsageError(fmt::format("there are no words from rank {} up to rank {}", first_, last_));
    if (precision_ && !(*precision_ >= 0 && *precision_ <= 1))
      throw UsageError("--precision must be a number from 0 to 1");
    if (!(margin_ >= 0)) throw UsageError("--margin must be a number from 0 up");
    PairWriter output(session, output_);
    const Mapping mapping = inputs_.open();
    retrieval_.settle(mapping);
    if (precision_ && retrieval_.criterion() != "rerank")
      throw UsageError("--precision needs the probabilities of --criterion rerank");
    const CommonSpace space = inputs_.load(session, mapping);

    const Stopwatch stopwatch;
    InductionOptions options;
    options.criterion = retrieval_.criterion();
    options.criterion_options = retrieval_.options_for(session, space);
    options.direction = mutual_ ? InductionDirection::intersection : InductionDirection::source_to_target;
    options.count = count_;
    options.first_word = first_ - 1;
    options.last_word = last_;
    if (threshold_) options.threshold = *threshold_;
    if (precision_) options.threshold = *precision_;
    options.margin = margin_;
    const auto pairs = induce_lexicon(space, options);
    write(output, space, pairs);
    session.note(fmt::format("{}: {} pairs by {} ({})", output_.empty() ? "standard output" : output_name(output_),
                             pairs.size(), options.criterion, stopwatch.to_text()));
    return ExitCode::success;
  }

 private:
  static void write(PairWriter& output, const CommonSpace& space, const std::vector<InducedPair>& pairs) {
    constexpr std::size_t kPiece = 1 << 16;
    std::string text = "# source\ttarget\tscore\trank\tmargin\n";
    for (const InducedPair& pair : pairs) {
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{:.6f}\t{}\t{:.6f}\n",
                     escape_field(space.vocabulary(Side::source)[pair.source]),
                     escape_field(space.vocabulary(Side::target)[pair.target]), pair.score, pair.rank, pair.margin);
      if (text.size() < kPiece) continue;
      output.write(text);
      text.clear();
    }
    output.write(text);
    output.finish();
  }

  MappedInputs inputs_;
  RetrievalOptions retrieval_;
  std::string output_;
  std::uint64_t count_ = 1, first_ = 1, last_ = 0;
  std::optional<double> threshold_, precision_;
  double margin_ = 0;
  bool mutual_ = false;
};

}  // namespace

CommandEntry induce_command() {
  return {"induce", "Make a lexicon of the best translations of a whole vocabulary",
          "  wordbridge induce en-es.wbmap en.vec es.vec -o induced.tsv\n"
          "  wordbridge induce en-es.wbmap en.vec es.vec --precision 0.9 -o induced.tsv\n"
          "  wordbridge induce en-es.wbmap en.vec es.vec --mutual --last-rank 20000 --threshold 0 -o induced.tsv\n"
          "A line holds source word, target word, score, rank of the translation and distance to the next best,\n"
          "separated by tabs, the most frequent words first: a lexicon that 'align' and 'evaluate' read.",
          make_command<InduceCommand>};
}

}  // namespace wordbridge::cli
