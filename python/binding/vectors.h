#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "text.h"
#include "wordbridge/formats.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge::python {

/// Vectors as Python holds them: nobody changes them.
using VectorsPointer = std::shared_ptr<WordVectors>;

/// What a table of numbers does not say: its words, or its ids, and its format.
using TableReading = std::tuple<std::optional<Path>, std::optional<Path>, Text>;
ReadOptions read_options(const TableReading& reading);

/// A format of output by its name, or by the extension of the path.
VectorFormat format_named(const std::string& name, const std::string& path);

/// A table of its own, made by all threads of the current context, which can be told to stop meanwhile.
WordVectors copied(const WordVectors& vectors);

/// The words [first, last) as a list of str.
pybind11::list words_of(const Vocabulary& vocabulary, std::size_t first, std::size_t last);

void bind_vectors(pybind11::module_& module);

}  // namespace wordbridge::python
