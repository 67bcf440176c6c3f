#pragma once
#include <string_view>
#include <vector>

#include "search/kernels/kernels.h"

namespace wordbridge {

/// The kernels in use: the fastest this machine has, or those named by the environment variable WORDBRIDGE_KERNEL.
/// Chosen once. Throws UsageError if the variable names what there is not.
const Kernels& kernels();
inline const char* kernel_name() { return kernels().name; }

/// What this machine can run, fastest first; the last is `portable`.
std::vector<const Kernels*> available_kernels();

/// The kernels of that name; throws UsageError, naming the choices, if this machine cannot run them.
const Kernels& find_kernels(std::string_view name);

}  // namespace wordbridge
