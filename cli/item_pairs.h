#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "cli/options/lexicon_options.h"
#include "cli/options/vector_options.h"
#include "cli/session.h"
#include "wordbridge/mapping.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge::cli {

class Arguments;

/// Which rows of two tables of items belong together: those of equal ids, those of equal numbers, or a list of pairs.
class ItemPairs {
 public:
  /// Adds --by-row and --lexicon with its details.
  void declare(Arguments& arguments);
  /// --by-row or --lexicon was given.
  bool given() const { return by_row_ || lexicon_.given(); }
  /// The list of pairs; empty where there is none.
  const std::string& path() const { return lexicon_.path(); }
  /// Reads the list, where there is one: before the tables are read, so that its errors come early. UsageError for
  /// options that exclude each other.
  void read(bool lenient);

  struct Found {
    std::vector<Lexicon::Pair> pairs;
    std::string how;  // they were paired: "by row"
  };
  /// UsageError where nothing belongs together. Tables without ids are paired by row.
  Found find(Session& session, const WordVectors& source, const WordVectors& target) const;

 private:
  static Found by_ids(const WordVectors& source, const WordVectors& target);
  static Found by_row(const WordVectors& source, const WordVectors& target);

  LexiconOptions lexicon_;
  bool by_row_ = false;
};

/// Two tables of items as far as an adapter learns from them: of tables with far more rows than `sample`, only those of
/// so many pairs, and of so many items of the index, are ever in memory.
struct PairedTables {
  WordVectors source, target;
  ItemPairs::Found paired;                     // rows of what is in memory
  bool sampled = false;                        // that is not all
  VectorsOrigin source_origin, target_origin;  // of the whole files; only where it is not all

  /// `sample` 0: all. Files that can be read only once are held as a whole.
  static PairedTables load(Session& session, const VectorFile& source, const VectorFile& target,
                           const VectorOptions& options, const ItemPairs& pairs, std::size_t sample);
};

}  // namespace wordbridge::cli
