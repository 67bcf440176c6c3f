#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/session.h"
#include "mapping/map_export.h"
#include "mapping/mapping_format.h"
#include "mapping/plain_matrix.h"
#include "retrieval/inner_product_export.h"
#include "wordbridge/common_space.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

/// Writes the matrix of a mapping as text, for other programs.
class ExportCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.list("files", files_, 1, 3, "mapping [source target]",
                   "The mapping that 'wordbridge align' or 'adapt' wrote; with --inner-product, the vectors of both "
                   "sides behind it");
    arguments.heading("Output");
    arguments.text(
        "-o,--output", output_, "FILE",
        "The file to write: .npz (arrays W and b), .npy ((W b) in one), .onnx (a model that does all of it), "
        "else text (default: text to standard output)");
    arguments.flag("--unit", unit_, "An .onnx model ends with rows of length 1");
    arguments.choice("--side", side_, {"source", "target"}, "Whose matrix (default: source)");
    arguments.flag("--no-header", no_header_,
                   "Leave out the first line 'rows columns'; the matrix is then written "
                   "transposed, for programs that compute x M");
    arguments.flag("--transpose", transpose_, "Turn it around: W^T with header, W without");
    arguments.heading("CSLS in an index of inner products");
    arguments.flag(
        "--inner-product", inner_product_,
        "Write the target's rows y as (2 y, -r(y)), .npy or .faiss: their inner products with (q, 1) rank as "
        "CSLS does");
    arguments.text("--queries", queries_, "FILE", "With it: the source's mapped rows q as (q, 1)");
    arguments.number("-k,--neighbors", neighbors_, 1, 1 << 20, "Neighbors that r is the mean of (default: 10)");
    source_.declare_vocabulary(arguments, "source", "--source-vocabulary");
    target_.declare_vocabulary(arguments, "target", "--target-vocabulary");
    vectors_.declare(arguments, "as many as the mapping was learned from");
  }

  ExitCode run(Session& session) override {
    mapping_ = files_.front();
    if (inner_product_ != (files_.size() == 3))
      throw UsageError("--inner-product, and nothing else, wants vectors of both sides behind the mapping");
    std::vector<std::string> others = files_;
    refuse_overwriting(output_, others);
    refuse_overwriting(queries_, others);
    if (inner_product_) return export_inner_product(session);
    if (!queries_.empty()) throw UsageError("--queries goes with --inner-product");
    if (output_.ends_with(".npz") || output_.ends_with(".npy") || output_.ends_with(".onnx"))
      return export_map(session);
    if (unit_) throw UsageError("--unit is for an .onnx model");
    return export_text(session);
  }

 private:
  Side side() const { return side_ == "target" ? Side::target : Side::source; }

  ExitCode export_map(Session& session) const {
    if (no_header_ || transpose_) throw UsageError("--no-header and --transpose are for text");
    if (unit_ && !output_.ends_with(".onnx")) throw UsageError("--unit is for an .onnx model");
    AtomicFile output(output_);
    const Mapping mapping = read_mapping(mapping_);
    output.write(output_.ends_with(".npz")   ? npz_bytes(mapping, side())
                 : output_.ends_with(".npy") ? npy_bytes(mapping, side())
                                             : onnx_bytes(mapping, side(), unit_));
    output.commit();
    session.note(fmt::format("{} written: {} to {} dimensions, normalization '{}'", output_,
                             mapping.input_dimension(side()), mapping.common_dimension(),
                             mapping.normalizer(side()).name()));
    return ExitCode::success;
  }

  ExitCode export_inner_product(Session& session) const {
    const auto format = [](const std::string& path) {
      if (path.ends_with(".faiss")) return InnerProductFormat::faiss;
      if (path.ends_with(".npy")) return InnerProductFormat::npy;
      throw UsageError("--inner-product: files to write end in .npy or .faiss, not '" + path + "'");
    };
    const InnerProductFormat items_format = format(output_);
    AtomicFile items(output_);
    std::optional<AtomicFile> queries;
    if (!queries_.empty()) {
      format(queries_);
      queries.emplace(queries_);
    }
    const Mapping mapping = read_mapping(mapping_);
    const auto load = [&](VectorFile file, const std::string& path) {
      file.path = path;
      return load_vectors(session, file, vectors_, mapping.provenance.max_words);
    };
    WordVectors source = load(source_, files_[1]);
    const CommonSpace space(mapping, std::move(source), load(target_, files_[2]));
    write_csls_items(space, neighbors_, items_format, items);
    if (queries) write_csls_queries(space, format(queries_), *queries);
    items.commit();
    if (queries) queries->commit();
    session.note(
        fmt::format("{} written: {} rows of {} dimensions", output_, space.size(Side::target), space.dimension() + 1));
    return ExitCode::success;
  }

  ExitCode export_text(Session& session) const {
    std::optional<AtomicFile> output;
    if (!output_.empty()) output.emplace(output_);
    const Mapping mapping = read_mapping(mapping_);
    const Side side = this->side();
    if (side == Side::source && !mapping.source_intercept().empty())
      throw UsageError("the mapping has an intercept, which a plain matrix cannot hold: write .npz, .npy or .onnx");
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

  std::vector<std::string> files_;
  std::string mapping_, output_, queries_, side_ = "source";
  std::uint64_t neighbors_ = 10;
  VectorFile source_, target_;
  VectorOptions vectors_;
  bool no_header_ = false, transpose_ = false, unit_ = false, inner_product_ = false;
};

}  // namespace

CommandEntry export_command() {
  return {"export", "Write a mapping for other programs: text, NumPy, ONNX, an index that ranks as CSLS",
          "  wordbridge export en-es.wbmap -o W.txt               # a line 'rows columns', then W\n"
          "  wordbridge export en-es.wbmap --no-header -o M.txt   # M = W^T alone\n"
          "  wordbridge export adapter.wbmap -o adapter.npz       # or .npy, .onnx\n"
          "  wordbridge export adapter.wbmap new.npy old.npy --inner-product -o items.faiss --queries queries.npy\n"
          "The text holds no normalization: apply the one that is named before the matrix.",
          make_command<ExportCommand>};
}

}  // namespace wordbridge::cli
