#include "align.h"

#include <pybind11/stl.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "align/alignment_plan.h"
#include "align/registry.h"
#include "base/option_error.h"
#include "lexicon.h"
#include "mapping.h"
#include "run.h"
#include "text.h"
#include "vectors.h"
#include "wordbridge/context.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

const char* kind_name(OptionKind kind) {
  switch (kind) {
    case OptionKind::flag:
      return "flag";
    case OptionKind::whole:
      return "whole";
    case OptionKind::real:
      return "real";
    case OptionKind::text:
      break;
    case OptionKind::choice:
      return "choice";
    case OptionKind::wholes:
      return "wholes";
    case OptionKind::reals:
      return "reals";
  }
  return "text";
}

py::dict option_dict(const OptionInfo& option) {
  py::dict dict;
  dict["name"] = option.name;
  dict["kind"] = kind_name(option.kind);
  dict["help"] = option.help;
  dict["default"] = option.default_text;
  py::list words;  // which stand for values that are not there, or for 0
  if (!option.unset.empty()) words.append(option.unset);
  if (!option.zero.empty()) words.append(option.zero);
  dict["words"] = words;
  dict["writes"] = option.writes;
  dict["choices"] = option.choices;
  dict["min"] = std::isfinite(option.min) ? py::cast(option.min) : py::none();
  dict["max"] = std::isfinite(option.max) ? py::cast(option.max) : py::none();
  dict["is_file"] = option.is_file;
  return dict;
}

py::list option_list(const std::vector<OptionInfo>& options) {
  py::list list;
  for (const OptionInfo& option : options) list.append(option_dict(option));
  return list;
}

py::list list_methods() {
  py::list list;
  for (const MethodInfo& method : methods()) {
    py::dict dict;
    dict["name"] = method.name;
    dict["summary"] = method.summary;
    dict["normalization"] = method.normalization;
    dict["criterion"] = method.criterion;
    dict["needs_lexicon"] = method.needs_lexicon;
    dict["options"] = option_list(method.options);
    list.append(dict);
  }
  return list;
}

py::list list_criteria() {
  py::list list;
  for (const CriterionInfo& criterion : criteria()) {
    py::dict dict;
    dict["name"] = criterion.name;
    dict["summary"] = criterion.summary;
    dict["options"] = option_list(criterion.options);
    list.append(dict);
  }
  return list;
}

/// As `wordbridge align` does it: the same files give the same bytes.
MappingPointer learn(const Run& run, const WordVectors& source, const WordVectors& target,
                     const std::shared_ptr<FoundLexicon>& lexicon, const Text& method,
                     const std::map<std::string, std::string>& options, const Text& normalization,
                     std::uint64_t max_words) {
  auto mapping = run([&] {
    AlignOptions asked{.method = method.bytes, .options = {}, .normalization = normalization.bytes};
    for (const auto& [name, value] : options) asked.options.emplace(name, value);
    const AlignmentPlan plan(asked);
    if (plan.method().needs_lexicon && !lexicon)
      throw OptionError(OptionName("method", plan.method().name) + " learns from a lexicon: give one");
    if (source.size() == 0 || target.size() == 0) throw UsageError("there are no vectors to align");
    if (lexicon) require_words(*lexicon, source.vocabulary(), target.vocabulary());
    const Lexicon pairs = lexicon ? lexicon->lexicon : Lexicon();
    PreparedProblem problem =
        plan.prepare(source, target, pairs, {.max_words = max_words, .lexicon = lexicon ? lexicon->name : ""});
    for (const std::string& warning : plan.warnings(problem)) Context::current().progress().warn(warning);
    return std::make_shared<Mapping>(plan.run(std::move(problem)));
  });
  for (const std::string& warning : mapping->provenance.report.warnings) warn(warning);
  return mapping;
}

}  // namespace

void bind_align(py::module_& module) {
  module.def("version", &version);
  module.def("methods", &list_methods);
  module.def("criteria", &list_criteria);
  module.def("align", &learn);
}

}  // namespace wordbridge::python
