#include <fmt/format.h>

#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/format_option.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "mapping/mapped_model.h"
#include "mapping/mapping_format.h"
#include "mapping/origin_check.h"
#include "mapping/space_identity.h"
#include "vectors/even_blocks.h"
#include "vectors/formats/fasttext_model.h"
#include "vectors/formats/fasttext_options.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"
#include "wordbridge/hub.h"

namespace wordbridge::cli {

namespace {

/// Maps a file of vectors into the common space, a block at a time.
class ApplyCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.list("files", files_, 1, 2, "mapping vectors",
                   "The mapping that 'wordbridge align' wrote, and the vectors to map; any number of words");
    input_.declare_vocabulary(arguments, "vectors", "--vocabulary");
    arguments.text("--hub", hub_, "FOLDER",
                   "A hub that 'wordbridge hub' wrote: one of its languages takes the place of the mapping, and its "
                   "own vectors that of the file, unless one is given");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE",
                   "The file to write; compressed where it ends in .gz .zst .xz .bz2; - for standard output",
                   Arguments::Need::required);
    format_.declare(arguments, FormatOption::Models::fasttext);
    arguments.flag("--approximate", approximate_,
                   "Write a fastText model also where it can hold the mapping's normalization only roughly");
    arguments.heading("Mapping");
    arguments.choice("--side", side_, {"source", "target"}, "Which side the vectors belong to (default: source)");
    arguments.flag("--no-unit", no_unit_, "Leave the mapped rows as long as they come out");
    options_.declare(arguments, "all");
  }

  ExitCode run(Session& session) override {
    const Stopwatch stopwatch;
    const Mapping mapping = open(session);
    const Side side = side_ == "target" ? Side::target : Side::source;
    auto stream = open_bytes(input_.path);
    if (format_.wants_model(output_)) {
      if (looks_like_fasttext_model(stream->peek(sizeof(kFastTextMagic)))) {
        map_model(session, mapping, side, *stream);
        session.note(fmt::format("{} written ({})", output_name(output_), stopwatch.to_text()));
        return ExitCode::success;
      }
      if (format_.is_given()) throw UsageError(input_.path + " is no fastText model, and none can be made of it");
    }
    if (approximate_) throw UsageError("--approximate is for fastText models that become fastText models (.bin)");
    const VectorFormat format = format_.of(output_);
    OpenedVectors opened(session, input_, options_, std::move(stream));
    mapping.require_dimension(opened.source().dimension(), side, file_name(input_.path));
    const auto output = create_vectors(output_, format, mapping.common_dimension(), opened.source().promised_rows(),
                                       space_identity(mapping));
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
    session.note(fmt::format("{} written ({})", output_name(output_), stopwatch.to_text()));
    return ExitCode::success;
  }

 private:
  /// Reads the mapping, or puts it together from the hub; settles which file is mapped.
  Mapping open(Session& session) {
    if (files_.size() == 2) input_.path = files_.back();
    if (hub_.empty()) {
      if (files_.size() < 2) throw UsageError("behind the mapping, the vectors to map are wanted");
      require_one_standard_input({files_.front(), input_.path});
      refuse_overwriting(output_, std::vector<std::string>{files_.front(), input_.path, input_.vocabulary});
      return read_mapping(files_.front());
    }
    if (side_ != "source") throw UsageError("--side is for mappings: with --hub, the language says it");
    const Hub hub(hub_);
    if (input_.path.empty()) input_.path = hub.vectors_path(files_.front());
    refuse_overwriting(output_, std::vector<std::string>{input_.path, input_.vocabulary});
    double distortion = 0;
    Mapping mapping = hub.mapping(files_.front(), &distortion);
    constexpr double kNothing = 1e-4;  // what rounding to floats brings
    if (distortion > kNothing)
      session.warn(
          fmt::format("{} was aligned by a method that moves the pivot, too: in the pivot's own space, cosines of two "
                      "directions change by {:.3f} on average",
                      files_.front(), distortion));
    return mapping;
  }

  void map_model(Session& session, const Mapping& mapping, Side side, ByteStream& stream) const {
    if (options_.max_words.value_or(0) != 0)
      throw UsageError("a fastText model is mapped as a whole: --max-words cannot be given");
    const ModelRemarks remarks = write_mapped_model(
        mapping,
        {.side = side, .unit = !no_unit_, .approximate = approximate_, .read_twice = can_be_read_twice(input_.path)},
        input_.path, stream, output_);
    if (remarks.warning) session.warn(*remarks.warning);
    if (!remarks.note.empty()) session.note(remarks.note);
  }

  std::vector<std::string> files_;
  std::string hub_, output_, side_ = "source";
  VectorFile input_;
  VectorOptions options_;
  FormatOption format_;
  bool no_unit_ = false, approximate_ = false;
};

}  // namespace

CommandEntry apply_command() {
  return {
      "apply", "Map a file of vectors into the common space",
      "  wordbridge apply en-es.wbmap en.vec -o en.aligned.vec\n"
      "  wordbridge apply en-es.wbmap es.vec --side target -o es.aligned.vec.gz\n"
      "  wordbridge apply en-es.wbmap cc.en.300.bin -o cc.en.aligned.bin\n"
      "  wordbridge apply --hub space es -o es.aligned.vec\n"
      "The rows come out with length 1; both files can then be compared directly. A fastText model becomes a model:\n"
      "the vectors of all words, also of those that it has not seen, point where the mapping brings them.",
      make_command<ApplyCommand>};
}

}  // namespace wordbridge::cli
