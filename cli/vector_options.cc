#include "cli/vector_options.h"

#include <fmt/format.h>

#include <utility>

#include "cli/arguments.h"
#include "cli/paths.h"
#include "wordbridge/vectors/formats.h"

namespace wordbridge::cli {

namespace {

/// Says "reading en.vec" where readers name their stage after the path alone.
class ReadingStage final : public Progress {
 public:
  ReadingStage(Progress& progress, const std::string& path)
      : progress_(progress), name_("reading " + file_name(path)) {}
  void update(std::string_view, std::uint64_t done, std::uint64_t total, std::string_view note) override {
    progress_.update(name_, done, total, note);
  }
  void finish(std::string_view) override { progress_.finish(name_); }

 private:
  Progress& progress_;
  std::string name_;
};

ReadOptions read_options(const VectorFile& file, const VectorOptions& options, std::size_t usual_words,
                         Progress& progress) {
  return {.max_words = options.max_words.value_or(usual_words),
          .lenient = options.lenient,
          .vocabulary_path = file.vocabulary,
          .progress = &progress};
}

void note_summary(Session& session, const ReadSummary& summary, const Stopwatch& stopwatch) {
  session.note(fmt::format("{} ({})", summary.to_line(), stopwatch.to_text()));
}

}  // namespace

void VectorFile::declare(Arguments& arguments, const std::string& name, const std::string& description,
                         const std::string& vocabulary_option) {
  arguments.file(name, path, description);
  declare_vocabulary(arguments, name, vocabulary_option);
}

void VectorFile::declare_vocabulary(Arguments& arguments, const std::string& name,
                                    const std::string& vocabulary_option) {
  arguments.heading("Vectors");
  arguments.text(vocabulary_option, vocabulary, "FILE",
                 fmt::format("Words of {}, one a line, where it is a .npy file", name));
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
  WordVectors vectors = [&] {
    ReadingStage progress(session.progress(), file.path);
    return read_vectors(file.path, read_options(file, options, usual_words, progress));
  }();
  note_summary(session, vectors.summary(), stopwatch);
  return vectors;
}

OpenedVectors::OpenedVectors(Session& session, const VectorFile& file, const VectorOptions& options,
                             std::size_t usual_words)
    : session_(session),
      progress_(std::make_unique<ReadingStage>(session.progress(), file.path)),
      source_(open_vectors(file.path, read_options(file, options, usual_words, *progress_))) {}

OpenedVectors::~OpenedVectors() = default;

void OpenedVectors::finish() { note_summary(session_, source_->summary(), stopwatch_); }

std::optional<std::size_t> dimension_ahead(const VectorFile& file, const VectorOptions& options) {
  if (!can_be_read_twice(file.path)) return std::nullopt;
  return open_vectors(file.path, {.lenient = options.lenient, .vocabulary_path = file.vocabulary})->dimension();
}

}  // namespace wordbridge::cli
