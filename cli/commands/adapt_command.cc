#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/lexicon_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/report/adapt_report.h"
#include "cli/session.h"
#include "mapping/mapping_format.h"
#include "wordbridge/adapt.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::cli {

namespace {

/// Two tables of items and their pairs.
struct PairedTables {
  WordVectors source, target;
  std::vector<Lexicon::Pair> pairs;
  std::string how;       // they were paired, for people
  bool sampled = false;  // only some rows were kept
};

/// Learns to bring vectors of a new embedding model into the space of an old one.
class AdaptCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    source_.declare(arguments, "new", "Vectors of the new model", "--new-vocabulary");
    target_.declare(arguments, "old", "Vectors of the old model: the index that stays as it is", "--old-vocabulary");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The adapter to write (.wbmap)", Arguments::Need::required);
    arguments.flag("--json", json_, "Print the comparison of maps as JSON");
    arguments.heading("Pairs");
    arguments.flag(
        "--by-row", by_row_,
        "Row i of one table belongs to row i of the other, whatever their ids (usual where neither has ids)");
    lexicon_.declare(arguments, LexiconOptions::Sources::optional_file);
    arguments.number("--sample", options_.sample, 0, std::uint64_t{1} << 31,
                     "Use at most N pairs, and N items of the index, 0 for all (default: 100000)");
    arguments.heading("Map");
    std::vector<std::string> kinds = {"auto"};
    std::string help;
    for (const AdapterKind& kind : adapter_kinds()) {
      kinds.push_back(kind.name);
      help += fmt::format("; {}: {}", kind.name, kind.summary);
    }
    arguments.choice(
        "--map", options_.map, kinds,
        "Its kind (default: auto, the simplest that none beats beyond chance on held-out pairs" + help + ")");
    arguments.choice("--criterion", criterion_, {"own", "neighbors", "both"},
                     "What a map is to be good at: that the own item comes first, that the items are returned which "
                     "the old index would have returned, or both (default)");
    arguments.number("-k,--neighbors", neighbors_, 1, 1000, "How many items the old index returns (default: 10)");
    arguments.heading("Contrastive map (chosen on held-out pairs where not given)");
    arguments.number("--temperature", options_.temperature, "Temperature of the softmax over items");
    arguments.number("--smoothing", options_.smoothing, "Share of an item's probability for its old neighbors");
    arguments.number("--dropout", options_.dropout, "Share of an input that a training step leaves out");
    arguments.number("--passes", passes_, 1, 10'000, "Passes over the pairs (default: 12)");
    arguments.number("--negatives", negatives_, 0, std::uint64_t{1} << 24,
                     "Items that a step compares with, 0 for all (default: 2000)");
    arguments.number("--decay", options_.decay, "Keeps the map near its start (default: 0)");
    arguments.number("--backward", options_.backward, "Weight of the other direction (default: 0)");
    vectors_.declare(arguments, "all");
  }

  ExitCode run(Session& session) override {
    const Stopwatch whole;
    require_mapping_name(output_);
    refuse_overwriting(output_, std::vector<std::string>{source_.path, target_.path, lexicon_.path()});
    if (by_row_ && lexicon_.given()) throw UsageError("--by-row and --lexicon exclude each other");
    options_.criterion = criterion_ == "own"         ? AdaptCriterion::own
                         : criterion_ == "neighbors" ? AdaptCriterion::neighbors
                                                     : AdaptCriterion::both;
    options_.neighbors = neighbors_;
    options_.passes = static_cast<int>(passes_);
    options_.negatives = negatives_;
    require_valid(options_);
    lexicon_.read(vectors_.lenient);
    AtomicFile output(output_);
    const PairedTables tables = load(session);
    session.note(fmt::format("{} {}", counted(tables.pairs.size(), "pair"), tables.how));
    const Stopwatch learning;
    Adaptation result = adapt(tables.source, tables.target, tables.pairs, options_);
    result.mapping.provenance.lexicon = fmt::format("{} {}", counted(tables.pairs.size(), "pair"), tables.how);
    result.mapping.provenance.max_words = vectors_.max_words.value_or(0);
    const AdaptReport& report = result.report;
    if (json_)
      session.print(adapt_json(report) + "\n");
    else
      session.print(adapt_table(report).to_text() + adapt_note(report));
    session.note(fmt::format("{}: {} x {} with intercept ({})", report.rows[report.chosen].map,
                             result.mapping.source_map().rows(), result.mapping.source_map().cols(),
                             learning.to_text()));
    write_mapping(result.mapping, output);
    session.note(fmt::format("{} written ({} in all)", output_, whole.to_text()));
    session.note(fmt::format("next: wordbridge apply {} QUERIES --into target -o OUTPUT", output_));
    return ExitCode::success;
  }

