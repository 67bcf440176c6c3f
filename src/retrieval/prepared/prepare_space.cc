#include "retrieval/prepared/prepare_space.h"

#include <utility>

#include "mapping/mapping_format.h"
#include "retrieval/prepared/prepared_file.h"
#include "search/int8_search.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/prepared_space.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

/// The lengths of rows, and which are zero.
RowLengths lengths_of(const UnitRows& rows) {
  RowLengths lengths;
  constexpr std::size_t kRows = 4096;
  for (std::size_t begin = 0; begin < rows.size(); begin += kRows)
    lengths.append(RowLengths::of(rows.rows().slice(begin, std::min(rows.size(), begin + kRows)), begin));
  return lengths;
}

/// A space, written part by part.
class SpacePreparation {
 public:
  SpacePreparation(const CommonSpace& space, const Mapping* mapping, const PrepareOptions& options)
      : space_(space), mapping_(mapping), options_(options) {}

  std::uint64_t run(AtomicFile& file, const std::array<std::string, 2>& names) {
    if (options_.half) round_rows();
    const CommonSpace::State& state = space_.state();
    CslsStatistics& statistics = state.csls(options_.neighbors);
    statistics.learn_both();
    const TwoSidedNeighbors searched = statistics.nearest() == nullptr ? search_both() : TwoSidedNeighbors();
    const TwoSidedLists nearest =
        statistics.nearest() != nullptr ? *statistics.nearest() : TwoSidedLists{searched.of_source, searched.of_target};

    PreparedAbout about{.program = std::string(version()),
                        .dimension = space_.dimension(),
                        .rows = options_.half ? MappedRows::Type::float16 : MappedRows::Type::float32,
                        .criterion = space_.criterion(),
                        .neighbors = options_.neighbors,
                        .source = about_side(Side::source, names[0], nearest.of_source),
                        .target = about_side(Side::target, names[1], nearest.of_target)};
    Stage stage("writing");
    stage.update(0, 2);
    SectionWriter writer(file, kPreparedFormat);
    writer.add("about", about.to_json());
    if (mapping_ != nullptr) writer.add("mapping", mapping_bytes(*mapping_));
    write_side(writer, Side::source, nearest.of_source, statistics.of_all(Side::source));
    stage.update(1, 2);
    write_side(writer, Side::target, nearest.of_target, statistics.of_all(Side::target));
    writer.finish();
    const std::uint64_t bytes = file.size();
    file.commit();
    return bytes;
  }

 private:
  /// The space of the vectors that the file will hold.
  void round_rows() {
    const auto rounded = [&](Side side) {
      const UnitRows& rows = space_.state().rows(side);
      auto& halves = side == Side::source ? source_halves_ : target_halves_;
      halves = to_float16(rows.rows());
      Matrix table = Matrix::uninitialized(rows.size(), rows.dimension());
      from_float16(reinterpret_cast<const char*>(halves.data()), table);
      return CommonSpace::State::Words{
          space_.vocabulary(side), {}, std::make_shared<LazyRows>(UnitRows::take(std::move(table)))};
    };
    space_ = CommonSpace(std::make_shared<const CommonSpace::State>(rounded(Side::source), rounded(Side::target),
                                                                    space_.criterion(), space_.reranker(), nullptr,
                                                                    space_.lexicon()));
  }

  /// Where the statistics found no lists on their way.
  TwoSidedNeighbors search_both() const {
    const CommonSpace::State& state = space_.state();
    const std::size_t k = options_.neighbors + kSpareNeighbors;
    return {state.search(Side::target).search(space_.table(Side::source), k),
            state.search(Side::source).search(space_.table(Side::target), k)};
  }

  PreparedAbout::OfSide about_side(Side side, const std::string& name, const NeighborLists& nearest) {
    RowLengths& lengths = side == Side::source ? source_lengths_ : target_lengths_;
    lengths = lengths_of(space_.state().rows(side));
    return {name, space_.size(side), nearest.found, lengths.largest, lengths.least, lengths.zeros.size()};
  }

  void write_side(SectionWriter& writer, Side side, const NeighborLists& nearest, std::span<const double> means) {
    const UnitRows& rows = space_.state().rows(side);
    write_vocabulary(writer, side, space_.vocabulary(side));
    writer.add(section_of(side, "zeros"),
               std::span<const WordId>((side == Side::source ? source_lengths_ : target_lengths_).zeros));
    const std::string vectors = section_of(side, "vectors");
    if (options_.half)
      writer.add(vectors, std::span<const std::uint16_t>(side == Side::source ? source_halves_ : target_halves_));
    else
      writer.add(vectors, std::span(rows.rows().data(), rows.size() * rows.dimension()));
    writer.add(section_of(side, "means"), means);
    writer.add(section_of(side, "nearest"), std::span(nearest.ids, nearest.queries * nearest.found));
    writer.add(section_of(side, "cosines"), std::span(nearest.scores, nearest.queries * nearest.found));
    if (int8_filter_is_fast()) write_index(writer, side, Int8Table(rows.rows(), kernels(), TableLayout::staged));
  }

  CommonSpace space_;
  const Mapping* mapping_;
  PrepareOptions options_;
  std::vector<std::uint16_t> source_halves_, target_halves_;
  RowLengths source_lengths_, target_lengths_;
};

/// The last part of a path.
std::string own_name(const WordVectors& vectors) {
  const std::string& path = vectors.summary().path;
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::uint64_t write_prepared_space(const CommonSpace& space, const Mapping* mapping,
                                   const std::array<std::string, 2>& names, AtomicFile& file,
                                   const PrepareOptions& options) {
  if (space.size(Side::source) == 0 || space.size(Side::target) == 0)
    throw UsageError("a side without words cannot be prepared");
  return SpacePreparation(space, mapping, options).run(file, names);
}

void prepare_space(const Mapping& mapping, WordVectors source, WordVectors target, const std::string& path,
                   const PrepareOptions& options) {
  AtomicFile file(path);
  const std::array<std::string, 2> names = {own_name(source), own_name(target)};
  write_prepared_space(CommonSpace(mapping, std::move(source), std::move(target)), &mapping, names, file, options);
}

void prepare_space(WordVectors source, WordVectors target, const std::string& path, const PrepareOptions& options) {
  AtomicFile file(path);
  const std::array<std::string, 2> names = {own_name(source), own_name(target)};
  write_prepared_space(CommonSpace(std::move(source), std::move(target)), nullptr, names, file, options);
}

}  // namespace wordbridge
