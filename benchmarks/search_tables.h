#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "align/linear/procrustes.h"
#include "benchmarks/report.h"
#include "benchmarks/word_like_vectors.h"
#include "linalg/blas.h"
#include "wordbridge/formats.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge::benchmarks {

/// The options that choose the tables of a search benchmark. Ask for them before check_options().
struct SearchTableOptions {
  explicit SearchTableOptions(Report& report, std::size_t standard_words)
      : words(report.option("words", standard_words, "rows of a table, at most")),
        dimension(report.option("dimension", 300, "columns of made-up tables")),
        source(report.text("source", "", "a file of real vectors, brought to unit length")),
        target(report.text("target", "", "another one, in which neighbors are searched")),
        lexicon(report.text("lexicon", "", "pairs of their words, where these are needed")) {}

  std::size_t words, dimension;
  std::string source, target, lexicon;
};

/// A table of a file, and its words.
struct RealTable {
  explicit RealTable(const std::string& path, std::size_t words) : vectors(read_vectors(path, {.max_words = words})) {
    rows = Matrix::copy_of(vectors.table());
    normalize_rows(rows);
  }

  WordVectors vectors;
  Matrix rows;
};

/// Two tables, and pairs of rows that mean the same.
struct SearchTables {
  Matrix source, target;
  std::vector<Lexicon::Pair> pairs;
};

/// The tables that the options name with the pairs of the lexicon, or made-up ones; `most` pairs at most.
inline SearchTables search_tables(const SearchTableOptions& options, Report& report, std::size_t most) {
  SearchTables result;
  if (options.source.empty() || options.target.empty()) {
    report.say("made-up vectors: unit length, decaying spectrum, clusters, hubs");
    WordLikeVectors made_up = word_like_vectors(options.words, options.dimension);
    result.source = std::move(made_up.source);
    result.target = std::move(made_up.target);
    for (std::uint32_t i = 0; i < std::min(most, options.words); ++i) result.pairs.push_back({i, i});
    return result;
  }
  report.say("real vectors: " + options.source + ", " + options.target);
  RealTable source(options.source, options.words), target(options.target, options.words);
  if (!options.lexicon.empty()) {
    const Lexicon lexicon = read_lexicon(options.lexicon, source.vectors.vocabulary(), target.vectors.vocabulary());
    for (const Lexicon::Pair& pair : lexicon.pairs())
      if (result.pairs.size() < most) result.pairs.push_back({pair.source, pair.target});
  }
  result.source = std::move(source.rows);
  result.target = std::move(target.rows);
  return result;
}

/// The best rotation of the sources onto the targets for these pairs.
inline MatrixD procrustes_map(const SearchTables& tables) {
  return procrustes_rotation(tables.source, tables.target, tables.pairs);
}

/// The sources where a map learned by rotation alone puts them, as the first search of a training or an evaluation sees
/// them; where they are if there are no pairs to learn from.
inline Matrix mapped_sources(const SearchTables& tables, Report& report) {
  if (tables.pairs.empty()) {
    report.say("no --lexicon: the sources are not mapped, which no command would ask for");
    return tables.source;
  }
  Matrix result = multiply_abt(tables.source, to_float(procrustes_map(tables)));
  normalize_rows(result);
  return result;
}

}  // namespace wordbridge::benchmarks
