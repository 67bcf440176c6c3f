#include "cli/options/vector_options.h"

#include <fmt/format.h>

#include <utility>

#include "cli/communicator.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::cli {

namespace {

ReadOptions read_options(const VectorFile& file, const VectorOptions& options, std::size_t usual_words) {
  ReadOptions read = file.read_options();
  read.max_words = options.max_words.value_or(usual_words);
  read.lenient = options.lenient;
  return read;
}

}  // namespace

void note_summary(Session& session, const ReadSummary& summary, const Stopwatch& stopwatch) {
  const std::string line = fmt::format("{} ({})", summary.to_line(), stopwatch.to_text());
  if (summary.first_skipped.empty())
    session.note(line);
  else
    session.note_skipped(line);
}

ReadOptions VectorFile::read_options() const {
  return {.vocabulary_path = vocabulary, .ids_path = ids, .format = format};
}

void VectorFile::declare(Arguments& arguments, const std::string& name, const std::string& description,
                         const std::string& vocabulary_option) {
  arguments.file(name, path, description);
  declare_vocabulary(arguments, name, vocabulary_option);
}

void VectorFile::declare_vocabulary(Arguments& arguments, const std::string& name,
                                    const std::string& vocabulary_option) {
  arguments.heading("Vectors");
  const std::string prefix = vocabulary_option.substr(0, vocabulary_option.rfind("vocabulary"));
  arguments.text(vocabulary_option, vocabulary, "FILE",
                 fmt::format("Words of {}, one a line, where it is a table of numbers (.npy, safetensors, raw)", name));
  arguments.text(prefix + "ids", ids, "FILE", "The same where they are ids, whose spelling means nothing");
  arguments.text(prefix + "format", format, "FORMAT",
                 "raw:f16:1024 for numbers without a header (f16, bf16, f32, f64; how many a row); "
                 "safetensors:NAME for that tensor");
}

void VectorOptions::declare(Arguments& arguments, const std::string& usual_words) {
  arguments.heading("Vectors");
  arguments.number("--max-words", max_words,
                   fmt::format("Read the first N words of a file, 0 for all (default: {})", usual_words));
  arguments.flag("--lenient", lenient, "Skip and count damaged rows instead of failing");
}

WordVectors load_vectors(Session& session, const VectorFile& file, const VectorOptions& options,
                         std::size_t usual_words) {
  const Stopwatch stopwatch;
  WordVectors vectors = read_vectors(file.path, read_options(file, options, usual_words));
  note_summary(session, vectors.summary(), stopwatch);
  return vectors;
}

void require_shardable(const VectorFile& file, const VectorOptions& options) {
  if (options.lenient) throw UsageError("--lenient is for one process: several might not agree which rows there are");
  if (file.path == "-") throw UsageError("several processes cannot share standard input: name a file");
}

ShardedVectors load_sharded_vectors(Session& session, const VectorFile& file, const VectorOptions& options,
                                    std::size_t usual_words) {
  const Stopwatch stopwatch;
  ShardedVectors vectors = read_sharded_vectors(file.path, read_options(file, options, usual_words), communicator());
  note_summary(session, vectors.summary(), stopwatch);
  return vectors;
}

OpenedVectors::OpenedVectors(Session& session, const VectorFile& file, const VectorOptions& options,
                             std::size_t usual_words)
    : session_(session), source_(open_vectors(file.path, read_options(file, options, usual_words))) {}

OpenedVectors::OpenedVectors(Session& session, const VectorFile& file, const VectorOptions& options,
                             std::unique_ptr<ByteStream> stream)
    : session_(session), source_(open_vectors(std::move(stream), read_options(file, options, 0))) {}

void OpenedVectors::finish() { note_summary(session_, source_->summary(), stopwatch_); }

std::optional<std::size_t> dimension_ahead(const VectorFile& file, const VectorOptions& options) {
  if (!can_be_read_twice(file.path)) return std::nullopt;
  return open_vectors(file.path, read_options(file, options, 0))->dimension();
}

}  // namespace wordbridge::cli
