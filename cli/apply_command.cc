#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/command.h"
#include "cli/format_option.h"
#include "cli/paths.h"
#include "cli/vector_options.h"
#include "wordbridge/mapping/mapping_format.h"
#include "wordbridge/mapping/origin_check.h"
#include "wordbridge/vectors/even_blocks.h"
#include "wordbridge/vectors/formats.h"

namespace wordbridge::cli {

namespace {

/// Maps a file of vectors into the common space, a block at a time.
class ApplyCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.file("mapping", mapping_, "The mapping that 'wordbridge align' wrote");
    input_.declare(arguments, "vectors", "The vectors to map; any number of words");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The file to write; compressed where it ends in .gz .zst .xz .bz2",
                   Arguments::Need::required);
    format_.declare(arguments);
    arguments.heading("Mapping");
    arguments.choice("--side", side_, {"source", "target"}, "Which side the vectors belong to (default: source)");
    arguments.flag("--no-unit", no_unit_, "Leave the mapped rows as long as they come out");
    options_.declare(arguments, "all");
  }

  ExitCode run(Session& session) override {
    const Stopwatch stopwatch;
    require_one_standard_input({mapping_, input_.path});
    refuse_overwriting(output_, std::vector<std::string>{mapping_, input_.path, input_.vocabulary});
    const VectorFormat format = format_.of(output_);
    const Mapping mapping = read_mapping(mapping_);
    const Side side = side_ == "target" ? Side::target : Side::source;
    OpenedVectors opened(session, input_, options_, 0);
    mapping.require_dimension(opened.source().dimension(), side, file_name(input_.path));
    const auto output = create_vectors(output_, format, mapping.common_dimension(), opened.source().promised_rows());
    OriginCheck origin(mapping, side);
    EvenBlocks blocks(opened.source());
    while (auto block = blocks.next()) {
      origin.add(block->words, block->rows);
      output->write(block->words, mapping.apply(std::move(block->rows), side, !no_unit_));
    }
    output->finish();
    opened.finish();
    if (const auto warning = origin.mismatch(input_.path); warning && !opened.source().summary().stopped_early)
      session.warn(*warning);
    session.note(fmt::format("{} written ({})", output_, stopwatch.to_text()));
    return ExitCode::success;
  }

 private:
  std::string mapping_, output_, side_ = "source";
  VectorFile input_;
  VectorOptions options_;
  FormatOption format_;
  bool no_unit_ = false;
};

}  // namespace

CommandEntry apply_command() {
  return {"apply", "Map a file of vectors into the common space",
          "  wordbridge apply en-es.wbmap en.vec -o en.aligned.vec\n"
          "  wordbridge apply en-es.wbmap es.vec --side target -o es.aligned.vec.gz\n"
          "The rows come out with length 1; both files can then be compared directly.",
          make_command<ApplyCommand>};
}

}  // namespace wordbridge::cli
