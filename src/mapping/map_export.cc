#include "mapping/map_export.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

/// W and b of a side; a side that stays where it is has the identity.
struct SideMap {
  Matrix w;
  std::vector<float> b;
  const Normalizer& normalizer;

  SideMap(const Mapping& mapping, Side side)
      : w(side == Side::source   ? mapping.source_map()
          : mapping.target_map() ? *mapping.target_map()
                                 : Matrix::identity(mapping.common_dimension())),
        b(side == Side::source ? mapping.source_intercept() : std::vector<float>()),
        normalizer(mapping.normalizer(side)) {
    b.resize(w.rows());
  }
};

std::string_view bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

void put(std::string& bytes, std::uint64_t value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bytes += static_cast<char>(value >> (8 * i));
}

/// A ZIP archive whose entries are stored as they are.
class StoredZip {
 public:
  void add(const std::string& name, std::string_view content) {
    constexpr std::uint64_t kLimit = 0xffffffff;
    if (bytes_.size() + content.size() > kLimit) throw UsageError("the matrix is too large for a .npz file of 4 GB");
    const auto offset = bytes_.size();
    // Version 2.0, no flags, stored; the date 1980-01-01, so that the bytes depend on the content alone.
    std::string entry;
    put(entry, 20, 2);
    put(entry, 0, 2);
    put(entry, 0, 2);
    put(entry, 0, 2);
    put(entry, 33, 2);
    put(entry, crc32_z(0, reinterpret_cast<const unsigned char*>(content.data()), content.size()), 4);
    put(entry, content.size(), 4);
    put(entry, content.size(), 4);
    put(entry, name.size(), 2);
    put(entry, 0, 2);
    bytes_ += "PK\x03\x04" + entry + name;
    bytes_ += content;
    directory_ += "PK\x01\x02";
    put(directory_, 20, 2);
    directory_ += entry;
    put(directory_, 0, 6);  // no comment, first disk, no attributes:
    put(directory_, 0, 4);  // neither inner nor outer ones
    put(directory_, offset, 4);
    directory_ += name;
    ++entries_;
  }

  std::string finish() && {
    const auto offset = bytes_.size();
    bytes_ += directory_ + "PK\x05\x06";
    put(bytes_, 0, 4);
    put(bytes_, entries_, 2);
    put(bytes_, entries_, 2);
    put(bytes_, directory_.size(), 4);
    put(bytes_, offset, 4);
    put(bytes_, 0, 2);
    return std::move(bytes_);
  }

 private:
  std::string bytes_, directory_;
  std::uint64_t entries_ = 0;
};

