#include "mapping.h"

#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/escaped_text.h"
#include "base/option_error.h"
#include "base/option_text.h"
#include "cli/paths.h"
#include "cli/report/align_report.h"
#include "cli/report/mapping_report.h"
#include "io/byte_stream.h"
#include "mapping/composition.h"
#include "mapping/mapped_file.h"
#include "mapping/mapped_model.h"
#include "mapping/mapping_format.h"
#include "mapping/matrix_import.h"
#include "mapping/plain_matrix.h"
#include "mapping/space_identity.h"
#include "run.h"
#include "table.h"
#include "text.h"
#include "vectors.h"
#include "vectors/formats/fasttext_model.h"
#include "vectors/formats/fasttext_parts.h"
#include "vectors/formats/item_table.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

MappingPointer share(Mapping mapping) { return std::make_shared<Mapping>(std::move(mapping)); }

std::optional<Table> matrix_of(const MappingPointer& mapping, const Text& side) {
  if (parse_side(side.bytes) == Side::source) return Table(mapping->source_map().view(), mapping);
  if (!mapping->target_map()) return std::nullopt;
  return Table(mapping->target_map()->view(), mapping);
}

Table transform_rows(const Run& run, const Mapping& mapping, const py::buffer& array, const Text& side, bool unit) {
  const FloatRows rows(array);
  const Side of = parse_side(side.bytes);
  mapping.require_dimension(rows.view().cols(), of, "the array");
  return Table(run([&] {
    require_finite(rows.view(), "row");
    return mapping.mapped(rows.view(), of, unit);
  }));
}

/// With a warning where the vectors are not the mapping's.
VectorsPointer transform_vectors(const Run& run, const Mapping& mapping, const WordVectors& vectors, const Text& side,
                                 bool unit) {
  const Side of = parse_side(side.bytes);
  std::optional<std::string> warning;
  auto result = run([&] {
    mapping.require_dimension(vectors.dimension(), of, "the table");
    warning = mapping.mismatch(vectors, of);
    WordVectors mapped = mapping.mapped(vectors, of, unit);
    ReadSummary summary = mapped.summary();
    summary.space = space_identity(mapping);
    auto model = mapped.subword_model();
    WordVectors::Parts parts = std::move(mapped).release();
    auto named = std::make_shared<WordVectors>(std::move(parts.vocabulary), std::move(parts.table), std::move(summary));
    if (model) named->set_subword_model(std::move(model));
    return named;
  });
  if (warning) warn(*warning);
  return result;
}

std::string remarks_of(const Mapping& mapping, const ModelMapping& how, const std::string& input, ByteStream& stream,
                       const std::string& output, std::optional<std::string>& warning) {
  ModelRemarks remarks = write_mapped_model(mapping, how, input, stream, output);
  warning = std::move(remarks.warning);
  return std::move(remarks.note);
}

/// `wordbridge apply`: any number of words, a block at a time; a fastText model becomes one where the output is .bin.
Text apply_file(const Run& run, const Mapping& mapping, const Path& input, const Path& output, const Text& side,
                bool unit, bool approximate, bool lenient, const TableReading& reading, const Text& format,
                const std::pair<std::size_t, std::size_t>& part, bool resume) {
  const Side of = parse_side(side.bytes);
  std::optional<std::string> warning;
  Text note{run([&] {
    cli::refuse_overwriting(output.bytes, std::vector<std::string>{input.bytes});
    std::unique_ptr<ByteStream> stream;
    if (!names_many_files(input.bytes)) stream = open_bytes(input.bytes);
    if (stream != nullptr && output.bytes.ends_with(".bin") &&
        looks_like_fasttext_model(stream->peek(sizeof(kFastTextMagic))))
      return remarks_of(
          mapping,
          {.side = of, .unit = unit, .approximate = approximate, .read_twice = cli::can_be_read_twice(input.bytes)},
          input.bytes, *stream, output.bytes, warning);
    if (approximate)
      throw OptionError(OptionName("approximate") + " is for fastText models that become fastText models (.bin)");
    FileMapping how{.side = of,
                    .unit = unit,
                    .format = format_named(format.bytes, output.bytes),

                    .read = read_options(reading),
                    .resume = resume};
    how.read.lenient = lenient;
    how.read.part = {part.first, part.second};
    warning = write_mapped_file(mapping, how, input.bytes, std::move(stream), output.bytes).warning;
    return std::string();
  })};
  if (warning) warn(*warning);
  return note;
}

std::pair<MappingPointer, double> derived(DerivedMapping mapping) {
  return {share(std::move(mapping.mapping)), mapping.distortion};
}

