#pragma once
#include <string>

#include "wordbridge/mapping.h"

namespace wordbridge {

// A side of a mapping as other programs take it.

/// A NumPy .npz file (arrays as .npy, not compressed): `W` (c x d), `b` (c numbers, zeros where there is no intercept)
/// and, for each `center` of the normalization, `mean0`, `mean1`, ...: a row x goes to x Wᵀ + b, after the
/// normalization.
std::string npz_bytes(const Mapping& mapping, Side side);
/// A NumPy .npy file with (W b), c x (d + 1): x goes to (W b) (x, 1). UsageError where the side is normalized.
std::string npy_bytes(const Mapping& mapping, Side side);
/// An ONNX model (opset 13) of all that the mapping does to a row: input `x`, n x d, output `y`, n x c. Normalization
/// becomes LpNormalization and Sub, the map one Gemm, and with `unit` an LpNormalization follows.
std::string onnx_bytes(const Mapping& mapping, Side side, bool unit);

/// The header of a NumPy .npy file of float32 in C order; without columns, of one dimension.
std::string npy_header(std::size_t rows, std::size_t cols);

}  // namespace wordbridge
