#include "cli/derived_mapping.h"

#include <fmt/format.h>

#include "cli/session.h"
#include "mapping/mapping_format.h"

namespace wordbridge::cli {

void write_derived(Session& session, const DerivedMapping& derived, const std::string& output) {
  constexpr double kNothing = 1e-4;  // what rounding to floats brings
  if (derived.distortion > kNothing)
    session.warn(
        fmt::format("a map that is not orthogonal was turned around: cosines of two directions change by {:.3f} on "
                    "average; measure it with 'evaluate translation', or align this way",
                    derived.distortion));
  write_mapping(derived.mapping, output);
  session.note(fmt::format("{} written: {} x {}", output, derived.mapping.source_map().rows(),
                           derived.mapping.source_map().cols()));
}

}  // namespace wordbridge::cli
