#pragma once

namespace wordbridge::python {

/// Errors of the library become exceptions of wordbridge.errors.
void register_errors();

}  // namespace wordbridge::python
