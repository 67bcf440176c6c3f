#pragma once
#include <pybind11/pybind11.h>

#include <memory>

#include "wordbridge/word_vectors.h"

namespace wordbridge::python {

/// Vectors as Python holds them: nobody changes them.
using VectorsPointer = std::shared_ptr<WordVectors>;

/// A table of its own, made by all threads of the current context, which can be told to stop meanwhile.
WordVectors copied(const WordVectors& vectors);

/// The words [first, last) as a list of str.
pybind11::list words_of(const Vocabulary& vocabulary, std::size_t first, std::size_t last);

void bind_vectors(pybind11::module_& module);

}  // namespace wordbridge::python
