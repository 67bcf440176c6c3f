#include "cli/item_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "base/random.h"
#include "base/wording.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "vectors/row_blocks.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::cli {

void ItemPairs::declare(Arguments& arguments) {
  arguments.heading("Pairs");
  arguments.flag("--by-row", by_row_,
                 "Row i of one table belongs to row i of the other, whatever their ids (usual where neither has ids)");
  lexicon_.declare(arguments, LexiconOptions::Sources::optional_file);
}

void ItemPairs::read(bool lenient) {
  if (by_row_ && lexicon_.given()) throw UsageError("--by-row and --lexicon exclude each other");
  lexicon_.read(lenient);
}

ItemPairs::Found ItemPairs::find(Session& session, const WordVectors& source, const WordVectors& target) const {
  const auto numbered = [](const WordVectors& vectors) { return row_names(vectors.summary()) == RowNames::numbers; };
  Found found;
  if (lexicon_.given()) {
    const Lexicon lexicon = lexicon_.find(session, source.vocabulary(), target.vocabulary());
    found = {{lexicon.pairs().begin(), lexicon.pairs().end()}, "of " + lexicon_.path()};
  } else {
    found = by_row_ || (numbered(source) && numbered(target)) ? by_row(source, target) : by_ids(source, target);
  }
  session.note(fmt::format("{} {}", counted(found.pairs.size(), "pair"), found.how));
  return found;
}

ItemPairs::Found ItemPairs::by_ids(const WordVectors& source, const WordVectors& target) {
  Found found{{}, "of equal ids"};
  const Vocabulary& old = target.vocabulary();
  for (std::size_t i = 0; i < source.size(); ++i)
    if (const auto row = old.find(source.vocabulary()[static_cast<WordId>(i)]))
      found.pairs.push_back({static_cast<WordId>(i), *row});
  if (found.pairs.empty())
    throw UsageError(
        fmt::format("{} and {} have no ids in common: --by-row pairs their rows, --lexicon FILE names the "
                    "pairs",
                    source.summary().path, target.summary().path));
  return found;
}

ItemPairs::Found ItemPairs::by_row(const WordVectors& source, const WordVectors& target) {
  Found found{{}, "by row"};
  if (source.size() != target.size())
    throw UsageError(fmt::format("{} has {}, {} has {}: they cannot be paired by row", source.summary().path,
                                 counted(source.size(), "row"), target.summary().path, counted(target.size(), "row")));
  for (std::size_t i = 0; i < source.size(); ++i)
    found.pairs.push_back({static_cast<WordId>(i), static_cast<WordId>(i)});
  return found;
}

namespace {

/// A file that is read twice: its names, then some of its rows. Names that come again are left out, as everywhere.
class SampledFile {
 public:
  SampledFile(Session& session, const VectorFile& file, const VectorOptions& options) : file_(file) {
    read_ = file.read_options();
    read_.lenient = options.lenient;
    const std::size_t most = options.max_words.value_or(0);
    const Stopwatch stopwatch;
    Vocabulary names;
    const auto source = open_vectors(file.path, read_);
    for (std::uint64_t row = 0; auto block = source->next();)
      for (const std::string& name : block->words) {
        if ((most == 0 || names.size() < most) && names.add(name)) row_of_.push_back(row);
        ++row;
      }
    ReadSummary summary = source->summary();
    summary.rows = names.size();
    dimension_ = source->dimension();
    note_summary(session, summary, stopwatch);
    names_ = WordVectors(std::move(names), Matrix(row_of_.size(), 0), std::move(summary));
  }

  /// Without vectors.
  const WordVectors& names() const { return names_; }
  VectorsOrigin origin() const { return {file_.path, {}, names_.size(), dimension_, 0}; }

  /// These rows alone, ascending.
  WordVectors read(std::span<const WordId> wanted) const {
    GrowingTable table(dimension_);
    Vocabulary names;
    const auto source = open_vectors(file_.path, read_);
    std::uint64_t begin = 0;
    while (names.size() < wanted.size()) {
      const auto block = source->next();
      if (!block) throw InputError(file_.path, 0, "the file has become shorter while it was read");
      const std::uint64_t end = begin + block->words.size();
      while (names.size() < wanted.size() && row_of_[wanted[names.size()]] < end) {
        const WordId name = wanted[names.size()];
        table.append(block->rows.row(row_of_[name] - begin));
        names.add(names_.vocabulary()[name]);
      }
      begin = end;
    }
    return {std::move(names), table.take(), names_.summary()};
  }

