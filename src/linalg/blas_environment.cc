#include "linalg/blas_environment.h"

#include <string_view>

namespace wordbridge {

const char*& blas_core_asked_for() {
  static const char* core = nullptr;
  return core;
}

}  // namespace wordbridge

// The names are the linker's.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
char* __real_getenv(const char* name);
char* __wrap_getenv(const char* name);

char* __wrap_getenv(const char* name) {
  static char one_thread[] = "1";
  if (std::string_view(name) == "OPENBLAS_NUM_THREADS") return one_thread;
  const char* core = wordbridge::blas_core_asked_for();
  if (core != nullptr && std::string_view(name) == "OPENBLAS_CORETYPE") return const_cast<char*>(core);
  return __real_getenv(name);
}
}
// NOLINTEND(bugprone-reserved-identifier)
