// The module wordbridge._core: the library as the package in python/wordbridge uses it. What users see, with its
// documentation, is there.
#include <pybind11/pybind11.h>

#include "adapt.h"
#include "align.h"
#include "entry.h"
#include "errors.h"
#include "evaluation.h"
#include "experiments.h"
#include "hub.h"
#include "lexicon.h"
#include "mapping.h"
#include "run.h"
#include "space.h"
#include "table.h"
#include "vectors.h"

PYBIND11_MODULE(_core, module) {
  using namespace wordbridge::python;
  // Signatures of C++ in docstrings and errors help nobody.
  pybind11::options options;
  options.disable_function_signatures();
  register_errors();
  bind_run(module);
  bind_table(module);
  bind_vectors(module);
  bind_lexicon(module);
  bind_mapping(module);
  bind_align(module);
  bind_adapt(module);
  bind_space(module);
  bind_entry(module);
  bind_evaluation(module);
  bind_experiments(module);
  bind_hub(module);
}
