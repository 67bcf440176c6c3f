#include "wordbridge/neighbors/kernel_choice.h"

#include <cstdlib>
#include <string>

#include "wordbridge/base/error.h"
#include "wordbridge/neighbors/neighbor_search.h"

namespace wordbridge {

extern const Kernels kKernelsPortable;
#if defined(__x86_64__)
extern const Kernels kKernelsAvx2;
extern const Kernels kKernelsAvx512Vnni;
#endif

std::vector<const Kernels*> available_kernels() {
  std::vector<const Kernels*> available;
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512vnni = avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                          __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vnni");
  if (avx512vnni) available.push_back(&kKernelsAvx512Vnni);
  if (avx2) available.push_back(&kKernelsAvx2);
#endif
  available.push_back(&kKernelsPortable);
  return available;
}

const Kernels& find_kernels(std::string_view name) {
  std::string choices;
  for (const Kernels* candidate : available_kernels()) {
    if (name == candidate->name) return *candidate;
    choices += (choices.empty() ? "" : ", ") + std::string(candidate->name);
  }
  throw UsageError("WORDBRIDGE_KERNEL: no kernels '" + std::string(name) + "' on this machine; it has " + choices);
}

const Kernels& kernels() {
  static const Kernels& chosen = []() -> const Kernels& {
    const char* forced = std::getenv("WORDBRIDGE_KERNEL");
    return forced != nullptr && *forced != '\0' ? find_kernels(forced) : *available_kernels().front();
  }();
  return chosen;
}

float exact_score(const float* a, const float* b, std::size_t dimension) {
  return kernels().exact_score(a, b, dimension);
}

}  // namespace wordbridge
