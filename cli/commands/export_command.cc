#include <fmt/format.h>

#include <optional>

#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "cli/session.h"
#include "mapping/mapping_format.h"
#include "mapping/plain_matrix.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// Writes the matrix of a mapping as text, for other programs.
class ExportCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.file("mapping", mapping_, "The mapping that 'wordbridge align' wrote");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The file to write (default: standard output)");
    arguments.choice("--side", side_, {"source", "target"}, "Whose matrix (default: source)");
    arguments.flag("--no-header", no_header_,
                   "Leave out the first line 'rows columns'; the matrix is then written "
                   "transposed, for programs that compute x M");
    arguments.flag("--transpose", transpose_, "Turn it around: W^T with header, W without");
  }

  ExitCode run(Session& session) override {
    refuse_overwriting(output_, std::vector<std::string>{mapping_});
    std::optional<AtomicFile> output;
    if (!output_.empty()) output.emplace(output_);
    const Mapping mapping = read_mapping(mapping_);
    const Side side = side_ == "target" ? Side::target : Side::source;
    if (side == Side::target && !mapping.target_map())
      throw UsageError("the mapping leaves the target side alone: there is no matrix to export");
    const Matrix& w = side == Side::target ? *mapping.target_map() : mapping.source_map();
    const PlainMatrixLayout layout{
        .header = no_header_ ? PlainMatrixLayout::Header::absent : PlainMatrixLayout::Header::present,
        .transpose = transpose_};
    const std::string text = to_plain_text(w, layout);
    if (output) {
      output->write(text);
      output->commit();
    } else {
      session.print(text);
    }
    session.note(fmt::format(
        "{}: {} x {} {}, for vectors after normalization '{}'", output ? output_ : "standard output", w.rows(),
        w.cols(), no_header_ == transpose_ ? "written as W (x goes to W x)" : "written as M = W^T (x goes to x M)",
        mapping.normalizer(side).name()));
    return ExitCode::success;
  }

 private:
  std::string mapping_, output_, side_ = "source";
  bool no_header_ = false, transpose_ = false;
};

}  // namespace

CommandEntry export_command() {
  return {"export", "Write the matrix of a mapping as plain text, for other programs",
          "  wordbridge export en-es.wbmap -o W.txt               # a line 'rows columns', then W\n"
          "  wordbridge export en-es.wbmap --no-header -o M.txt   # M = W^T alone\n"
          "The text holds no normalization: apply the one that is named before the matrix.",
          make_command<ExportCommand>};
}

}  // namespace wordbridge::cli