MappingPointer import_matrix(const Run& run, const Path& path, const std::map<std::string, std::string>& options,
                             const Text& criterion, const VectorsPointer& source, const VectorsPointer& target,
                             std::uint64_t max_words) {
  return run([&] {
    MatrixImportOptions settings;
    settings.matrix = path.bytes;
    settings.criterion = criterion.bytes;
    const OptionList<MatrixImportOptions> list = matrix_import_options();
    for (const auto& [name, value] : options) list.set(settings, name, value);
    MatrixImport import(settings);
    for (const auto& [vectors, side] : {std::pair(source, Side::source), std::pair(target, Side::target)})
      if (vectors) {
        import.require_dimension(vectors->dimension(), side, "the table");
        import.fit(*vectors, side);
      }
    Mapping mapping = std::move(import).finish();
    mapping.provenance.max_words = max_words;
    return share(std::move(mapping));
  });
}

Text plain_text(const Mapping& mapping, const Text& side, bool header, bool transpose) {
  if (parse_side(side.bytes) == Side::target && !mapping.target_map())
    throw UsageError("the mapping leaves the target side alone: there is no matrix to export");
  if (parse_side(side.bytes) == Side::source && !mapping.source_intercept().empty())
    throw UsageError("the mapping has an intercept, which a plain matrix cannot hold");
  const Matrix& w = parse_side(side.bytes) == Side::target ? *mapping.target_map() : mapping.source_map();
  return {to_plain_text(w, {.header = header ? PlainMatrixLayout::Header::present : PlainMatrixLayout::Header::absent,
                            .transpose = transpose})};
}

void write_text(const Path& path, const Text& text) {
  AtomicFile file(path.bytes);
  file.write(text.bytes);
  file.commit();
}

}  // namespace

Side parse_side(const std::string& name) {
  if (name == "source") return Side::source;
  if (name == "target") return Side::target;
  throw UsageError("side " + none_of(name, {"source", "target"}));
}

void bind_mapping(py::module_& module) {
  py::class_<Mapping, MappingPointer>(module, "Mapping")
      .def("matrix", &matrix_of)
      .def("to_bytes", [](const Mapping& mapping) { return py::bytes(mapping_bytes(mapping)); })
      .def("describe", [](const Mapping& mapping) { return Text{describe_json(mapping)}; })
      .def("inspect",
           [](const Mapping& mapping, const Text& name) {
             return std::pair(Text{cli::mapping_to_json(mapping)}, Text{cli::mapping_to_text(mapping, name.bytes)});
           })
      .def("report_lines",
           [](const Mapping& mapping, bool verbose) {
             std::vector<Text> lines;
             for (std::string& line : cli::report_lines(mapping.provenance.report, verbose))
               lines.push_back({std::move(line)});
             return lines;
           })
      .def("input_dimension",
           [](const Mapping& mapping, const Text& side) { return mapping.input_dimension(parse_side(side.bytes)); })
      .def_property_readonly("common_dimension", &Mapping::common_dimension)
      .def_property_readonly("has_reranker", [](const Mapping& mapping) { return mapping.reranker != nullptr; })
      .def("normalization",
           [](const Mapping& mapping, const Text& side) { return mapping.normalizer(parse_side(side.bytes)).name(); })
      .def("means",
           [](const Mapping& mapping, const Text& side) { return mapping.normalizer(parse_side(side.bytes)).means(); })
      .def("plain_text", &plain_text);
  module.def("read_mapping",
             [](const Run& run, const Path& path) { return run([&] { return share(read_mapping(path.bytes)); }); });
  module.def("write_mapping", [](const Run& run, const Mapping& mapping, const Path& path) {
    run([&] { write_mapping(mapping, path.bytes); });
  });
  module.def("parse_mapping",
             [](const std::string& bytes) { return share(parse_mapping(bytes, "the pickled mapping")); });
  module.def("transform", &transform_rows);
  module.def("transform_vectors", &transform_vectors);
  module.def("apply_file", &apply_file);
  module.def("invert",
             [](const Run& run, const Mapping& mapping) { return derived(run([&] { return invert(mapping); })); });
  module.def("compose", [](const Run& run, const Mapping& first, const Mapping& second) {
    return derived(run([&] { return compose(first, second); }));
  });
  module.def("import_matrix", &import_matrix);
  module.def("write_text", &write_text);
  module.def("escape_field", [](const Text& text) { return Text{escape_field(text.bytes)}; });
}

}  // namespace wordbridge::python