 private:
  PairedTables load(Session& session) const {
    PairedTables tables;
    tables.source = load_vectors(session, source_, vectors_, 0);
    tables.target = load_vectors(session, target_, vectors_, 0);
    if (lexicon_.given()) {
      const Lexicon lexicon = lexicon_.find(session, tables.source.vocabulary(), tables.target.vocabulary());
      tables.pairs.assign(lexicon.pairs().begin(), lexicon.pairs().end());
      tables.how = fmt::format("of {}", lexicon_.path());
    } else if (by_row_ || (row_names(tables.source.summary()) == RowNames::numbers &&
                           row_names(tables.target.summary()) == RowNames::numbers)) {
      pair_by_row(tables);
    } else {
      pair_by_ids(tables);
    }
    return tables;
  }

  void pair_by_ids(PairedTables& tables) const {
    const Vocabulary& old = tables.target.vocabulary();
    for (std::size_t i = 0; i < tables.source.size(); ++i)
      if (const auto row = old.find(tables.source.vocabulary()[static_cast<WordId>(i)]))
        tables.pairs.push_back({static_cast<WordId>(i), *row});
    if (tables.pairs.empty())
      throw UsageError(
          fmt::format("{} and {} have no ids in common: --by-row pairs their rows, --lexicon FILE names the "
                      "pairs",
                      source_.path, target_.path));
    tables.how = "of equal ids";
  }

  void pair_by_row(PairedTables& tables) const {
    if (tables.source.size() != tables.target.size())
      throw UsageError(fmt::format("{} has {}, {} has {}: they cannot be paired by row", source_.path,
                                   counted(tables.source.size(), "row"), target_.path,
                                   counted(tables.target.size(), "row")));
    for (std::size_t i = 0; i < tables.source.size(); ++i)
      tables.pairs.push_back({static_cast<WordId>(i), static_cast<WordId>(i)});
    tables.how = "by row";
  }

  VectorFile source_, target_;
  VectorOptions vectors_;
  LexiconOptions lexicon_;
  AdaptOptions options_;
  std::string output_, criterion_ = "both";
  std::uint64_t neighbors_ = 10, passes_ = 12, negatives_ = 2000;
  bool by_row_ = false, json_ = false;
};

}  // namespace

CommandEntry adapt_command() {
  return {"adapt", "Keep an index when the embedding model changes: from new vectors to the old model's",
          "  wordbridge adapt new.npy old.npy -o adapter.wbmap\n"
          "  wordbridge adapt new.npy old.npy --lexicon pairs.tsv --criterion own -o adapter.wbmap\n"
          "  wordbridge apply adapter.wbmap queries.npy --into target -o queries.old.npy\n"
          "Both tables hold vectors of the same items, texts for example, by two models. Several kinds of map are\n"
          "compared on pairs held out, and the table is printed. The map leads to the old model's own coordinates:\n"
          "nothing in the index changes.",
          make_command<AdaptCommand>};
}

}  // namespace wordbridge::cli
