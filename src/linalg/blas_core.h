#pragma once

namespace wordbridge {

/// Gives OpenBLAS kernels for the processor at hand where it fails to recognize it: a library older than the processor
/// takes it for one of 2004 and is 3 to 5 times slower than need be, or for one without AVX-512, which costs up to half
/// of the speed. Does nothing if OPENBLAS_CORETYPE is set. Not thread-safe; to be called before the first product.
///
/// This is the OpenBLAS inside this library or program, which nobody else uses. The environment, which it asks for the
/// name of a core, stays as it is: its questions are answered at link time.
void choose_blas_core();

}  // namespace wordbridge
