#pragma once

namespace wordbridge {

// OpenBLAS asks the environment, at its very start, how many threads to start and for which core to choose its kernels.
// The linker leads all questions of a program or shared library for environment variables to a function here
// (--wrap=getenv), which answers these two and passes all others on: so the environment itself stays as it is. There
// are no threads: parallelism is ours, and threads of its own would only fight them, and hang where memory is short.

/// The core that OpenBLAS is told; nullptr: what the environment says.
const char*& blas_core_asked_for();

}  // namespace wordbridge
