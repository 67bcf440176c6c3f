#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "wordbridge/mapping.h"

namespace wordbridge::python {

using MappingPointer = std::shared_ptr<Mapping>;

/// "source" or "target"; UsageError for anything else.
Side parse_side(const std::string& name);

void bind_mapping(pybind11::module_& module);

}  // namespace wordbridge::python
