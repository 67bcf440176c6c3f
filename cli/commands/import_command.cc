#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/session.h"
#include "mapping/mapping_format.h"
#include "mapping/plain_matrix.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge::cli {

namespace {

/// Makes a mapping of a matrix that another program wrote.
class ImportCommand final : public Command {
 public:
  void declare(Arguments& arguments) override {
    arguments.file("matrix", source_matrix_, "The matrix of the source side, as text");
    arguments.heading("Matrix");
    arguments.text("--target-matrix", target_matrix_, "FILE",
                   "The matrix of the target side, where both sides are moved");
    arguments.choice("--header", header_, {"detect", "yes", "no"},
                     "Whether the first line says 'rows columns'; with it the file holds W, "
                     "without it W^T (default: detect)");
    arguments.flag("--transpose", transpose_, "The file holds the other orientation");
    arguments.text("--normalize", normalization_, "STEPS",
                   "What the vectors go through before the matrix: steps 'unit' and 'center' "
                   "joined by commas, or 'none' (default: unit)");
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The mapping to write (.wbmap)", Arguments::Need::required);
    arguments.choice("--criterion", criterion_, vector_criterion_names(),
                     "What 'translate' and 'evaluate' rank by where nothing else is said (default: csls)");
    declare_vectors(arguments);
  }

  ExitCode run(Session& session) override {
    const auto steps = Normalizer::parse(normalization_);
    const bool centers = std::ranges::count(steps, Normalizer::Step::center) > 0;
    if (centers && (source_.path.empty() || target_.path.empty()))
      throw UsageError("'center' needs the vectors whose means it subtracts: give --source FILE and --target FILE");
    require_one_standard_input({source_matrix_, target_matrix_, source_.path, target_.path});
    refuse_overwriting(output_, std::vector<std::string>{source_matrix_, target_matrix_, source_.path, target_.path});
    AtomicFile output(output_);
    Matrix w = read_plain_matrix(source_matrix_, layout());
    std::optional<Matrix> v;
    if (!target_matrix_.empty()) v = read_plain_matrix(target_matrix_, layout());

    Mapping shape(w, {}, {}, v);  // refuses what does not fit before any vectors are read
    const Fitted source = fit(session, shape, Side::source, source_, steps);
    const Fitted target = fit(session, shape, Side::target, target_, steps);
    Mapping mapping(std::move(w), source.normalizer, target.normalizer, std::move(v));
    Provenance& provenance = mapping.provenance;
    provenance.version = version();
    provenance.method = "import";
    provenance.options = {{"matrix", source_matrix_}, {"normalization", normalization_}};
    provenance.max_words = options_.max_words.value_or(kUsualWords);
    provenance.criterion = criterion_;
    provenance.source = source.origin;
    provenance.target = target.origin;
    if (!target_matrix_.empty()) provenance.options["target_matrix"] = target_matrix_;
    write_mapping(mapping, output);
    session.note(fmt::format("{} written: {} dimensions to {}, normalization '{}'", output_,
                             mapping.input_dimension(Side::source), mapping.common_dimension(), normalization_));
    return ExitCode::success;
  }

 private:
  void declare_vectors(Arguments& arguments) {
    arguments.heading("Vectors");
    arguments.text("--source", source_.path, "FILE",
                   "Vectors of the source side: 'center' takes its means from them, and later "
                   "commands notice other vectors");
    arguments.text("--target", target_.path, "FILE", "The same for the target side");
    source_.declare_vocabulary(arguments, "--source", "--source-vocabulary");
    target_.declare_vocabulary(arguments, "--target", "--target-vocabulary");
    options_.declare(arguments, std::to_string(kUsualWords));
  }

  PlainMatrixLayout layout() const {
    using Header = PlainMatrixLayout::Header;
    return {.header = header_ == "yes"  ? Header::present
                      : header_ == "no" ? Header::absent
                                        : Header::detect,
            .transpose = transpose_};
  }

  struct Fitted {
    Normalizer normalizer;
    VectorsOrigin origin;
  };
  /// The normalizer of one side, fitted on its vectors where they are given.
  Fitted fit(Session& session, const Mapping& shape, Side side, const VectorFile& file,
             const std::vector<Normalizer::Step>& steps) const {
    if (file.path.empty()) return {Normalizer::from_parts(steps, {}), {}};
    if (const auto dimension = dimension_ahead(file, options_))
      shape.require_dimension(*dimension, side, file_name(file.path));
    WordVectors vectors = load_vectors(session, file, options_, kUsualWords);
    shape.require_dimension(vectors.dimension(), side, file_name(file.path));
    VectorsOrigin origin{file.path, vectors.content_checksum(), vectors.size(), vectors.dimension()};
    return {Normalizer::fit(steps, vectors.table()), std::move(origin)};
  }

  std::string source_matrix_, target_matrix_, output_, header_ = "detect", normalization_ = "unit";
  std::string criterion_ = "csls";
  bool transpose_ = false;
  VectorFile source_, target_;
  VectorOptions options_;
};

}  // namespace

CommandEntry import_command() {
  return {"import", "Make a mapping of a plain-text matrix from another program",
          "  wordbridge import alignment-matrix.txt -o en-es.wbmap\n"
          "  wordbridge import W.txt --normalize unit,center --source en.vec --target es.vec -o en-es.wbmap",
          make_command<ImportCommand>};
}

}  // namespace wordbridge::cli
