#pragma once

namespace wordbridge {

/// The core that OpenBLAS is told when it asks the environment for OPENBLAS_CORETYPE; nullptr: what is there.
///
/// The linker leads all questions of a program or shared library for environment variables to a function here
/// (--wrap=getenv), which passes all others on. So the environment itself stays as it is.
const char*& blas_core_asked_for();

}  // namespace wordbridge
