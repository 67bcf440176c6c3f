#include "search/kernels/kernel_choice.h"

#include <cstdlib>
#include <string>
#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "search/neighbor_search.h"
#include "wordbridge/error.h"

namespace wordbridge {

extern const ScoreKernel kScorePortable;
extern const EncodeKernel kEncodePortable;
extern const FilterKernel kFilterPortable;
#if defined(__x86_64__)
extern const ScoreKernel kScoreAvx2, kScoreAvx512;
extern const EncodeKernel kEncodeAvx2, kEncodeAvx512;
extern const FilterKernel kFilterAvx2, kFilterAvx512Vnni, kFilterAmx;
#endif

namespace {

#if defined(__x86_64__)
bool has_avx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool has_avx512vnni() {
  return has_avx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vnni");
}
/// The processor has AMX (leaf 7: bits 24, tiles, and 25, int8), and Linux grants this process its large registers.
bool has_amx() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!has_avx512vnni() || __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) == 0 || (edx >> 24 & 3) != 3) return false;
  constexpr int kRequestPermission = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}
#endif

struct Candidate {
  Kernels kernels;
  bool (*runs_here)();
};

/// All there are, fastest first.
const Candidate kCandidates[] = {
#if defined(__x86_64__)
    {{"amx", &kScoreAvx512, &kEncodeAvx512, &kFilterAmx}, has_amx},
    {{"avx512vnni", &kScoreAvx512, &kEncodeAvx512, &kFilterAvx512Vnni}, has_avx512vnni},
    {{"avx2", &kScoreAvx2, &kEncodeAvx2, &kFilterAvx2}, has_avx2},
#endif
    {{"portable", &kScorePortable, &kEncodePortable, &kFilterPortable}, [] { return true; }},
};

}  // namespace

std::vector<const Kernels*> available_kernels() {
  std::vector<const Kernels*> available;
  for (const Candidate& candidate : kCandidates)
    if (candidate.runs_here()) available.push_back(&candidate.kernels);
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
  return kernels().score->exact_score(a, b, dimension);
}

}  // namespace wordbridge
