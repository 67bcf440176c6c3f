#include "mapping/mapped_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/atomic_file.h"
#include "base/option_error.h"
#include "base/wording.h"
#include "mapping/affine_side.h"
#include "mapping/origin_check.h"
#include "vectors/formats/fasttext_model.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

namespace {

constexpr std::size_t kSampleWords = 20'000;

/// Of a path, for people.
std::string last_part(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

/// The first words of a model.
struct Sample {
  WordVectors vectors;                 // to approximate the mapping by
  std::optional<std::string> warning;  // where they are not the mapping's
};

Sample read_sample(const Mapping& mapping, Side side, const std::string& path) {
  const std::size_t words = std::max<std::size_t>(kSampleWords, mapping.provenance.origin(side).words);
  WordVectors vectors = read_vectors(path, {.max_words = words});
  mapping.require_dimension(vectors.dimension(), side, last_part(path));
  OriginCheck origin(mapping, side);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < vectors.size(); ++i) names.emplace_back(vectors.vocabulary()[i]);
  origin.add(names, vectors.table());
  auto warning = origin.mismatch(path);
  vectors.truncate(kSampleWords);
  return {std::move(vectors), std::move(warning)};
}

OptionMessage refusal(const Normalizer& normalizer) {
  return fmt::format(
             "the mapping normalizes by '{}', which means of rows cannot follow: a fastText model can hold it only "
             "roughly; write .vec or .wbvec, or align with ",
             normalizer.name()) +
         OptionName("normalize", "unit") + " or center,unit, or give " + OptionName("approximate");
}

}  // namespace

ModelRemarks write_mapped_model(const Mapping& mapping, const ModelMapping& how, const std::string& path,
                                ByteStream& stream, const std::string& output) {
  const Normalizer& normalizer = mapping.normalizer(how.side);
  const AffineSide::Kind kind = AffineSide::kind_of(normalizer);
  const bool roughly = kind == AffineSide::Kind::none;
  if (roughly && !how.approximate) throw OptionError(refusal(normalizer));
  if (roughly && !how.read_twice)
    throw OptionError(OptionName("approximate") +
                      fmt::format(" reads the model twice, which '{}' does not allow", path));
  AtomicFile written(output);
  Sample sample;
  if (how.read_twice) sample = read_sample(mapping, how.side, path);
  const AffineSide rows =
      roughly ? AffineSide(mapping, how.side, sample.vectors.table()) : AffineSide(mapping, how.side);
  rewrite_fasttext_model(stream, written,
                         {.dimension = mapping.common_dimension(),
                          .input =
                              [&](Matrix values) {
                                mapping.require_dimension(values.cols(), how.side, last_part(path));
                                return rows.apply(std::move(values));
                              },
                          .output = [&](Matrix values) { return rows.apply_linear(std::move(values)); }});
  ModelRemarks remarks{.warning = std::move(sample.warning), .note = {}};
  if (roughly)
    remarks.note =
        fmt::format("'{}' is approximated: mean cosine {:.4f} with the mapped vectors of {}", normalizer.name(),
                    rows.mean_cosine(sample.vectors.table()), counted(sample.vectors.size(), "word"));
  else if (how.unit || kind != AffineSide::Kind::exact)
    remarks.note = "the vectors of the model point where the mapping's do, but their lengths are not 1";
  return remarks;
}

}  // namespace wordbridge
