#include "adapt.h"

#include <pybind11/stl.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/report/adapt_report.h"
#include "mapping.h"
#include "mapping/map_export.h"
#include "mapping/map_row.h"
#include "run.h"
#include "table.h"
#include "text.h"
#include "wordbridge/adapt.h"
#include "wordbridge/error.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

/// The settings that Python hands over by name.
AdaptOptions options_of(const py::dict& given) {
  AdaptOptions options;
  const auto set = [&]<class T>(const char* name, T& field) {
    if (given.contains(name)) field = given[name].cast<T>();
  };
  set("map", options.map);
  set("neighbors", options.neighbors);
  set("sample", options.sample);
  set("passes", options.passes);
  set("temperature", options.temperature);
  set("smoothing", options.smoothing);
  set("dropout", options.dropout);
  set("negatives", options.negatives);
  set("decay", options.decay);
  set("backward", options.backward);
  std::string criterion = "both";
  set("criterion", criterion);
  if (criterion == "own")
    options.criterion = AdaptCriterion::own;
  else if (criterion == "neighbors")
    options.criterion = AdaptCriterion::neighbors;
  else if (criterion != "both")
    throw UsageError("criterion '" + criterion + "': own, neighbors or both is expected");
  return options;
}

std::pair<MappingPointer, Text> learn_adapter(
    const Run& run, const py::buffer& source, const py::buffer& target,
    const std::optional<std::vector<std::pair<std::int64_t, std::int64_t>>>& pairs, const py::dict& settings) {
  const FloatRows x(source), y(target);
  const AdaptOptions options = options_of(settings);
  Adaptation result = run([&] {
    require_finite(x.view(), "new: row");
    require_finite(y.view(), "old: row");
    std::vector<Lexicon::Pair> rows;
    if (pairs) {
      const auto inside = [](std::int64_t row, ConstMatrixView of) {
        return row >= 0 && static_cast<std::uint64_t>(row) < of.rows();
      };
      for (const auto& [i, j] : *pairs) {
        if (!inside(i, x.view()) || !inside(j, y.view())) throw UsageError("pairs: a row that its table does not have");
        rows.push_back({static_cast<WordId>(i), static_cast<WordId>(j)});
      }
    } else {
      if (x.view().rows() != y.view().rows())
        throw UsageError("new and old have " + std::to_string(x.view().rows()) + " and " +
                         std::to_string(y.view().rows()) +
                         " rows: without pairs, each row of one belongs to one of the other");
      for (std::size_t i = 0; i < x.view().rows(); ++i)
        rows.push_back({static_cast<WordId>(i), static_cast<WordId>(i)});
    }
    return adapt(x.view(), y.view(), rows, options);
  });
  return {std::make_shared<Mapping>(std::move(result.mapping)), Text{adapt_json(result.report)}};
}

/// A few rows at once, without a thread of their own: what a service calls.
Table transform_few(const Mapping& mapping, const py::buffer& array, bool unit) {
  const FloatRows rows(array);
  Matrix result = Matrix::uninitialized(rows.view().rows(), mapping.common_dimension());
  {
    const py::gil_scoped_release released;
    require_finite(rows.view(), "row");
    for (std::size_t i = 0; i < result.rows(); ++i) map_row(mapping, rows.view().row(i), unit, result.row(i));
  }
  return Table(std::move(result));
}

}  // namespace

void bind_adapt(py::module_& module) {
  module.def("adapt", &learn_adapter);
  module.def("transform_few", &transform_few);
  module.def("intercept", [](const Mapping& mapping) { return mapping.source_intercept(); });
  module.def("onnx",
             [](const Mapping& mapping, bool unit) { return py::bytes(onnx_bytes(mapping, Side::source, unit)); });
  module.def("adapter_kinds", [] {
    py::dict kinds;
    for (const AdapterKind& kind : adapter_kinds()) kinds[kind.name.c_str()] = kind.summary;
    return kinds;
  });
}

}  // namespace wordbridge::python
