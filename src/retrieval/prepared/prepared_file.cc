#include "retrieval/prepared/prepared_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/json.h"
#include "io/binary_reader.h"
#include "search/int8_search.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// The head of an index (section "source.index").
struct StoredIndex {
  CodeForm form = {};
  std::uint64_t dimension = 0, code_count = 0, span_groups = 0, spans = 0;
  std::uint64_t axes = 0;  // leading axes of a staged table; 0: it is plain
  std::uint64_t rows = 0, reordered = 0;
  std::int64_t exponent = 0;
  double theta = 1, rotation_error = 0;
};
static_assert(sizeof(StoredIndex) == 32 + 10 * 8 && std::is_trivially_copyable_v<StoredIndex>);

constexpr std::string_view kTypes[] = {"float32", "float16"};

Json side_to_json(const PreparedAbout::OfSide& side) {
  return {{"name", side.name},       {"words", side.words}, {"listed", side.listed},
          {"largest", side.largest}, {"least", side.least}, {"zeros", side.zeros}};
}

PreparedAbout::OfSide side_from_json(const Json& json) {
  return {json.at("name").get<std::string>(),     json.at("words").get<std::uint64_t>(),
          json.at("listed").get<std::uint64_t>(), json.at("largest").get<double>(),
          json.at("least").get<double>(),         json.at("zeros").get<std::uint64_t>()};
}

void require_sense(const PreparedAbout& about) {
  const auto fits = [](const PreparedAbout::OfSide& side, const PreparedAbout::OfSide& other) {
    return side.words > 0 && side.words < std::numeric_limits<WordId>::max() && side.zeros <= side.words &&
           side.listed <= other.words - other.zeros;
  };
  if (about.dimension == 0 || about.dimension > kMaxDimension || about.neighbors == 0 ||
      !fits(about.source, about.target) || !fits(about.target, about.source))
    throw std::runtime_error("its numbers make no sense");
}

std::string index_part(std::string_view part) { return fmt::format("index.{}", part); }

/// What a head says, checked against what a table can be before anything is multiplied.
StoredIndex read_index_head(const SectionFile& file, Side side) {
  const std::string name = section_of(side, "index");
  StoredIndex head;
  std::memcpy(&head, file.values<StoredIndex>(name, 1).data(), sizeof(head));
  constexpr std::uint64_t kMost = std::uint64_t{1} << 21;
  if (head.dimension > kMost || head.code_count > kMost || head.spans > kMost || head.span_groups > kMost ||
      head.axes > 32 || (head.axes > 0 && head.code_count > 512) || head.rows > std::numeric_limits<WordId>::max())
    file.fail(fmt::format("section '{}' makes no sense", name));
  return head;
}

Int8Encoder::Parts read_encoder(const SectionFile& file, Side side, const StoredIndex& head) {
  const auto name = [&](std::string_view part) { return section_of(side, index_part(part)); };
  const std::size_t n = head.code_count;
  const auto lead = file.values<float>(name("lead"), n);
  const auto factors = file.values<double>(name("spans"), (head.axes > 0 ? 2 : 1) * head.spans);
  Int8Encoder::Parts parts{head.dimension,
                           n,
                           head.span_groups,
                           {lead.begin(), lead.end()},
                           {factors.begin(), factors.begin() + static_cast<std::ptrdiff_t>(head.spans)}};
  if (head.axes == 0) return parts;
  const auto rotation = file.values<float>(name("rotation"), (n + head.axes) * n);
  if (!std::isfinite(head.rotation_error) || head.rotation_error < 0 ||
      !std::ranges::all_of(rotation, [](float value) { return std::fabs(value) <= 2; }))
    file.fail(fmt::format("section '{}' makes no sense", name("rotation")));
  parts.axes = std::make_shared<const PrincipalRotation>(
      Matrix::copy_of({rotation.data(), n, n}), head.rotation_error,
      Matrix::copy_of({rotation.data() + n * n, head.axes, n}),
      std::vector<double>(factors.begin() + static_cast<std::ptrdiff_t>(head.spans), factors.end()));
  return parts;
}

}  // namespace

std::string section_of(Side side, std::string_view part) { return fmt::format("{}.{}", name_of(side), part); }

std::string PreparedAbout::to_json() const {
  const Json json = {{"program", program},
                     {"dimension", dimension},
                     {"rows", kTypes[rows == MappedRows::Type::float16 ? 1 : 0]},
                     {"criterion", criterion},
                     {"neighbors", neighbors},
                     {"source", side_to_json(source)},
                     {"target", side_to_json(target)}};
  return json.dump();
}

