#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/escaped_text.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/communicator.h"
#include "cli/entry_output.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/retrieval_options.h"
#include "cli/paths.h"
#include "cli/translation_writer.h"
#include "lexicon/word_pairs.h"
#include "retrieval/criterion_registry.h"
#include "retrieval/false_friends.h"
#include "retrieval/sharded_induction.h"
#include "wordbridge/error.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge::cli {

namespace {

/// Makes a lexicon of the best translations of a whole vocabulary.
class InduceCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The lexicon to write (default, and -: standard output)");
    entries_.declare(arguments);
    arguments.heading("Pairs");
    arguments.number("-n,--count", count_, 1, 1 << 20, "Translations of each word (default: 1)");
    arguments.flag("--mutual", mutual_, "Only pairs in which each word is among the best translations of the other");
    arguments.number("--threshold", threshold_, "Least score (default: none)");
    arguments.number("--precision", precision_,
                     "With a re-ranker: only pairs that are right with this probability at least, from 0 to 1; with "
                     "--entries, the share of all that is named which shall be right");
    arguments.exclude("--threshold", "--precision");
    arguments.exclude("--recall", "--precision");
    arguments.number("--margin", margin_, "Least distance of the score to the next best (default: 0)");
    arguments.number("--first-rank", first_, 1, Arguments::kMost,
                     "Only words from this frequency rank on (default: 1)");
    arguments.number("--last-rank", last_, 0, Arguments::kMost,
                     "Only words up to this frequency rank, 0 for all (default: 0)");
    arguments.text("--exclude", exclude_, "LEXICON", "Leave out the pairs of this lexicon");
    arguments.choice(
        "--only", only_, {"new", "identical", "cognates", "false-friends"},
        "Only words that the lexicon of --exclude does not have (new), pairs of equal words (identical), of "
        "words that are written alike (cognates), or words that are written alike and are no translations "
        "of each other (false-friends)");
    retrieval_.declare(arguments);
  }

  ExitCode run(Session& session) override {
    std::vector<std::string> files = inputs_.paths();
    files.push_back(exclude_);
    files.insert(files.end(), entries_.known().paths().begin(), entries_.known().paths().end());
    check_together([&] { check_options(); });
    if (entries_.asked()) {
      write_entries(session, files);
      return ExitCode::success;
    }
    refuse_overwriting(output_, files);
    TextOutput output(session, output_);
    const PairFilter wanted = filter();
    const Mapping mapping = inputs_.open({exclude_});
    retrieval_.settle(mapping);
    if (precision_ && retrieval_.criterion() != "rerank")
      throw UsageError("--precision needs the probabilities of --criterion rerank");
    if (works_with_others()) {
      check_together([&] { require_sharded_criterion(retrieval_.criterion()); });
      const auto space = inputs_.load_sharded(session, mapping);
      induce(session, output, *space, {.neighbors = retrieval_.neighbors()}, wanted);
      return ExitCode::success;
    }
    const CommonSpace space = inputs_.load(session, mapping);
    if (only_ == "false-friends") {
      write_false_friends(session, output, space, wanted);
      return ExitCode::success;
    }
    induce(session, output, space, retrieval_.options_for(session, space), wanted);
    return ExitCode::success;
  }

 private:
  /// From a CommonSpace, or a ShardedSpace by several processes together.
  template <class Space>
  void induce(Session& session, TextOutput& output, const Space& space, const CriterionOptions& criterion,
              const PairFilter& wanted) const {
    const Stopwatch stopwatch;
    InductionOptions options;
    options.criterion = retrieval_.criterion();
    options.criterion_options = criterion;
    options.direction = mutual_ ? InductionDirection::intersection : InductionDirection::source_to_target;
    options.count = count_;
    options.first_word = first_ - 1;
    options.last_word = last_;
    if (threshold_) options.threshold = *threshold_;
    if (precision_) options.threshold = *precision_;
    options.margin = margin_;
    auto pairs = induce_lexicon(space, options);
    const Vocabulary &source = space.vocabulary(Side::source), &target = space.vocabulary(Side::target);
    std::erase_if(pairs,
                  [&](const InducedPair& pair) { return !wanted.wants(source[pair.source], target[pair.target]); });
    write(output, source, target, pairs);
    session.note(fmt::format("{}: {} by {} ({})", output_.empty() ? "standard output" : output_name(output_),
                             counted(pairs.size(), "pair"), options.criterion, stopwatch.to_text()));
  }

  void write_entries(Session& session, const std::vector<std::string>& files) {
    const std::vector<std::string> inputs = inputs_.paths();
    entries_.open(output_, inputs[1], inputs[2], files);
    const PairFilter wanted = filter();
    const Mapping mapping = inputs_.open({exclude_});
    retrieval_.settle(mapping);
    if (retrieval_.criterion() != "rerank")
      throw UsageError("--entries needs the probabilities of --criterion rerank, and a mapping that has them");
    entries_.write(session, inputs_, inputs_.load(session, mapping),
                   {first_ - 1, last_ == 0 ? std::numeric_limits<std::size_t>::max() : last_, precision_}, wanted);
  }

  void check_options() {
    entries_.check();
    if (entries_.asked() &&
        (works_with_others() || mutual_ || threshold_ || margin_ > 0 || count_ != 1 || only_ == "false-friends"))
      throw UsageError(
          "--entries takes neither --count, --mutual, --threshold, --margin nor --only false-friends, and is for one "
          "process");
    if (works_with_others()) {
      inputs_.require_shardable();
      if (only_ == "false-friends") throw UsageError("--only false-friends is for one process");
      if (!retrieval_.criterion().empty()) require_sharded_criterion(retrieval_.criterion());
    }
    if (last_ > 0 && first_ > last_)
      throw UsageError(fmt::format("there are no words from rank {} up to rank {}", first_, last_));
    if (precision_ && !(*precision_ >= 0 && *precision_ <= 1))
      throw UsageError("--precision must be a number from 0 to 1");
    if (!(margin_ >= 0)) throw UsageError("--margin must be a number from 0 up");
    if (only_ == "new" && exclude_.empty()) throw UsageError("--only new needs to know what is old: --exclude LEXICON");
    if (only_ == "false-friends" && (mutual_ || threshold_ || margin_ > 0 || count_ != 1))
      throw UsageError("--only false-friends takes neither --count, --mutual, --threshold nor --margin");
  }

  /// Without the pairs of --exclude.
  PairFilter filter() const {
    const PairKind kind = only_.empty() || only_ == "false-friends" ? PairKind::all : parse_pair_kind(only_);
    return exclude_.empty() ? PairFilter(kind) : PairFilter(kind, read_word_pairs(exclude_));
  }

  void write_false_friends(Session& session, TextOutput& output, const CommonSpace& space,
                           const PairFilter& wanted) const {
    const Stopwatch stopwatch;
    FalseFriendOptions options;
    // By vectors alone: a re-ranker would be taken in by the spelling.
    options.criterion = retrieval_.criterion() == "rerank" ? "csls" : retrieval_.criterion();
    options.criterion_options = retrieval_.options_for(session, space);
    options.first_word = first_ - 1;
    options.last_word = last_;
    std::string text = "# source\ttarget\tcosine\tbest translation\tits cosine\n";
    std::size_t count = 0;
    for (const FalseFriend& pair : find_false_friends(space, options)) {
      const std::string_view x = space.vocabulary(Side::source)[pair.source],
                             y = space.vocabulary(Side::target)[pair.target];
      if (wanted.knows(x, y)) continue;
      ++count;
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{:.6f}\t{}\t{:.6f}\n", escape_field(x), escape_field(y),
                     pair.cosine, escape_field(space.vocabulary(Side::target)[pair.best]), pair.best_cosine);
    }
    output.write(text);
    output.finish();
    session.note(fmt::format("{}: {} that look alike, by {} ({})",
                             output_.empty() ? "standard output" : output_name(output_), counted(count, "pair"),
                             options.criterion, stopwatch.to_text()));
  }

  static void write(TextOutput& output, const Vocabulary& source, const Vocabulary& target,
                    const std::vector<InducedPair>& pairs) {
    constexpr std::size_t kPiece = 1 << 16;
    std::string text = "# source\ttarget\tscore\trank\tmargin\n";
    for (const InducedPair& pair : pairs) {
      fmt::format_to(std::back_inserter(text), "{}\t{}\t{:.6f}\t{}\t{:.6f}\n", escape_field(source[pair.source]),
                     escape_field(target[pair.target]), pair.score, pair.rank, pair.margin);
      if (text.size() < kPiece) continue;
      output.write(text);
      text.clear();
    }
    output.write(text);
    output.finish();
  }

  MappedInputs inputs_;
  RetrievalOptions retrieval_;
  EntryOutput entries_;
  std::string output_, exclude_, only_;
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
          "  wordbridge induce en-es.wbmap en.vec es.vec --exclude en-es.txt --only new --mutual -o new.tsv\n"
          "  wordbridge induce en-es.wbmap en.vec es.vec --only false-friends --last-rank 20000\n"
          "  wordbridge induce en-es.wbmap en.vec es.vec --entries --both -o en-es.ifo\n"
          "  wordbridge induce en-es.wbmap en.vec es.vec --entries --precision 0.9 --format apertium -o en-es.dix\n"
          "A line holds source word, target word, score, rank of the translation and distance to the next best,\n"
          "separated by tabs, the most frequent words first: a lexicon that 'align' and 'evaluate' read.",
          make_command<InduceCommand>};
}

}  // namespace wordbridge::cli
