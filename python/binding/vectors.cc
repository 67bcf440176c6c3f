#include "vectors.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/option_text.h"
#include "cli/report/inspection_report.h"
#include "parallel/thread_pool.h"
#include "run.h"
#include "table.h"
#include "text.h"
#include "vectors/inspection.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

VectorsPointer make_vectors(const Run& run, const std::vector<Text>& words, const py::buffer& array, const Text& name,
                            std::uint64_t space) {
  const FloatRows rows(array);
  if (rows.view().rows() != words.size())
    throw UsageError("there are " + std::to_string(words.size()) + " words for " + std::to_string(rows.view().rows()) +
                     " vectors");
  if (rows.view().cols() == 0) throw UsageError("the vectors have dimension 0");
  return run([&] {
    require_finite(rows.view(), "vector");
    Vocabulary vocabulary;
    vocabulary.reserve(words.size());
    for (const Text& word : words)
      if (!vocabulary.add(word.bytes)) throw UsageError("the word '" + word.bytes + "' comes twice");
    ReadSummary summary;
    summary.path = name.bytes;
    summary.space = space;
    return std::make_shared<WordVectors>(std::move(vocabulary), rows.shared(), summary);
  });
}

VectorsPointer read_table(const Run& run, const Path& path, std::uint64_t max_words, bool lenient,
                          const TableReading& reading) {
  return run([&] {
    ReadOptions options = read_options(reading);
    options.max_words = max_words;
    options.lenient = lenient;
    return std::make_shared<WordVectors>(read_vectors(path.bytes, options));
  });
}

void write_table(const Run& run, const VectorsPointer& vectors, const Path& path, const Text& format) {
  run([&] {
    const auto sink =
        create_vectors(path.bytes, format_named(format.bytes, path.bytes), vectors->dimension(), vectors->size(),
                       vectors->summary().space, {.row_ids = row_names(vectors->summary()) == RowNames::numbers});
    const std::size_t step = rows_of_block(vectors->dimension());
    for (std::size_t begin = 0; begin < vectors->size(); begin += step) {
      const std::size_t end = std::min(begin + step, vectors->size());
      std::vector<std::string> words;
      for (std::size_t i = begin; i < end; ++i) words.emplace_back(vectors->vocabulary()[i]);
      sink->write(words, vectors->table().view().slice(begin, end));
    }
    sink->finish();
  });
}

void convert_file(const Run& run, const Path& input, const Path& output, std::uint64_t max_words, bool lenient,
                  const TableReading& reading, const Text& format) {
  run([&] {
    const VectorFormat to = format_named(format.bytes, output.bytes);
    ReadOptions options = read_options(reading);
    options.max_words = max_words;
    options.lenient = lenient;
    const auto source = open_vectors(input.bytes, options);
    const auto sink =
        create_vectors(output.bytes, to, source->dimension(), source->promised_rows(), source->summary().space,
                       {.row_ids = row_names(source->summary()) == RowNames::numbers});
    while (const auto block = source->next()) sink->write(block->words, block->rows);
    sink->finish();
  });
}

py::dict summary_of(const WordVectors& vectors) {
  const ReadSummary& summary = vectors.summary();
  py::dict dict;
  dict["path"] = to_str(summary.path);
  dict["format"] = to_str(summary.format);
  dict["ids"] = row_names(summary) != RowNames::words;
  dict["compression"] = to_str(summary.compression);
  dict["line"] = to_str(summary.format.empty() ? std::string() : summary.to_line());
  dict["duplicates"] = summary.duplicates;
  dict["empty_words"] = summary.empty_words;
  dict["invalid_utf8"] = summary.invalid_utf8;
  dict["spaced_words"] = summary.spaced_words;
  dict["zero_rows"] = summary.zero_rows;
  dict["skipped_rows"] = summary.skipped_rows;
  dict["first_skipped"] = to_str(summary.first_skipped);
  dict["stopped_early"] = summary.stopped_early;
  return dict;
}

