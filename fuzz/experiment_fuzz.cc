// Any bytes are an experiment or an InputError, whole or in its version for the sample; its cells have settings.
#include <cstdint>
#include <string_view>

#include "experiments/experiment.h"
#include "wordbridge/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const bool sample : {false, true}) {
    try {
      const wordbridge::Experiment experiment = wordbridge::parse_experiment(text, "input", sample);
      for (std::size_t i = 0; i < experiment.rows.size(); ++i)
        for (std::size_t j = 0; j < experiment.columns.size(); ++j) experiment.cell(i, j);
    } catch (const wordbridge::InputError&) {
    }
  }
  return 0;
}
