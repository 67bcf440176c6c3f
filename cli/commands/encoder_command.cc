#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "mapping/mapping_format.h"
#include "mapping/space_identity.h"
#include "vectors/static_model.h"
#include "wordbridge/error.h"
#include "wordbridge/prepared_space.h"

namespace wordbridge::cli {

namespace {

/// Writes a sentence encoder of the words of one language or several.
class EncoderCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.list("files", files_, 1, 1 << 10, "files...",
                   "A mapping and the vectors it is for, a prepared space (.wbspace), or vectors of any number of "
                   "languages that share a space already");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FOLDER", "The folder to write", Arguments::Need::required);
    arguments.number("--smooth", options_.smooth,
                     "A word counts a / (a + p) times, p its share of a text; 0: all count alike (default: 0.001)");
    arguments.choice("--tokens", tokens_, {"words", "blanks"},
                     "How texts are cut: at blanks and punctuation, or at blanks alone (default: words)");
    vectors_.declare(arguments, "the mapping's or 200000");
  }

  ExitCode run(Session& session) override {
    options_.blanks = tokens_ == "blanks";
    const Stopwatch stopwatch;
    StaticModelSummary summary;
    if (names_prepared_space(files_.front())) {
      if (files_.size() > 1) throw UsageError(fmt::format("{} holds all words: leave the others out", files_.front()));
      summary = write(PreparedSpace(files_.front()).space());
    } else if (files_.front().ends_with(".wbmap")) {
      summary = write(mapped(session));
    } else {
      summary = write_shared(session);
    }
    session.note(fmt::format(
        "{} written: {}, {} of them of several languages{}{} ({}). Try: "
        "SentenceTransformer(\"{}\").encode([\"...\"])",
        output_, counted(summary.words, "word"), summary.shared, summary.lower_case ? ", in lower case" : "",
        summary.left_out > 0 ? fmt::format("; {} left out", summary.left_out) : "", stopwatch.to_text(), output_));
    return ExitCode::success;
  }

 private:
  StaticModelSummary write(const CommonSpace& space) const {
    std::vector<StaticLanguage> languages;
    for (const Side side : {Side::source, Side::target})
      languages.push_back({&space.vocabulary(side), space.table(side)});
    return write_static_model(languages, output_, options_);
  }

  WordVectors read(Session& session, const std::string& path, std::size_t usual) const {
    VectorFile file;
    file.path = path;
    return load_vectors(session, file, vectors_, usual);
  }

  CommonSpace mapped(Session& session) const {
    if (files_.size() != 3) throw UsageError("behind the mapping, the vectors of two languages are wanted");
    const Mapping mapping = read_mapping(files_[0]);
    WordVectors source = read(session, files_[1], mapping.provenance.max_words);
    return {mapping, std::move(source), read(session, files_[2], mapping.provenance.max_words)};
  }

  StaticModelSummary write_shared(Session& session) const {
    std::vector<WordVectors> vectors;
    for (const std::string& path : files_) {
      vectors.push_back(read(session, path, kUsualWords));
      require_one_space(file_name(files_.front()), vectors.front().summary().space, file_name(path),
                        vectors.back().summary().space);
    }
    std::vector<StaticLanguage> languages;
    for (const WordVectors& one : vectors) languages.push_back({&one.vocabulary(), one.table()});
    return write_static_model(languages, output_, options_);
  }

  std::vector<std::string> files_;
  VectorOptions vectors_;
  StaticModelOptions options_;
  std::string output_, tokens_ = "words";
};

}  // namespace

CommandEntry encoder_command() {
  return {
      "encoder", "Make a sentence encoder for sentence-transformers and model2vec",
      "  wordbridge encoder en-es.wbmap en.vec es.vec -o en-es-encoder\n"
      "  wordbridge encoder en-es.wbspace -o en-es-encoder\n"
      "  wordbridge encoder en.aligned.vec es.aligned.vec de.aligned.vec -o encoder\n"
      "A sentence is the mean of its words' vectors, rare words first of all: thousands of sentences a second on a\n"
      "CPU, in any of the languages. SentenceTransformer(\"FOLDER\") and StaticModel.from_pretrained(\"FOLDER\") open "
      "it.",
      make_command<EncoderCommand>};
}

}  // namespace wordbridge::cli
