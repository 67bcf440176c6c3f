#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/wording.h"
#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/format_options.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "mapping/composition.h"
#include "mapping/mapped_file.h"
#include "mapping/mapped_model.h"
#include "mapping/mapping_format.h"
#include "vectors/formats/fasttext_model.h"
#include "vectors/formats/fasttext_parts.h"
#include "vectors/formats/item_table.h"
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
    arguments.choice("--into", into_, {"source", "target"},
                     "Map into the own coordinates of that side, whose vectors stay as they are (default: the common "
                     "space of both)");
    arguments.flag("--no-unit", no_unit_, "Leave the mapped rows as long as they come out");
    options_.declare(arguments, "all");
    arguments.heading("Many rows");
    arguments.text(
        "--part", part_, "K/N",
        "Map only the K-th of N parts of a table of numbers; joined in their order ('wordbridge convert', or "
        "cat for raw numbers), the outputs of all are that of the whole, byte for byte");
    arguments.flag(
        "--resume", resume_,
        "Keep finished rows in FILE.unfinished when the work is stopped, and go on behind those that are there");
  }

  ExitCode run(Session& session) override {
    const Stopwatch stopwatch;
    if (side_ == into_) throw UsageError(fmt::format("the vectors are in the coordinates of the {} already", into_));
    const Mapping mapping = into_.empty() ? open(session) : into_own_space(session, open(session));
    const Side side = into_.empty() && side_ == "target" ? Side::target : Side::source;
    std::unique_ptr<ByteStream> stream;
    if (!names_many_files(input_.path)) stream = open_bytes(input_.path);
    if (format_.wants_model(output_)) {
      if (stream != nullptr && looks_like_fasttext_model(stream->peek(sizeof(kFastTextMagic)))) {
        map_model(session, mapping, side, *stream);
        session.note(fmt::format("{} written ({})", output_name(output_), stopwatch.to_text()));
        return ExitCode::success;
      }
      if (format_.is_given()) throw UsageError(input_.path + " is no fastText model, and none can be made of it");
    }
    if (approximate_) throw UsageError("--approximate is for fastText models that become fastText models (.bin)");
    map_vectors(session, mapping, side, std::move(stream));
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
      refuse_overwriting(output_, std::vector<std::string>{files_.front(), input_.path, input_.vocabulary, input_.ids});
      return read_mapping(files_.front());
    }
    if (side_ != "source") throw UsageError("--side is for mappings: with --hub, the language says it");
    const Hub hub(hub_);
    if (input_.path.empty()) input_.path = hub.vectors_path(files_.front());
    refuse_overwriting(output_, std::vector<std::string>{input_.path, input_.vocabulary, input_.ids});
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

  void map_vectors(Session& session, const Mapping& mapping, Side side, std::unique_ptr<ByteStream> stream) const {
    const Stopwatch stopwatch;
    FileMapping how{.side = side,
                    .unit = !no_unit_,
                    .format = format_.of(output_),
                    .read = input_.read_options(),
                    .resume = resume_};
    how.read.max_words = options_.max_words.value_or(0);
    how.read.lenient = options_.lenient;
    how.read.part = parse_part();
    const MappedFile mapped = write_mapped_file(mapping, how, input_.path, std::move(stream), output_);
    if (mapped.kept_rows > 0)
      session.note(fmt::format("{} were mapped before; {} now", counted(mapped.kept_rows, "row"), mapped.summary.rows));
    note_summary(session, mapped.summary, stopwatch);
    if (mapped.warning) session.warn(*mapped.warning);
  }

  /// "3/16".
  TablePart parse_part() const {
    TablePart part;
    if (part_.empty()) return part;
    const char* const end = part_.data() + part_.size();
    const auto first = std::from_chars(part_.data(), end, part.number);
    const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = slash ? std::from_chars(first.ptr + 1, end, part.of) : first;
    if (!slash || second.ec != std::errc() || second.ptr != end || part.number < 1 || part.number > part.of)
      throw UsageError(
          fmt::format("--part {}: the number of the part and of all parts is wanted, from 1/16 to 16/16", part_));
    return part;
  }

  /// The mapping from the vectors' side, which is its source now, into the other one's coordinates. Says what is lost.
  Mapping into_own_space(Session& session, Mapping mapping) const {
    if (into_ == "source") mapping = invert(mapping).mapping;
    Mapping result = into_target(mapping);
    if (!can_be_read_twice(input_.path)) return result;
    constexpr std::size_t kSampleRows = 1000;
    constexpr double kNothing = 0.9999;  // what rounding leaves
    VectorFile sample = input_;
    const Matrix rows = OpenedVectors(session, sample, {.max_words = kSampleRows, .lenient = options_.lenient}, 0)
                            .source()
                            .next()
                            .value_or(VectorBlock{})
                            .rows;
    if (rows.empty() || rows.cols() != mapping.input_dimension(Side::source)) return result;
    const KeptLength kept = kept_length(mapping, rows);
    if (kept.source < kNothing)
      session.note(
          fmt::format("the map keeps {:.1f}% of the squared length of these vectors: it leads to {} of {} "
                      "dimensions",
                      100 * kept.source, std::min(mapping.common_dimension(), mapping.source_map().cols()),
                      mapping.source_map().cols()));
    if (kept.target < kNothing)
      session.note(
          fmt::format("{:.1f}% of what is mapped can be expressed in the other side's coordinates", 100 * kept.target));
    if (mapping.provenance.method == "invert" && mapping.provenance.options.at("of") == "adapt")
      session.warn(
          fmt::format("an adapter is learned for one direction: 'wordbridge adapt' with {} first maps these "
                      "vectors better than its inverse",
                      file_name(input_.path)));
    return result;
  }

  void map_model(Session& session, const Mapping& mapping, Side side, ByteStream& stream) const {
    if (!part_.empty() || resume_)
      throw UsageError("a fastText model is mapped at once: --part and --resume are for tables");
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
  std::string hub_, output_, into_, side_ = "source", part_;
  VectorFile input_;
  VectorOptions options_;
  FormatOption format_;
  bool no_unit_ = false, approximate_ = false, resume_ = false;
};

}  // namespace

CommandEntry apply_command() {
  return {
      "apply", "Map a file of vectors into the common space",
      "  wordbridge apply en-es.wbmap en.vec -o en.aligned.vec\n"
      "  wordbridge apply en-es.wbmap es.vec --side target -o es.aligned.vec.gz\n"
      "  wordbridge apply en-es.wbmap cc.en.300.bin -o cc.en.aligned.bin\n"
      "  wordbridge apply --hub space es -o es.aligned.vec\n"
      "  wordbridge apply adapter.wbmap queries.npy --into target -o queries.old.npy\n"
      "  wordbridge apply old-new.wbmap 'documents-*.npy' -o documents.new-3.npy --to npy:f16 --part 3/16 --resume\n"
      "The rows come out with length 1; both files can then be compared directly. A fastText model becomes a model:\n"
      "the vectors of all words, also of those that it has not seen, point where the mapping brings them.",
      make_command<ApplyCommand>};
}

}  // namespace wordbridge::cli
