#include "cli/evaluated_spaces.h"

#include <fmt/format.h>

#include <utility>

#include "cli/mapped_vectors.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "mapping/mapping_format.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

Side side_of(const std::string& name) { return name == "target" ? Side::target : Side::source; }

void require_same_dimension(std::size_t first, std::size_t second) {
  if (first != second)
    throw UsageError(fmt::format("vectors of dimensions {} and {} do not share a space", first, second));
}

}  // namespace

void SpaceInputs::declare(Arguments& arguments) {
  file_.declare(arguments, "vectors", "Vectors of one language, or a prepared space (.wbspace)");
  arguments.heading("Spaces");
  arguments.text("--mapping", mapping_path_, "FILE", "Measure the vectors that this mapping makes, too");
  arguments.choice("--side", side_, {"source", "target"},
                   "Which side of the mapping the vectors belong to (default: source)");
  arguments.choice("--space", space_, {"both", "original", "aligned"},
                   "Vectors as they are, as the mapping makes them, or both (default: both where there is a mapping)");
  options_.declare(arguments, "the mapping's or 200000");
}

void SpaceInputs::open(const VectorFile& target) {
  const bool two_languages = !target.path.empty();
  require_one_standard_input({mapping_path_, file_.path, target.path});
  if (names_prepared_space(file_.path)) {
    if (has_mapping() || two_languages || !space_.empty() || options_.max_words || options_.lenient)
      throw UsageError(
          "a prepared space holds its words as they are mapped: of the options for files only --side is left");
    prepared_.emplace(file_.path);
    return;
  }
  if (!has_mapping() && (space_ == "aligned" || space_ == "both"))
    throw UsageError("--space " + space_ + " needs a mapping: --mapping FILE");
  if (two_languages && side_ != "source")
    throw UsageError("with vectors of two languages, the first are those of the mapping's source side");
  if (has_mapping()) mapping_ = read_mapping(mapping_path_);
  constexpr std::size_t kUnknown = 0;
  const std::size_t first = dimension_ahead(file_, options_).value_or(kUnknown);
  const std::size_t second = two_languages ? dimension_ahead(target, options_).value_or(kUnknown) : kUnknown;
  if (first != kUnknown && wants_aligned()) mapping_.require_dimension(first, side_of(side_), file_name(file_.path));
  if (second != kUnknown && wants_aligned()) mapping_.require_dimension(second, Side::target, file_name(target.path));
  if (first != kUnknown && second != kUnknown && wants_original(two_languages)) require_same_dimension(first, second);
}

bool SpaceInputs::wants_original(bool two_languages) const {
  if (!has_mapping() || space_ == "original") return true;
  // Two languages do not share a space before they are mapped, unless somebody says so.
  return space_ == "both" || (space_.empty() && !two_languages);
}

WordVectors SpaceInputs::read(Session& session, const VectorFile& file, Side side) const {
  WordVectors vectors =
      load_vectors(session, file, options_, has_mapping() ? mapping_.provenance.max_words : kUsualWords);
  if (wants_aligned()) {
    mapping_.require_dimension(vectors.dimension(), side, file_name(file.path));
    if (const auto warning = mapping_.mismatch(vectors, side)) session.warn(*warning);
  }
  return vectors;
}

std::vector<NamedSpace> SpaceInputs::load(Session& session, const VectorFile& target) const {
  if (prepared_) {
    const CommonSpace::State& state = prepared_->space().state();
    CommonSpace::State::Words nobody{
        .rows = std::make_shared<LazyRows>(UnitRows::take(Matrix(0, prepared_->space().dimension())))};
    return {{"aligned", CommonSpace(std::make_shared<const CommonSpace::State>(state.words(side_of(side_)),
                                                                               std::move(nobody), "csls"))}};
  }
  const bool two_languages = !target.path.empty();
  WordVectors first = read(session, file_, side_of(side_));
  WordVectors second = two_languages ? read(session, target, Side::target) : WordVectors();
  std::vector<NamedSpace> spaces;
  if (wants_original(two_languages)) {
    if (two_languages) require_same_dimension(first.dimension(), second.dimension());
    spaces.push_back({"original", two_languages ? CommonSpace(first, second) : CommonSpace::of_one(first)});
  }
  if (wants_aligned())
    spaces.push_back({"aligned", two_languages ? CommonSpace(mapping_, std::move(first), std::move(second))
                                               : CommonSpace::of_one(mapping_, std::move(first), side_of(side_))});
  return spaces;
}

}  // namespace wordbridge::cli