std::optional<Table> subword_vector(const Run& run, const WordVectors& vectors, const Text& word) {
  const auto vector = run([&] { return vectors.subword_vector(word.bytes); });
  if (!vector) return std::nullopt;
  return Table(Matrix::copy_of({vector->data(), 1, vector->size()}));
}

std::pair<Text, Text> inspect_table(const Run& run, const WordVectors& vectors) {
  return run([&] {
    const Inspection inspection = inspect_vectors(vectors, {.seed = run.seed()});
    return std::pair(Text{to_json(inspection)}, Text{to_text(inspection)});
  });
}

}  // namespace

ReadOptions read_options(const TableReading& reading) {
  const auto& [vocabulary, ids, format] = reading;
  return {.vocabulary_path = vocabulary ? vocabulary->bytes : "",
          .ids_path = ids ? ids->bytes : "",
          .format = format.bytes};
}

VectorFormat format_named(const std::string& name, const std::string& path) {
  if (name.empty()) return format_of_path(path);
  if (name == "text") return VectorFormat::text;
  if (name == "word2vec") return VectorFormat::word2vec_binary;
  if (name == "npy") return VectorFormat::npy;
  if (name == "npy:f16") return VectorFormat::npy_float16;
  if (name == "raw:f32") return VectorFormat::raw_float32;
  if (name == "raw:f16") return VectorFormat::raw_float16;
  if (name == "native") return VectorFormat::native;
  if (name == "postgres") return VectorFormat::postgres;
  if (name == "sqlite") return VectorFormat::sqlite;
  throw UsageError("format " + none_of(name, {"text", "word2vec", "npy", "npy:f16", "raw:f32", "raw:f16", "native",
                                              "postgres", "sqlite"}));
}

WordVectors copied(const WordVectors& vectors) {
  constexpr std::size_t kRows = 4096;
  const ConstMatrixView from = vectors.table();
  Matrix rows = Matrix::uninitialized(from.rows(), from.cols());
  ThreadPool::current().for_chunks(from.rows(), kRows, [&](std::size_t begin, std::size_t end, int) {
    std::copy_n(from.row(begin).data(), (end - begin) * from.cols(), rows.row(begin).data());
  });
  WordVectors copy(vectors.vocabulary(), std::move(rows), vectors.summary());
  if (vectors.has_subword_model()) copy.set_subword_model(vectors.subword_model());
  return copy;
}

py::list words_of(const Vocabulary& vocabulary, std::size_t first, std::size_t last) {
  last = std::min(last, vocabulary.size());
  py::list words(last > first ? last - first : 0);
  for (std::size_t i = first; i < last; ++i) words[i - first] = to_str(vocabulary[i]);
  return words;
}

void bind_vectors(py::module_& module) {
  py::class_<WordVectors, VectorsPointer>(module, "Vectors")
      .def("__len__", &WordVectors::size)
      .def_property_readonly("dimension", &WordVectors::dimension)
      .def_property_readonly("has_subwords", &WordVectors::has_subword_model)
      .def_property_readonly("space", [](const WordVectors& vectors) { return vectors.summary().space; })
      .def("array",
           [](const VectorsPointer& vectors) {
             return Table(std::as_const(*vectors).table(), std::static_pointer_cast<const void>(vectors));
           })
      .def("find", [](const WordVectors& vectors, const Text& word) { return vectors.vocabulary().find(word.bytes); })
      .def("words", [](const WordVectors& vectors, std::size_t first,
                       std::size_t last) { return words_of(vectors.vocabulary(), first, last); })
      .def("summary", &summary_of);
  module.def("make_vectors", &make_vectors);
  module.def("read_vectors", &read_table);
  module.def("write_vectors", &write_table);
  module.def("convert", &convert_file);
  module.def("subword_vector", &subword_vector);
  module.def("inspect_vectors", &inspect_table);
  module.def("vectors_checksum", [](const Run& run, const WordVectors& vectors) {
    return run([&] { return vectors.content_checksum(); });
  });
}

}  // namespace wordbridge::python
