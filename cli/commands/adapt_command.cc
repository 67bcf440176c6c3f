#include <fmt/format.h>

#include <utility>

#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/item_pairs.h"
#include "cli/options/arguments.h"
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

/// Learns to bring vectors of a new embedding model into the space of an old one.
class AdaptCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    source_.declare(arguments, "new", "Vectors of the new model", "--new-vocabulary");
    target_.declare(arguments, "old", "Vectors of the old model: the index that stays as it is", "--old-vocabulary");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The adapter to write (.wbmap)", Arguments::Need::required);
    arguments.flag("--json", json_, "Print the comparison of maps as JSON");
    arguments.flag("--learning-curve", options_.learning_curve,
                   "Also show what half of the pairs, a quarter, ... reach: how many are needed?");
    pairs_.declare(arguments);
    arguments.heading("Pairs");
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
    refuse_overwriting(output_, std::vector<std::string>{source_.path, target_.path, pairs_.path()});
    options_.criterion = criterion_ == "own"         ? AdaptCriterion::own
                         : criterion_ == "neighbors" ? AdaptCriterion::neighbors
                                                     : AdaptCriterion::both;
    options_.neighbors = neighbors_;
    options_.passes = static_cast<int>(passes_);
    options_.negatives = negatives_;
    require_valid(options_);
    pairs_.read(vectors_.lenient);
    AtomicFile output(output_);
    const PairedTables tables = PairedTables::load(session, source_, target_, vectors_, pairs_, options_.sample);
    const Stopwatch learning;
    Adaptation result = learn(tables);
    result.mapping.provenance.max_words = vectors_.max_words.value_or(0);
    const AdaptReport& report = result.report;
    if (json_)
      session.print(adapt_json(report) + "\n");
    else
      session.print(adapt_table(report).to_text() + adapt_note(report) +
                    (options_.learning_curve ? "\n" + curve_table(report).to_text() + curve_note(report) : ""));
    session.note(fmt::format("{}: {} x {} with intercept ({})", report.rows[report.chosen].map,
                             result.mapping.source_map().rows(), result.mapping.source_map().cols(),
                             learning.to_text()));
    write_mapping(result.mapping, output);
    session.note(fmt::format("{} written ({} in all)", output_, whole.to_text()));
    if (result.mapping.target_map())
      session.note(
          fmt::format("next: wordbridge apply {} {} --side target -o ITEMS (the index, written anew), and "
                      "wordbridge apply {} QUERIES -o OUTPUT",
                      output_, target_.path, output_));
    else
      session.note(fmt::format("next: wordbridge apply {} QUERIES --into target -o OUTPUT", output_));
    return ExitCode::success;
  }

 private:
  Adaptation learn(const PairedTables& tables) const {
    const auto& [pairs, how] = tables.paired;
    Adaptation result = tables.sampled ? adapt(tables.source.table(), tables.target.table(), pairs, options_)
                                       : adapt(tables.source, tables.target, pairs, options_);
    Provenance& provenance = result.mapping.provenance;
    if (tables.sampled) {
      provenance.source = tables.source_origin;
      provenance.target = tables.target_origin;
    }
    provenance.lexicon = fmt::format("{} {}", counted(pairs.size(), "pair"), how);
    return result;
  }

  VectorFile source_, target_;
  VectorOptions vectors_;
  ItemPairs pairs_;
  AdaptOptions options_;
  std::string output_, criterion_ = "both";
  std::uint64_t neighbors_ = 10, passes_ = 12, negatives_ = 2000;
  bool json_ = false;
};

}  // namespace

CommandEntry adapt_command() {
  return {"adapt", "Keep an index when the embedding model changes: from new vectors to the old model's",
          "  wordbridge adapt new.npy old.npy -o adapter.wbmap\n"
          "  wordbridge adapt new.npy old.npy --lexicon pairs.tsv --criterion own -o adapter.wbmap\n"
          "  wordbridge apply adapter.wbmap queries.npy --into target -o queries.old.npy\n"
          "  wordbridge adapt new.npy old.npy --map both-sides -o both.wbmap\n"
          "Both tables hold vectors of the same items, texts for example, by two models. Several kinds of map are\n"
          "compared on pairs held out, and the table is printed. The map leads to the old model's own coordinates:\n"
          "nothing in the index changes.",
          make_command<AdaptCommand>};
}

}  // namespace wordbridge::cli
