#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/atomic_file.h"
#include "base/escaped_text.h"
#include "base/random.h"
#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/item_pairs.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/report/retrieval_report.h"
#include "evaluation/relevance_judgements.h"
#include "linalg/rows.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::cli {

namespace {

/// Whether queries of a new embedding model find in an old index what they should.
class EvaluateRetrievalCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.list("files", files_, 2, 3, "[adapter] new old",
                   "An adapter, the new model's vectors of queries (or of items that ask for themselves), and the old "
                   "model's vectors of the index");
    arguments.heading("What should be found");
    arguments.text("--relevant", relevant_, "FILE",
                   "Judgements, 'query item grade' a line or TREC's four columns: adds nDCG and recall");
    arguments.text("--old-queries", old_queries_.path, "FILE",
                   "The old model's vectors of the same queries (default: the old vectors of their own items)");
    arguments.text("--reembedded", reembedded_.path, "FILE",
                   "The new model's vectors of the index (default: the queries', where each item asks)");
    arguments.text("--at", at_text_, "K,K,...", "Look at so many results (default: 1,10,100)");
    arguments.number("--queries", queries_, 1, Arguments::kMost, "Ask N queries, drawn at random (default: 10000)");
    arguments.number("-k,--neighbors", neighbors_, 1, 1 << 20, "Neighbors that csls looks at (default: 10)");
    pairs_.declare(arguments);
    arguments.heading("Output");
    format_.declare(arguments);
    arguments.text("--html", html_, "FILE", "Write a page: keep the index or embed again, pairs it takes, who loses");
    arguments.text("--details", details_, "FILE", "Write what became of each query (tab-separated)");
    source_.declare_vocabulary(arguments, "new", "--new-vocabulary");
    target_.declare_vocabulary(arguments, "old", "--old-vocabulary");
    vectors_.declare(arguments, "all");
  }

  ExitCode run(Session& session) override {
    take_files();
    at_ = parse_ranks(at_text_);
    pairs_.read(vectors_.lenient);
    std::optional<RelevanceJudgements> judgements;
    if (!relevant_.empty()) judgements = read_judgements(session);
    std::optional<AtomicFile> html, details;
    if (!html_.empty()) html.emplace(html_);
    if (!details_.empty()) details.emplace(details_);
    const std::optional<Mapping> mapping = open_mapping();
    source_vectors_ = load_vectors(session, source_, vectors_, 0);
    target_vectors_ = load_vectors(session, target_, vectors_, 0);
    if (!old_queries_.path.empty()) old_vectors_ = load_vectors(session, old_queries_, vectors_, 0);
    if (!reembedded_.path.empty()) new_vectors_ = load_vectors(session, reembedded_, vectors_, 0);
    choose_queries(session, judgements);
    RetrievalFindings findings = measure(session, mapping);
    if (details) {
      details->write(details_of(findings));
      details->commit();
    }
    if (html) {
      html->write(retrieval_page(findings));
      html->commit();
    }
    print(session, findings);
    return ExitCode::success;
  }

 private:
  void take_files() {
    if (files_.size() == 3) adapter_ = files_.front();
    source_.path = files_[files_.size() - 2];
    target_.path = files_.back();
    const std::vector<std::string> inputs = {adapter_,          source_.path,     target_.path, relevant_,
                                             old_queries_.path, reembedded_.path, pairs_.path()};
    require_one_standard_input(inputs);
    for (const std::string& output : {html_, details_}) refuse_overwriting(output, inputs);
    refuse_same_output(html_, details_);
  }

  static std::vector<std::size_t> parse_ranks(const std::string& text) {
    constexpr std::size_t kMost = 10'000;
    std::vector<std::size_t> ranks;
    const char* at = text.data();
    const char* const end = text.data() + text.size();
    while (true) {
      std::size_t rank = 0;
      const auto [next, error] = std::from_chars(at, end, rank);
      if (error != std::errc() || rank < 1 || rank > kMost || (next != end && *next != ','))
        throw UsageError(
            fmt::format("--at: numbers from 1 to {} with commas between them are expected, as 1,10,100", kMost));
      ranks.push_back(rank);
      if (next == end) return ranks;
      at = next + 1;
    }
  }

  RelevanceJudgements read_judgements(Session& session) const {
    RelevanceJudgements judgements = read_relevance_judgements(relevant_, vectors_.lenient);
    std::string line = fmt::format("{}: {}", relevant_, counted(judgements.judgements.size(), "judgement"));
    if (judgements.repeated > 0) line += fmt::format(", {} repeated and set aside", judgements.repeated);
    if (judgements.skipped_lines > 0)
      session.note_skipped(fmt::format("{}; {} skipped ({})", line, counted(judgements.skipped_lines, "line"),
                                       judgements.first_skipped));
    else
      session.note(line);
    return judgements;
  }

  std::optional<Mapping> open_mapping() const {
    const auto source = dimension_ahead(source_, vectors_), target = dimension_ahead(target_, vectors_);
    if (adapter_.empty()) {
      if (source && target && *source != *target)
        throw UsageError(fmt::format(
            "without an adapter both files must share a space, but their dimensions are {} and {}", *source, *target));
      return std::nullopt;
    }
    Mapping mapping = read_mapping(adapter_);
    if (source) mapping.require_dimension(*source, Side::source, file_name(source_.path));
    if (target) mapping.require_dimension(*target, Side::target, file_name(target_.path));
    return mapping;
  }

  /// Those that are judged; without judgements, those of pairs. Then some of them.
  void choose_queries(Session& session, const std::optional<RelevanceJudgements>& judgements) {
    std::map<WordId, std::vector<WordId>> own;
    if (!judgements || pairs_.given())
      for (const auto& pair : pairs_.find(session, source_vectors_, target_vectors_).pairs) {
        if (!usable(pair)) continue;
        own[pair.source].push_back(pair.target);
        new_row_of_.emplace(pair.target, pair.source);
      }
    std::map<WordId, std::vector<std::pair<WordId, double>>> grades;
    if (judgements) grades = look_up(session, *judgements);
    for (const auto& [query, items] : own)
      if (!judgements || grades.contains(query)) asking_.push_back(query);
    if (own.empty())
      for (const auto& [query, items] : grades) asking_.push_back(query);
    if (asking_.empty()) throw UsageError("there is no query whose items are known");
    if (asking_.size() > queries_) {
      std::vector<WordId> drawn;
      std::vector<std::size_t> places = Random(session.options().seed).sample(asking_.size(), queries_);
      std::ranges::sort(places);
      for (const std::size_t place : places) drawn.push_back(asking_[place]);
      asking_ = std::move(drawn);
    }
    for (const WordId query : asking_) {
      if (!own.empty()) truth_.own.push_back(own[query]);
      if (judgements) truth_.grades.push_back(grades[query]);
    }
  }

  bool usable(const Lexicon::Pair& pair) const {
    return !is_zero(source_vectors_.table().row(pair.source)) && !is_zero(target_vectors_.table().row(pair.target));
  }

  std::map<WordId, std::vector<std::pair<WordId, double>>> look_up(Session& session,
                                                                   const RelevanceJudgements& judgements) const {
    std::map<WordId, std::vector<std::pair<WordId, double>>> grades;
    std::size_t unknown_queries = 0, unknown_items = 0;
    for (const auto& judgement : judgements.judgements) {
      if (judgement.grade <= 0) continue;
      const auto query = source_vectors_.vocabulary().find(judgement.query);
      const auto item = target_vectors_.vocabulary().find(judgement.item);
      unknown_queries += !query;
      unknown_items += query && !item;
      if (query && item) grades[*query].emplace_back(*item, judgement.grade);
    }
    if (grades.empty())
      throw InputError(relevant_, 0,
                       fmt::format("no judgement names a query of {} and an item of {}", file_name(source_.path),
                                   file_name(target_.path)));
    if (unknown_queries + unknown_items > 0)
      session.warn(fmt::format("{}: {} of unknown queries and {} of unknown items are left out", relevant_,
                               counted(unknown_queries, "judgement"), unknown_items));
    return grades;
  }

  /// The rows of a table by the ids of other rows; zero where it has none. Tables of numbered rows go by number.
  static Matrix rows_by_id(const WordVectors& table, const Vocabulary& ids, std::span<const WordId> wanted) {
    Matrix rows(wanted.size(), table.dimension());
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (const auto row = table.vocabulary().find(ids[wanted[i]]))
        std::ranges::copy(table.table().row(*row), rows.row(i).begin());
    return rows;
  }

  /// The old model's vectors of the queries; nothing where they are not known.
  std::optional<Matrix> old_query_rows() const {
    if (old_vectors_) {
      if (old_vectors_->dimension() != target_vectors_.dimension())
        throw UsageError(fmt::format("{} has {} dimensions, {} has {}", old_queries_.path, old_vectors_->dimension(),
                                     target_.path, target_vectors_.dimension()));
      return rows_by_id(*old_vectors_, source_vectors_.vocabulary(), asking_);
    }
    if (truth_.own.empty()) return std::nullopt;
    std::vector<WordId> rows;
    for (const auto& own : truth_.own) rows.push_back(own.front());
    return gather_rows(target_vectors_.table(), rows);
  }

  /// The new model's vectors of the index, row by row; nothing where some are not known.
  std::optional<Matrix> reembedded_rows() const {
    std::vector<WordId> items(target_vectors_.size());
    for (std::size_t i = 0; i < items.size(); ++i) items[i] = static_cast<WordId>(i);
    if (new_vectors_) {
      if (new_vectors_->dimension() != source_vectors_.dimension())
        throw UsageError(fmt::format("{} has {} dimensions, {} has {}", reembedded_.path, new_vectors_->dimension(),
                                     source_.path, source_vectors_.dimension()));
      return rows_by_id(*new_vectors_, target_vectors_.vocabulary(), items);
    }
    Matrix rows(items.size(), source_vectors_.dimension());
    for (const WordId item : items) {
      const auto paired = new_row_of_.find(item);
      const auto row = paired != new_row_of_.end()
                           ? std::optional<WordId>(paired->second)
                           : source_vectors_.vocabulary().find(target_vectors_.vocabulary()[item]);
      if (!row) return std::nullopt;
      std::ranges::copy(source_vectors_.table().row(*row), rows.row(item).begin());
    }
    return rows;
  }

  /// A way of retrieval by nearest neighbor, of rows as they are.
  static Candidates nearest(Matrix queries, const UnitRows& items, std::size_t count) {
    const CommonSpace space(UnitRows::normalized(std::move(queries)), items);
    return make_criterion("nn", space)->best(space.table(Side::source), count);
  }

  RetrievalFindings measure(Session& session, const std::optional<Mapping>& mapping) {
    const CommonSpace space = mapping ? CommonSpace::mapped(*mapping, source_vectors_, target_vectors_)
                                      : CommonSpace(source_vectors_, target_vectors_);
    const UnitRows index = UnitRows::of(target_vectors_.table());
    const std::size_t depth = std::max(*std::ranges::max_element(at_), std::size_t{2});
    if (auto old = old_query_rows()) truth_.old = nearest(std::move(*old), index, std::min(depth, index.nonzero()));
    if (!truth_.own.empty() && !old_vectors_ && truth_.old.found > 1)
      for (std::size_t i = 0; i < asking_.size(); ++i) truth_.crowding.push_back(truth_.old.scores_of(i)[1]);
    const RetrievalEvaluation evaluation(truth_, target_vectors_.table(), at_);

    RetrievalFindings findings;
    findings.measures = evaluation.measures();
    const Matrix queries = space.state().rows_of(Side::source, asking_);
    for (const char* criterion : {"nn", "csls"})
      findings.results.push_back(evaluation.of(
          mapping ? kAdapted : kAsTheyAre, criterion,
          make_criterion(criterion, space, {.neighbors = neighbors_})->best(queries, evaluation.depth())));
    add_others(evaluation, mapping.has_value(), index, findings);
    describe(session, evaluation, mapping, findings);
    return findings;
  }

  void add_others(const RetrievalEvaluation& evaluation, bool mapped, const UnitRows& index,
                  RetrievalFindings& findings) const {
    const auto add = [&](const char* system, Matrix queries, const UnitRows& items) {
      findings.results.push_back(evaluation.of(system, "nn", nearest(std::move(queries), items, evaluation.depth())));
    };
    const auto raw = [&] { return gather_rows(source_vectors_.table(), asking_); };
    if (mapped && source_vectors_.dimension() == target_vectors_.dimension()) add(kAsTheyAre, raw(), index);
    if (old_vectors_) add(kOldModel, *old_query_rows(), index);
    if (mapped)
      if (auto rows = reembedded_rows()) add(kEmbeddedAgain, raw(), UnitRows::normalized(std::move(*rows)));
  }

  void describe(Session& session, const RetrievalEvaluation& evaluation, const std::optional<Mapping>& mapping,
                RetrievalFindings& findings) const {
    constexpr std::size_t kLost = 10;
    findings.adapter = adapter_.empty() ? "no adapter" : file_name(adapter_);
    findings.source = file_name(source_.path);
    findings.target = file_name(target_.path);
    findings.queries = asking_.size();
    findings.items = target_vectors_.size();
    if (mapping) {
      findings.provenance = mapping->provenance;
      findings.learned_from_these = pairs_.path().empty() && relevant_.empty() &&
                                    !mapping->provenance.source.checksum.empty() &&
                                    !mapping->mismatch(source_vectors_, Side::source);
    }
    if (findings.learned_from_these)
      session.warn(
          "the adapter was learned from these very vectors: on items that it has not seen it is worse "
          "(--lexicon names pairs that were kept aside)");
    findings.crowds = evaluation.by_crowding(findings.results.front());
    for (const std::size_t query : evaluation.worst(findings.results.front(), kLost))
      findings.lost.push_back(row_of(findings, query));
  }

  RetrievalFindings::Lost row_of(const RetrievalFindings& findings, std::size_t query) const {
    const RetrievalResult& result = findings.results.front();
    RetrievalFindings::Lost row;
    row.query = source_vectors_.vocabulary()[asking_[query]];
    if (!truth_.own.empty()) row.own = target_vectors_.vocabulary()[truth_.own[query].front()];
    row.first = target_vectors_.vocabulary()[result.first[query]];
    row.own_rank = result.own_rank[query];
    for (const auto& values : result.values) row.values.push_back(values[query]);
    return row;
  }

  std::string details_of(const RetrievalFindings& findings) const {
    std::string text = "query\town\town_rank\tfirst";
    for (const auto& measure : findings.measures) text += "\t" + measure.name();
    text += "\n";
    for (std::size_t query = 0; query < asking_.size(); ++query) {
      const auto row = row_of(findings, query);
      text += fmt::format("{}\t{}\t{}\t{}", escape_field(row.query), escape_field(row.own), row.own_rank,
                          escape_field(row.first));
      for (const double value : row.values) text += fmt::format("\t{:.4g}", value);
      text += "\n";
    }
    return text;
  }

  void print(Session& session, const RetrievalFindings& findings) const {
    if (format_.json()) {
      session.print(to_json(findings) + "\n");
      return;
    }
    const std::string note = fmt::format("percent of {} among {}; the adapter's rows rank in {}\n{}\n",
                                         counted(findings.queries, "query", "queries"), counted(findings.items, "item"),
                                         "the old index as it is", verdict(findings));
    session.print(format_.render(to_table(findings), note));
    if (!html_.empty()) session.note(fmt::format("{} written: open it in a browser", html_));
  }

  std::vector<std::string> files_;
  std::string adapter_, relevant_, at_text_ = "1,10,100", html_, details_;
  VectorFile source_, target_, old_queries_, reembedded_;
  VectorOptions vectors_;
  ItemPairs pairs_;
  TableFormat format_;
  std::uint64_t queries_ = 10'000, neighbors_ = 10;
  std::vector<std::size_t> at_;
  WordVectors source_vectors_, target_vectors_;
  std::optional<WordVectors> old_vectors_, new_vectors_;
  std::vector<WordId> asking_;                     // rows of the new vectors
  std::unordered_map<WordId, WordId> new_row_of_;  // of items in pairs
  RetrievalTruth truth_;
};

}  // namespace

CommandEntry evaluate_retrieval_command() {
  return {"evaluate retrieval", "Whether an adapter's queries find in the old index what they should",
          "  wordbridge evaluate retrieval adapter.wbmap new.npy old.npy --lexicon kept-aside.tsv\n"
          "  wordbridge evaluate retrieval adapter.wbmap queries.npy old.npy --relevant qrels.tsv --at 10,100\n"
          "  wordbridge evaluate retrieval adapter.wbmap new.npy old.npy --lexicon kept-aside.tsv --html look.html\n"
          "An item asks for itself: it should come first ('own first'), with the items that the old model would have\n"
          "returned ('old 10 kept'). Beside it: embedding everything again, and doing nothing where that is possible.",
          make_command<EvaluateRetrievalCommand>};
}

}  // namespace wordbridge::cli
