#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "cli/session.h"
#include "io/byte_stream.h"
#include "vectors/sharded_vectors.h"
#include "wordbridge/formats.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge::cli {

class Arguments;

/// A file of vectors named on the command line.
struct VectorFile {
  std::string path;
  std::string vocabulary;  // of a table of numbers: the file with the words, where its name cannot be guessed
  std::string ids;         // likewise, with ids
  std::string format;      // where its content does not tell it

  /// How to read it; no limits yet.
  ReadOptions read_options() const;
  /// Adds the argument, and the options that say what a table of numbers does not: --vocabulary, --ids, --format, with
  /// the prefix that `vocabulary_option` has.
  void declare(Arguments& arguments, const std::string& name, const std::string& description,
               const std::string& vocabulary_option = "--vocabulary");
  /// Only the options.
  void declare_vocabulary(Arguments& arguments, const std::string& name, const std::string& vocabulary_option);
};

/// How the files of vectors are read.
struct VectorOptions {
  std::optional<std::size_t> max_words;  // 0: all
  bool lenient = false;

  /// `usual_words` says in the help what holds where --max-words is not given.
  void declare(Arguments& arguments, const std::string& usual_words);
};

/// Reads a whole file, with a progress bar and a one-line summary.
WordVectors load_vectors(Session& session, const VectorFile& file, const VectorOptions& options,
                         std::size_t usual_words);

/// UsageError, at once, for what several processes cannot read together: before any file is opened.
void require_shardable(const VectorFile& file, const VectorOptions& options);
/// The same as load_vectors(), by all processes of a job together.
ShardedVectors load_sharded_vectors(Session& session, const VectorFile& file, const VectorOptions& options,
                                    std::size_t usual_words);

/// What was read of a file, as a note; with --quiet too where rows were skipped.
void note_summary(Session& session, const ReadSummary& summary, const Stopwatch& stopwatch);

/// A file read a block at a time, in bounded memory; the rest as load_vectors().
class OpenedVectors {
 public:
  OpenedVectors(Session& session, const VectorFile& file, const VectorOptions& options, std::size_t usual_words);
  /// All words of a file that is open already, at its first byte.
  OpenedVectors(Session& session, const VectorFile& file, const VectorOptions& options,
                std::unique_ptr<ByteStream> stream);
  VectorSource& source() { return *source_; }
  /// When all is read: prints the summary.
  void finish();

 private:
  Session& session_;
  Stopwatch stopwatch_;
  std::unique_ptr<VectorSource> source_;
};

/// The dimension of a file that is not a pipe, read ahead, so that what does not fit is refused before the long work;
/// nothing for a pipe. Throws InputError for a file that cannot be read.
std::optional<std::size_t> dimension_ahead(const VectorFile& file, const VectorOptions& options);

}  // namespace wordbridge::cli
