#include <fmt/format.h>

#include <map>
#include <optional>
#include <utility>

#include "cli/commands/command.h"
#include "cli/options/arguments.h"
#include "cli/options/vector_options.h"
#include "cli/paths.h"
#include "cli/session.h"
#include "mapping/mapping_format.h"
#include "mapping/matrix_import.h"
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
    arguments.file("matrix", import_.matrix, "The matrix of the source side, as text");
    arguments.heading("Matrix");
    for (const auto& option : list_.all()) {
      const OptionInfo info = option.info();
      arguments.raw("--" + info.name, given_[info.name], info.value_name, info.help_with_default());
    }
    arguments.heading("Output");
    arguments.text("-o,--output", output_, "FILE", "The mapping to write (.wbmap)", Arguments::Need::required);
    arguments.choice("--criterion", import_.criterion, vector_criterion_names(),
                     "What 'translate' and 'evaluate' rank by where nothing else is said (default: csls)");
    declare_vectors(arguments);
  }

  ExitCode run(Session& session) override {
    for (const auto& [name, text] : given_)
      if (text) list_.set(import_, name, *text);
    if (needs_vectors(import_.normalization) && (source_.path.empty() || target_.path.empty()))
      throw UsageError("'center' needs the vectors whose means it subtracts: give --source FILE and --target FILE");
    require_one_standard_input({import_.matrix, import_.target_matrix, source_.path, target_.path});
    refuse_overwriting(output_,
                       std::vector<std::string>{import_.matrix, import_.target_matrix, source_.path, target_.path});
    AtomicFile output(output_);
    MatrixImport import(import_);
    fit(session, import, Side::source, source_);
    fit(session, import, Side::target, target_);
    Mapping mapping = std::move(import).finish();
    mapping.provenance.max_words = options_.max_words.value_or(kUsualWords);
    write_mapping(mapping, output);
    session.note(fmt::format("{} written: {} dimensions to {}, normalization '{}'", output_,
                             mapping.input_dimension(Side::source), mapping.common_dimension(), import_.normalization));
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

  /// Where the vectors of that side are given.
  void fit(Session& session, MatrixImport& import, Side side, const VectorFile& file) const {
    if (file.path.empty()) return;
    if (const auto dimension = dimension_ahead(file, options_))
      import.require_dimension(*dimension, side, file_name(file.path));
    WordVectors vectors = load_vectors(session, file, options_, kUsualWords);
    import.require_dimension(vectors.dimension(), side, file_name(file.path));
    import.fit(std::move(vectors), side);
  }

  const OptionList<MatrixImportOptions> list_ = matrix_import_options();
  MatrixImportOptions import_;
  std::map<std::string, std::optional<std::string>> given_;  // options of the list, as they were typed
  std::string output_;
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
