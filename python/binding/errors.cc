#include "errors.h"

#include <pybind11/pybind11.h>

#include <filesystem>

#include "text.h"
#include "wordbridge/error.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

template <class... Arguments>
void raise_error(const char* name, const Arguments&... arguments) {
  const py::object type = py::module_::import("wordbridge.errors").attr(name);
  const py::object error = type(arguments...);
  PyErr_SetObject(type.ptr(), error.ptr());
}

}  // namespace

void register_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise_error("InputError", to_str(error.path()), error.line(), to_str(error.reason()));
    } catch (const IoError& error) {
      raise_error("IoError", error.error_number(), to_str(error.what()), to_str(error.path()));
    } catch (const UsageError& error) {
      raise_error("UsageError", to_str(error.what()));
    } catch (const Error& error) {
      raise_error("Error", to_str(error.what()));
    } catch (const std::filesystem::filesystem_error& error) {
      raise_error("IoError", error.code().value(), to_str(error.what()), to_str(error.path1().string()));
    }
  });
}

}  // namespace wordbridge::python
