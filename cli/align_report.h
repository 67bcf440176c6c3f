#pragma once
#include <string>
#include <vector>

#include "wordbridge/mapping/mapping.h"

namespace wordbridge::cli {

/// "rcsls: 300 x 300, mean cosine of the pairs 0.612"
std::string fit_line(const Mapping& mapping);

/// What a method has to say to the user, such as that training diverged: "warnings" in its details.
std::vector<std::string> warnings_of(const Provenance& provenance);

/// The settings that a method tried and how good each was, as the lines of a table below one that says what was
/// measured, the chosen row marked; none where nothing was selected.
std::vector<std::string> selection_lines(const Provenance& provenance);

/// How good each try of a method without a lexicon looked, a line for each; none where there was none.
std::vector<std::string> restart_lines(const Provenance& provenance);

/// How the refinement went, a line for each round; none where there was none.
std::vector<std::string> refinement_lines(const Provenance& provenance);

}  // namespace wordbridge::cli
