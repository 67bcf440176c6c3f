#include "errors.h"

#include <pybind11/pybind11.h>

#include <filesystem>

#include "base/option_error.h"
#include "text.h"
#include "wordbridge/error.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

/// `name`: a class, or a function that makes an exception.
template <class... Arguments>
void raise_error(const char* name, const Arguments&... arguments) {
  const py::object error = py::module_::import("wordbridge.errors").attr(name)(arguments...);
  PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
}

}  // namespace

void register_errors() {
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const InputError& error) {
      raise_error("InputError", to_str(error.path()), error.line(), to_str(error.reason()));
    } catch (const IoError& error) {
      raise_error("io_error", error.error_number(), to_str(error.what()), to_str(error.path()));
    } catch (const OptionError& error) {
      raise_error("UsageError", to_str(error.message().text(spell_as_keyword)));
    } catch (const UsageError& error) {
      raise_error("UsageError", to_str(error.what()));
    } catch (const Error& error) {
      raise_error("Error", to_str(error.what()));
    } catch (const std::filesystem::filesystem_error& error) {
      raise_error("io_error", error.code().value(), to_str(error.what()), to_str(error.path1().string()));
    }
  });
}

}  // namespace wordbridge::python
