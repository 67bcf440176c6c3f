#include "hub.h"
#include "base/atomic_file.h"

#include <pybind11/stl.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/report/hub_page.h"
#include "hub/hub_manifest.h"
#include "hub/hub_runner.h"
#include "mapping.h"
#include "run.h"
#include "text.h"
#include "wordbridge/context.h"
#include "wordbridge/hub.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

using HubPointer = std::shared_ptr<Hub>;

/// What failed goes where warnings of all work go.
class HubWarnings final : public HubObserver {
 public:
  void failed(const std::string& language, const std::string& reason) override {
    Context::current().progress().warn(language + ": " + reason);
  }
};

HubPointer make_hub(const Run& run, const Path& list_path, const Path& folder, bool joint, std::uint64_t memory,
                    std::uint64_t matrix_words, bool matrix, bool rerank, bool lenient) {
  return run([&] {
    LanguageList list = read_language_list(list_path.bytes);
    list.joint = list.joint || joint;
    HubWarnings warnings;
    const HubManifest manifest = HubRunner(std::move(list),
                                           {.folder = folder.bytes,
                                            .memory = memory,
                                            .matrix_words = static_cast<std::size_t>(matrix_words),
                                            .matrix = matrix,
                                            .rerank = rerank,
                                            .lenient = lenient},
                                           warnings)
                                     .run();
    const HubFolder files(folder.bytes);
    std::map<std::string, Provenance> provenances;
    for (const HubManifest::Language& language : manifest.languages)
      if (!language.mapping.empty())
        provenances.emplace(language.name, read_mapping(files.resolve(language.mapping)).provenance);
    write_kept_file(files.report(), cli::hub_page(manifest, provenances));
    return std::make_shared<Hub>(folder.bytes);
  });
}

std::vector<Text> languages_of(const Hub& hub) {
  std::vector<Text> names;
  for (std::string& name : hub.languages()) names.push_back(Text{std::move(name)});
  return names;
}

MappingPointer mapping_of(const Run& run, const HubPointer& hub, const Text& source,
                          const std::optional<Text>& target) {
  return run([&] {
    return std::make_shared<Mapping>(target ? hub->mapping(source.bytes, target->bytes) : hub->mapping(source.bytes));
  });
}

}  // namespace

void bind_hub(py::module_& module) {
  py::class_<Hub, HubPointer>(module, "Hub")
      .def_property_readonly("pivot", [](const Hub& hub) { return Text{hub.pivot()}; })
      .def("languages", &languages_of)
      .def("precision", [](const Hub& hub, const Text& source,
                           const Text& target) { return hub.precision(source.bytes, target.bytes); })
      .def("reranked_precision", [](const Hub& hub, const Text& source,
                                    const Text& target) { return hub.reranked_precision(source.bytes, target.bytes); })
      .def("vectors_path", [](const Hub& hub, const Text& language) { return Path{hub.vectors_path(language.bytes)}; })
      .def("manifest", [](const Hub& hub) { return Text{to_json(hub.manifest())}; });
  module.def("read_hub", [](const Run& run, const Path& folder) {
    return run([&] { return std::make_shared<Hub>(folder.bytes); });
  });
  module.def("make_hub", &make_hub);
  module.def("hub_mapping", &mapping_of);
}

}  // namespace wordbridge::python
