#pragma once
#include "experiments/experiment.h"

namespace wordbridge {

// What an experiment may hold (docs/experiments.md); more is a mistake, or meant to do harm.
inline constexpr std::size_t kMostMeasurements = 100'000;  // of all cells; so many cells, too
inline constexpr std::size_t kMostNameBytes = 200;         // of an experiment, a row, a column, a heading
inline constexpr std::size_t kMostSettingBytes = 1000;     // of the value of a setting
inline constexpr std::size_t kMostTextBytes = 10'000;      // of title and note
inline constexpr std::size_t kMostDecimals = 10;

/// The sizes and texts, and that a figure can be drawn: nothing of this depends on what settings mean. InputError.
void check_shape(const Experiment& experiment);

/// All that can be wrong with the settings of each cell, but for files that are missing: before anything is measured.
/// InputError that names the row and the column.
void check_settings(const Experiment& experiment);

}  // namespace wordbridge
