#include "linalg/blas_core.h"

#include <cblas.h>

#include <algorithm>
#include <cstdlib>
#include <span>
#include <string_view>

// OpenBLAS chooses its kernels when it is loaded, here called a second time with the name of a core given. Weak,
// because builds of OpenBLAS for one kind of processor do not have them.
extern "C" {
__attribute__((weak)) void gotoblas_dynamic_init();
__attribute__((weak)) void gotoblas_dynamic_quit();
}

namespace wordbridge {

namespace {
// OpenBLAS asks the environment, at its very start, how many threads to start and for which core to choose its kernels.
// The linker leads all questions of a program or shared library for environment variables to a function here
// (--wrap=getenv), which answers these two and passes all others on: so the environment itself stays as it is. There
// are no threads: parallelism is ours, and threads of its own would only fight them, and hang where memory is short.

/// The core that OpenBLAS is told; nullptr: what the environment says.
const char*& blas_core_asked_for() {
  static const char* core = nullptr;
  return core;
}
}  // namespace

void choose_blas_core() {
#if defined(__x86_64__)
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr || !gotoblas_dynamic_init || !gotoblas_dynamic_quit) return;
  // Every core of OpenBLAS that cannot be meant where AVX2 is, and those that cannot where AVX-512 is.
  static constexpr std::string_view kWithoutAvx2[] = {
      "Unknown",    "Katmai",  "Coppermine",  "Northwood", "Prescott", "Banias",       "Atom",      "Core2", "Penryn",
      "Dunnington", "Nehalem", "Sandybridge", "Athlon",    "Opteron",  "Opteron_SSE3", "Barcelona", "Nano",  "Bobcat"};
  static constexpr std::string_view kWithoutAvx512[] = {"Haswell", "Zen"};
  const std::string_view chosen = openblas_get_corename();
  const auto is_among = [&](std::span<const std::string_view> cores) {
    return std::ranges::find(cores, chosen) != cores.end();
  };
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (!(avx2 && is_among(kWithoutAvx2)) && !(avx512 && is_among(kWithoutAvx512))) return;
  blas_core_asked_for() = avx512 ? "SkylakeX" : "Haswell";
  gotoblas_dynamic_quit();
  gotoblas_dynamic_init();
  blas_core_asked_for() = nullptr;
#endif
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