/// A message of Protocol Buffers, field by field.
class ProtoMessage {
 public:
  ProtoMessage& number(int field, std::uint64_t value) {
    varint(static_cast<std::uint64_t>(field) << 3);
    varint(value);
    return *this;
  }
  ProtoMessage& bytes(int field, std::string_view value) {
    varint(static_cast<std::uint64_t>(field) << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  ProtoMessage& message(int field, const ProtoMessage& value) { return bytes(field, value.bytes_); }
  const std::string& text() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Field numbers of onnx.proto, IR version 7.
class OnnxGraph {
 public:
  /// A node from what came before, and further inputs, to a new value.
  void step(const char* operation, const std::vector<std::string>& further,
            const std::vector<std::pair<const char*, std::int64_t>>& attributes) {
    ProtoMessage node;
    node.bytes(1, value_);
    for (const std::string& input : further) node.bytes(1, input);
    value_ = fmt::format("v{}", ++steps_);
    node.bytes(2, value_).bytes(3, fmt::format("{}_{}", operation, steps_)).bytes(4, operation);
    constexpr std::uint64_t kInt = 2;
    for (const auto& [name, number] : attributes)
      node.message(5, ProtoMessage().bytes(1, name).number(3, static_cast<std::uint64_t>(number)).number(20, kInt));
    graph_.message(1, node);
  }
  void constant(const std::string& name, const std::vector<std::size_t>& shape, std::span<const float> values) {
    ProtoMessage tensor;
    for (const std::size_t size : shape) tensor.number(1, size);
    tensor.number(2, kFloat).bytes(8, name).bytes(9, bytes_of(values));
    graph_.message(5, tensor);
  }
  std::string finish(std::size_t from, std::size_t to) && {
    graph_.message(1, ProtoMessage().bytes(1, value_).bytes(2, "y").bytes(3, "result").bytes(4, "Identity"));
    graph_.bytes(2, "wordbridge").message(11, rows("x", from)).message(12, rows("y", to));
    constexpr std::uint64_t kIrVersion = 7, kOpset = 13;
    return ProtoMessage()
        .number(1, kIrVersion)
        .bytes(2, "wordbridge")
        .bytes(3, version())
        .message(7, graph_)
        .message(8, ProtoMessage().bytes(1, "").number(2, kOpset))
        .text();
  }

 private:
  static constexpr std::uint64_t kFloat = 1;

  static ProtoMessage rows(const char* name, std::size_t dimension) {
    const ProtoMessage shape =
        ProtoMessage().message(1, ProtoMessage().bytes(2, "n")).message(1, ProtoMessage().number(1, dimension));
    const ProtoMessage tensor = ProtoMessage().number(1, kFloat).message(2, shape);
    return ProtoMessage().bytes(1, name).message(2, ProtoMessage().message(1, tensor));
  }

  ProtoMessage graph_;
  std::string value_ = "x";
  int steps_ = 0;
};

}  // namespace

std::string npy_header(std::size_t rows, std::size_t cols) {
  const std::string shape = cols == 0 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, cols);
  std::string dict = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': {}, }}", shape);
  constexpr std::size_t kPrefix = 10, kAlignment = 64;
  while ((kPrefix + dict.size() + 1) % kAlignment != 0) dict += ' ';
  dict += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, dict.size(), 2);
  return bytes + dict;
}

std::string npz_bytes(const Mapping& mapping, Side side) {
  const SideMap map(mapping, side);
  StoredZip zip;
  zip.add("W.npy", npy_header(map.w.rows(), map.w.cols()).append(bytes_of(map.w.elements())));
  zip.add("b.npy", npy_header(map.b.size(), 0).append(bytes_of(map.b)));
  for (std::size_t i = 0; i < map.normalizer.means().size(); ++i) {
    const auto& mean = map.normalizer.means()[i];
    zip.add(fmt::format("mean{}.npy", i), npy_header(mean.size(), 0).append(bytes_of(mean)));
  }
  return std::move(zip).finish();
}

std::string npy_bytes(const Mapping& mapping, Side side) {
  const SideMap map(mapping, side);
  if (!map.normalizer.steps().empty())
    throw UsageError(
        fmt::format("the mapping normalizes by '{}' first, which a single matrix cannot say: .npz or .onnx "
                    "can",
                    map.normalizer.name()));
  std::string bytes = npy_header(map.w.rows(), map.w.cols() + 1);
  for (std::size_t i = 0; i < map.w.rows(); ++i)
    bytes.append(bytes_of(map.w.row(i))).append(bytes_of(std::span(map.b).subspan(i, 1)));
  return bytes;
}

std::string onnx_bytes(const Mapping& mapping, Side side, bool unit) {
  const SideMap map(mapping, side);
  OnnxGraph graph;
  const auto normalize = [&] { graph.step("LpNormalization", {}, {{"axis", -1}, {"p", 2}}); };
  auto mean = map.normalizer.means().begin();
  for (const Normalizer::Step step : map.normalizer.steps()) {
    if (step == Normalizer::Step::unit) {
      normalize();
      continue;
    }
    const std::string name = fmt::format("mean{}", mean - map.normalizer.means().begin());
    graph.constant(name, {mean->size()}, *mean);
    graph.step("Sub", {name}, {});
    ++mean;
  }
  graph.constant("W", {map.w.rows(), map.w.cols()}, map.w.elements());
  graph.constant("b", {map.b.size()}, map.b);
  graph.step("Gemm", {"W", "b"}, {{"transB", 1}});
  if (unit) normalize();
  return std::move(graph).finish(map.w.cols(), map.w.rows());
}

}  // namespace wordbridge
