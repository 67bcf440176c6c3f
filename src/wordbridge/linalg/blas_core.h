#pragma once

namespace wordbridge {

/// Gives OpenBLAS kernels for the processor at hand where it fails to recognize it: a library older than the processor
/// takes it for one of 2004 and is 3 to 5 times slower than need be. Does nothing if OPENBLAS_CORETYPE is set. Not
/// thread-safe; to be called before the first product.
///
/// This is the OpenBLAS inside this library or program, which nobody else uses. It asks the environment for the name of
/// a core; the linker leads its question here (--wrap=getenv), so that the environment stays as it is.
void choose_blas_core();

}  // namespace wordbridge