PreparedAbout PreparedAbout::parse(const SectionFile& file) {
  try {
    const Json json = Json::parse(file.text("about"), 4);
    PreparedAbout about;
    about.program = json.at("program").get<std::string>();
    about.dimension = json.at("dimension").get<std::uint64_t>();
    const auto type = std::ranges::find(kTypes, json.at("rows").text());
    if (type == std::end(kTypes)) throw std::runtime_error("its vectors are of an unknown type");
    about.rows = type == std::begin(kTypes) ? MappedRows::Type::float32 : MappedRows::Type::float16;
    about.criterion = json.at("criterion").get<std::string>();
    about.neighbors = json.at("neighbors").get<std::uint64_t>();
    about.source = side_from_json(json.at("source"));
    about.target = side_from_json(json.at("target"));
    require_sense(about);
    return about;
  } catch (const InputError&) {
    throw;
  } catch (const std::runtime_error& error) {
    file.fail(fmt::format("section 'about' makes no sense: {}", error.what()));
  }
}

void write_vocabulary(SectionWriter& writer, Side side, const Vocabulary& vocabulary) {
  const Vocabulary::Parts parts = vocabulary.parts();
  writer.add(section_of(side, "words"), parts.bytes);
  writer.add(section_of(side, "word_ends"), parts.offsets);
  writer.add(section_of(side, "word_slots"), parts.slots);
}

Vocabulary read_vocabulary(const SectionFile& file, Side side, std::size_t words) {
  const std::string slots = section_of(side, "word_slots");
  const std::string_view bytes = file.text(section_of(side, "words"));
  auto vocabulary = Vocabulary::view(
      {bytes, file.values<std::uint64_t>(section_of(side, "word_ends"), words + 1),
       file.values<Vocabulary::Slot>(slots, file.section(slots).bytes() / sizeof(Vocabulary::Slot)), file.owner()});
  if (!vocabulary) file.fail(fmt::format("the words of the {} side make no sense", name_of(side)));
  return std::move(*vocabulary);
}

void write_index(SectionWriter& writer, Side side, const Int8Table& index) {
  const Int8Table::Head head = index.head();
  const PrincipalRotation* axes = head.encoder.axes.get();
  const StoredIndex stored{CodeForm::of(*index.kernels().filter),
                           head.encoder.dimension,
                           head.encoder.code_count,
                           head.encoder.span_groups,
                           head.encoder.span_factors.size(),
                           axes != nullptr ? axes->leading_axes().rows() : 0,
                           index.rows(),
                           head.reordered ? 1U : 0U,
                           head.exponent,
                           head.theta,
                           axes != nullptr ? axes->error() : 0};
  const auto name = [&](std::string_view part) { return section_of(side, index_part(part)); };
  writer.add(section_of(side, "index"), std::span(&stored, 1));
  writer.add(name("lead"), std::span<const float>(head.encoder.lead));
  writer.begin(name("spans"));
  writer.write(head.encoder.span_factors.data(), head.encoder.span_factors.size() * sizeof(double));
  if (axes != nullptr) {
    writer.write(axes->span_sizes().data(), axes->span_sizes().size() * sizeof(double));
    writer.begin(name("rotation"));
    writer.write(axes->rotation().data(), axes->rotation().size() * sizeof(float));
    writer.write(axes->leading_axes().data(), axes->leading_axes().size() * sizeof(float));
  }
  const Int8Rows& rows = index.stored_rows();
  writer.add(name("ids"), rows.ids);
  writer.add(name("codes"), rows.codes);
  writer.add(name("corrections"), rows.corrections);
  writer.add(name("scales"), rows.scale);
  writer.add(name("leads"), rows.lead);
  writer.add(name("slacks"), rows.slack);
  writer.add(name("tails"), rows.tails);
}

TableSearch::LoadIndex load_index(const SectionFile& file, Side side, const UnitRows& rows, const Kernels& kernels) {
  if (!file.has(section_of(side, "index"))) return nullptr;
  const StoredIndex stored = read_index_head(file, side);
  if (stored.form != CodeForm::of(*kernels.filter)) return nullptr;
  return [file, side, stored, &rows, &kernels]() -> std::unique_ptr<const NeighborSearch> {
    const auto name = [&](std::string_view part) { return section_of(side, index_part(part)); };
    const std::size_t padded = (stored.rows + kPanelRows - 1) / kPanelRows * kPanelRows;
    const std::size_t checks = stored.axes > 0 ? stored.spans / 2 : 0;
    Int8Table::Head head{read_encoder(file, side, stored), stored.reordered != 0, 0, stored.theta};
    head.exponent = static_cast<int>(std::clamp<std::int64_t>(stored.exponent, -1000, 1000));
    const Int8Rows parts{file.values<std::uint32_t>(name("ids"), stored.rows),
                         file.values<std::int8_t>(name("codes"), padded * stored.code_count),
                         file.values<std::int32_t>(name("corrections"), padded * stored.spans),
                         file.values<float>(name("scales"), padded),
                         file.values<float>(name("leads"), padded),
                         file.values<float>(name("slacks"), padded),
                         file.values<float>(name("tails"), padded * checks)};
    if (stored.rows != rows.nonzero() || !Int8Table::fits(head, parts, rows.size(), rows.dimension(), *kernels.filter))
      file.fail(fmt::format("the index of the {} side makes no sense", name_of(side)));
    return std::make_unique<Int8Search>(
        Int8Table(rows.unread(), kernels, std::move(head), parts, file.owner(), rows.loader()));
  };
}

}  // namespace wordbridge
