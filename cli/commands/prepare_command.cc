#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "cli/commands/command.h"
#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "retrieval/prepared/prepare_space.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// Writes a common space with all that is made of it, in one file that opens at once.
class PrepareCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    inputs_.declare(arguments, MappedInputs::MappingArgument::optional);
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The prepared space to write (.wbspace)", Arguments::Need::required);
    arguments.flag("--half", options_.half,
                   "Vectors as float16: half their size; answers are exact for the vectors that the file holds");
    arguments.number("-k,--neighbors", neighbors_, 1, 1 << 10,
                     "Neighbors that csls looks at; lists hold some more (default: 10)");
  }

  ExitCode run(Session& session) override {
    if (output_ != "-" && !output_.ends_with(".wbspace"))
      throw UsageError(fmt::format("{}: a prepared space is named *.wbspace", output_));
    refuse_overwriting(output_, inputs_.paths());
    AtomicFile file(output_);
    const Mapping mapping = inputs_.open();
    if (inputs_.is_prepared()) throw UsageError("this is a prepared space already");
    const Stopwatch stopwatch;
    MappedInputs::Vectors vectors = inputs_.read(session, mapping);
    if (vectors.source.has_subword_model() || vectors.target.has_subword_model())
      session.note("vectors of words outside the vocabularies, by their subwords, are left behind");
    options_.neighbors = neighbors_;
    const std::vector<std::string> names = inputs_.vector_paths();
    const CommonSpace space = inputs_.space(mapping, std::move(vectors));
    const std::uint64_t bytes =
        write_prepared_space(space, inputs_.has_mapping() ? &mapping : nullptr,
                             {file_name(names.front()), file_name(names.back())}, file, options_);
    session.note(fmt::format("{} written: {} and {} words, {:.0f} MB ({}). Try: wordbridge translate {} {}",
                             output_name(output_), space.size(Side::source), space.size(Side::target),
                             static_cast<double>(bytes) / 1e6, stopwatch.to_text(), output_name(output_), "WORD"));
    return ExitCode::success;
  }

 private:
  MappedInputs inputs_;
  PrepareOptions options_;
  std::uint64_t neighbors_ = 10;
  std::string output_;
};

}  // namespace

CommandEntry prepare_command() {
  return {
      "prepare", "Write a space in one file that opens at once (.wbspace)",
      "  wordbridge prepare en-es.wbmap en.vec es.vec -o en-es.wbspace\n"
      "  wordbridge prepare en-es.wbmap en.vec es.vec --half -o en-es.wbspace\n"
      "  wordbridge prepare en.aligned.vec es.aligned.vec -o en-es.wbspace\n"
      "  wordbridge translate en-es.wbspace house bridge\n"
      "The file takes the place of a mapping and two files of vectors in translate, neighbors, induce and evaluate,\n"
      "and gives the same answers. It holds both aligned tables, the search indexes, the nearest words of every word\n"
      "and what the re-ranker needs, and is mapped into memory: many processes share it.",
      make_command<PrepareCommand>};
}

}  // namespace wordbridge::cli
