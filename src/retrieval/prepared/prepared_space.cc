#include "wordbridge/prepared_space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json.h"
#include "io/byte_stream.h"
#include "mapping/mapping_format.h"
#include "retrieval/prepared/prepared_file.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// What a file holds beside words and vectors, for the state of its space.
class PreparedParts final : public CommonSpace::State::Prepared {
 public:
  PreparedParts(SectionFile file, PreparedAbout about, std::shared_ptr<const LazyRows> source,
                std::shared_ptr<const LazyRows> target)
      : file_(std::move(file)), about_(std::move(about)), source_(std::move(source)), target_(std::move(target)) {}

  std::optional<CslsStatistics::Known> known(std::size_t k) const override {
    if (!tells(Side::source, k) || !tells(Side::target, k)) return std::nullopt;
    CslsStatistics::Known known{{lists(Side::source), lists(Side::target)}, {}, {}};
    if (k != about_.neighbors) return known;
    known.of_source = means(Side::source);
    known.of_target = means(Side::target);
    return known;
  }

  TableSearch::LoadIndex index(Side side) const override {
    return load_index(file_, side, (side == Side::source ? source_ : target_)->all(), kernels());
  }

 private:
  /// Lists that are shorter than k hold all words with a vector.
  bool tells(Side side, std::size_t k) const {
    const PreparedAbout::OfSide& others = about_.of(other(side));
    return k <= about_.of(side).listed || about_.of(side).listed == others.words - others.zeros;
  }

  NeighborLists lists(Side side) const {
    const PreparedAbout::OfSide& own = about_.of(side);
    const std::size_t entries = own.words * own.listed;  // neither is above 2^32
    const auto ids = file_.values<std::uint32_t>(section_of(side, "nearest"), entries);
    const auto cosines = file_.values<float>(section_of(side, "cosines"), entries);
    std::uint32_t largest = 0;
    for (const std::uint32_t id : ids) largest = std::max(largest, id);
    bool in_range = entries == 0 || largest < about_.of(other(side)).words;
    for (const float cosine : cosines) in_range &= std::fabs(cosine) <= 2;
    if (!in_range) file_.fail(fmt::format("the nearest words of the {} side make no sense", name_of(side)));
    return {own.words, own.listed, ids.data(), cosines.data()};
  }

  std::span<const double> means(Side side) const {
    const auto values = file_.values<double>(section_of(side, "means"), about_.of(side).words);
    if (!std::ranges::all_of(values, [](double mean) { return std::fabs(mean) <= 2; }))
      file_.fail(fmt::format("the CSLS means of the {} side make no sense", name_of(side)));
    return values;
  }

  SectionFile file_;
  PreparedAbout about_;
  std::shared_ptr<const LazyRows> source_, target_;
};

CommonSpace::State::Words read_side(const SectionFile& file, const PreparedAbout& about, Side side) {
  const PreparedAbout::OfSide& own = about.of(side);
  RowLengths lengths{own.largest, own.least, {}};
  const auto zeros = file.values<WordId>(section_of(side, "zeros"), own.zeros);
  if (std::ranges::adjacent_find(zeros, std::greater_equal<>()) != zeros.end() ||
      (!zeros.empty() && zeros.back() >= own.words))
    file.fail(fmt::format("the words of the {} side without a vector make no sense", name_of(side)));
  lengths.zeros.assign(zeros.begin(), zeros.end());
  const auto rows =
      file.sized(section_of(side, "vectors"), own.words, about.dimension * MappedRows::bytes_of(about.rows));
  return {read_vocabulary(file, side, own.words),
          {},
          std::make_shared<LazyRows>(MappedRows::open(file, rows, about.rows, own.words, about.dimension, lengths))};
}

}  // namespace

class PreparedSpace::State {
 public:
  explicit State(ByteStream& stream)
      : file(stream, kPreparedFormat), about(PreparedAbout::parse(file)), mapping(read_own_mapping(file)) {
    CommonSpace::State::Words source = read_side(file, about, Side::source),
                              target = read_side(file, about, Side::target);
    auto parts = std::make_shared<const PreparedParts>(file, about, source.rows, target.rows);
    space.emplace(std::make_shared<const CommonSpace::State>(std::move(source), std::move(target), about.criterion,
                                                             mapping ? mapping->reranker : nullptr, std::move(parts),
                                                             mapping ? mapping->lexicon : nullptr));
  }

  SectionFile file;
  PreparedAbout about;
  std::shared_ptr<const Mapping> mapping;
  std::optional<CommonSpace> space;

 private:
  static std::shared_ptr<const Mapping> read_own_mapping(const SectionFile& file) {
    if (!file.has("mapping")) return nullptr;
    return std::make_shared<const Mapping>(parse_mapping(file.text("mapping"), file.path() + ", section 'mapping'"));
  }
};

PreparedSpace::PreparedSpace(const std::string& path) : PreparedSpace(*open_bytes(path)) {}
PreparedSpace::PreparedSpace(ByteStream& stream) : state_(std::make_shared<const State>(stream)) {}

const CommonSpace& PreparedSpace::space() const { return *state_->space; }
const std::shared_ptr<const Mapping>& PreparedSpace::mapping() const { return state_->mapping; }
const std::string& PreparedSpace::name(Side side) const { return state_->about.of(side).name; }
bool PreparedSpace::is_half() const { return state_->about.rows == MappedRows::Type::float16; }
void PreparedSpace::check() const { state_->file.require_all(); }

std::string PreparedSpace::describe_json() const {
  Json json = Json::parse(state_->about.to_json());
  Json sections = Json::object();
  for (const SectionFile::Entry& entry : state_->file.entries()) sections[entry.name] = entry.bytes;
  json["bytes"] = state_->file.file_bytes();
  json["sections"] = std::move(sections);
  if (state_->mapping) json["mapping"] = Json::parse(wordbridge::describe_json(*state_->mapping));
  return json.dump();
}

bool looks_like_prepared_space(std::string_view first_bytes) {
  return first_bytes.starts_with(std::string_view(kPreparedFormat.magic.data(), kPreparedFormat.magic.size()));
}

}  // namespace wordbridge