 private:
  const VectorFile& file_;
  ReadOptions read_;
  WordVectors names_;
  std::vector<std::uint64_t> row_of_;  // of each name, in the file
  std::size_t dimension_ = 0;
};

/// At most `most` of the elements, in their order.
template <class T>
std::vector<T> some_of(std::vector<T> all, std::size_t most, std::uint64_t seed) {
  if (all.size() <= most) return all;
  std::vector<std::size_t> places = Random(seed).sample(all.size(), most);
  std::ranges::sort(places);
  std::vector<T> some;
  some.reserve(most);
  for (const std::size_t place : places) some.push_back(all[place]);
  return some;
}

std::vector<WordId> distinct(std::vector<WordId> rows) {
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

/// What makes reading twice worth its while.
bool is_large(const VectorFile& file, const VectorOptions& options, std::size_t sample) {
  if (sample == 0 || !can_be_read_twice(file.path)) return false;
  ReadOptions read = file.read_options();
  read.lenient = options.lenient;
  const auto rows = open_vectors(file.path, read)->promised_rows();
  return rows &&
         std::min<std::uint64_t>(*rows, options.max_words.value_or(0) == 0 ? *rows : *options.max_words) > 2 * sample;
}

PairedTables load_sample(Session& session, const VectorFile& source, const VectorFile& target,
                         const VectorOptions& options, const ItemPairs& pairs, std::size_t sample) {
  const SampledFile from(session, source, options), to(session, target, options);
  PairedTables tables;
  tables.sampled = true;
  tables.source_origin = from.origin();
  tables.target_origin = to.origin();
  ItemPairs::Found found = pairs.find(session, from.names(), to.names());
  const std::uint64_t seed = session.options().seed;
  found.pairs = some_of(std::move(found.pairs), sample, stream_seed(seed, 20));
  std::vector<WordId> source_rows, target_rows, others;
  for (const auto& pair : found.pairs) {
    source_rows.push_back(pair.source);
    target_rows.push_back(pair.target);
  }
  source_rows = distinct(std::move(source_rows));
  target_rows = distinct(std::move(target_rows));
  for (std::size_t row = 0, next = 0; row < to.names().size(); ++row)
    if (next < target_rows.size() && target_rows[next] == row)
      ++next;
    else
      others.push_back(static_cast<WordId>(row));
  others = some_of(std::move(others), sample - std::min(sample, target_rows.size()), stream_seed(seed, 21));
  target_rows.insert(target_rows.end(), others.begin(), others.end());
  std::ranges::sort(target_rows);
  const auto place = [](const std::vector<WordId>& rows, WordId row) {
    return static_cast<WordId>(std::ranges::lower_bound(rows, row) - rows.begin());
  };
  for (auto& pair : found.pairs) pair = {place(source_rows, pair.source), place(target_rows, pair.target), pair.weight};
  tables.paired = std::move(found);
  tables.source = from.read(source_rows);
  tables.target = to.read(target_rows);
  session.note(fmt::format("{} and {} are enough to learn from; --sample N takes more",
                           counted(tables.paired.pairs.size(), "pair"), counted(tables.target.size(), "item")));
  return tables;
}

}  // namespace

PairedTables PairedTables::load(Session& session, const VectorFile& source, const VectorFile& target,
                                const VectorOptions& options, const ItemPairs& pairs, std::size_t sample) {
  if (can_be_read_twice(source.path) && can_be_read_twice(target.path) &&
      (is_large(source, options, sample) || is_large(target, options, sample)))
    return load_sample(session, source, target, options, pairs, sample);
  PairedTables tables;
  tables.source = load_vectors(session, source, options, 0);
  tables.target = load_vectors(session, target, options, 0);
  tables.paired = pairs.find(session, tables.source, tables.target);
  return tables;
}

}  // namespace wordbridge::cli
