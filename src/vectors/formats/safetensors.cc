#include "vectors/formats/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/json.h"

namespace wordbridge {

namespace {

constexpr std::uint64_t kMostHeaderBytes = std::uint64_t{4} << 20;  // thousands of tensors; a table has one
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 62;

struct Tensor {
  std::string name, type;
  std::vector<std::uint64_t> shape;
  std::uint64_t begin = 0, end = 0;  // bytes behind the header

  std::string to_text() const {
    return fmt::format("{} ({}, {})", quoted_word(name), quoted_word(type), fmt::join(shape, " x "));
  }
};

std::optional<std::uint64_t> bytes_of_type(std::string_view type) {
  struct Known {
    std::string_view name;
    std::uint64_t bytes;
  };
  static constexpr Known kKnown[] = {{"F64", 8}, {"F32", 4}, {"F16", 2},  {"BF16", 2},    {"I64", 8},
                                     {"I32", 4}, {"I16", 2}, {"I8", 1},   {"U64", 8},     {"U32", 4},
                                     {"U16", 2}, {"U8", 1},  {"BOOL", 1}, {"F8_E4M3", 1}, {"F8_E5M2", 1}};
  for (const Known& known : kKnown)
    if (known.name == type) return known.bytes;
  return std::nullopt;
}

std::optional<NumberType> number_type(std::string_view type) {
  using Type = NumberType::Kind;
  if (type == "F64") return NumberType{Type::float64};
  if (type == "F32") return NumberType{Type::float32};
  if (type == "F16") return NumberType{Type::float16};
  if (type == "BF16") return NumberType{Type::bfloat16};
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> sizes_of(const Json& json, const char* key) {
  const Json* list = json.find(key);
  if (list == nullptr || !list->is_array()) return std::nullopt;
  std::vector<std::uint64_t> sizes;
  for (const Json& size : *list) {
    if (!size.is_natural()) return std::nullopt;
    sizes.push_back(size.get<std::uint64_t>());
  }
  return sizes;
}

/// A tensor whose bytes are those of its type and shape.
Tensor parse_tensor(const std::string& name, const Json& json, const BinaryReader& reader) {
  Tensor tensor;
  tensor.name = name;
  const auto shape = sizes_of(json, "shape"), place = sizes_of(json, "data_offsets");
  const Json* type = json.find("dtype");
  if (!shape || !place || place->size() != 2 || type == nullptr || !type->is_string())
    reader.fail(fmt::format("tensor {} has no dtype, shape and data_offsets", quoted_word(name)));
  tensor.type = type->text();
  tensor.shape = *shape;
  tensor.begin = place->front();
  tensor.end = place->back();
  const auto number_bytes = bytes_of_type(tensor.type);
  if (!number_bytes) reader.fail(fmt::format("tensor {}: an unknown type", tensor.to_text()));
  std::uint64_t bytes = *number_bytes;
  for (const std::uint64_t size : tensor.shape) {
    if (size != 0 && bytes > kMostBytes / size)
      reader.fail(fmt::format("tensor {}: impossibly large", tensor.to_text()));
    bytes *= size;
  }
  if (tensor.end < tensor.begin || tensor.end - tensor.begin != bytes)
    reader.fail(fmt::format("tensor {} takes {} bytes, but stands at {} to {}", tensor.to_text(), bytes, tensor.begin,
                            tensor.end));
  return tensor;
}

/// All tensors in the order of their places, one right behind the other.
std::vector<Tensor> parse_tensors(const std::string& text, const BinaryReader& reader) {
  Json header;
  try {
    header = Json::parse(text);
  } catch (const JsonError&) {
  }  // then it is no object, either
  if (!header.is_object()) reader.fail("the header is no JSON object");
  std::vector<Tensor> tensors;
  for (const auto& [name, json] : header.items()) {
    if (name == "__metadata__") continue;
    if (!json.is_object())
      reader.fail(fmt::format("tensor {} has no dtype, shape and data_offsets", quoted_word(name)));
    tensors.push_back(parse_tensor(name, json, reader));
  }
  std::ranges::sort(tensors, {}, [](const Tensor& tensor) { return std::pair(tensor.begin, tensor.end); });
  std::uint64_t end = 0;
  for (const Tensor& tensor : tensors) {
    if (tensor.begin != end)
      reader.fail(fmt::format("tensor {} begins at {}, and what comes before it ends at {}", tensor.to_text(),
                              tensor.begin, end));
    end = tensor.end;
  }
  return tensors;
}

bool is_table(const Tensor& tensor) { return tensor.shape.size() == 2 && number_type(tensor.type).has_value(); }

const Tensor& choose(const std::vector<Tensor>& tensors, const std::string& name, const BinaryReader& reader) {
  std::vector<std::string> tables;
  const Tensor* only = nullptr;
  for (const Tensor& tensor : tensors) {
    if (tensor.name == name) {
      if (is_table(tensor)) return tensor;
      reader.fail(fmt::format("tensor {} is no table of floating-point numbers", tensor.to_text()));
    }
    if (!is_table(tensor)) continue;
    only = &tensor;
    if (tables.size() < 10) tables.push_back(tensor.to_text());
  }
  if (!name.empty())
    reader.fail(fmt::format("has no tensor {}; tables of floating-point numbers in it: {}", quoted_word(name),
                            tables.empty() ? "none" : fmt::format("{}", fmt::join(tables, ", "))));
  if (only == nullptr) reader.fail("has no tensor that is a table (of 2 dimensions) of floating-point numbers");
  if (tables.size() > 1)
    reader.fail(
        fmt::format("has several tables: name one, as format safetensors:NAME; there are {}", fmt::join(tables, ", ")));
  return *only;
}

}  // namespace

bool looks_like_safetensors(std::string_view first_bytes) {
  if (first_bytes.size() < 9 || first_bytes[8] != '{') return false;
  std::uint64_t bytes = 0;
  std::copy_n(first_bytes.data(), sizeof(bytes), reinterpret_cast<char*>(&bytes));
  return bytes >= 2 && bytes <= kMostHeaderBytes;
}

NumberTable read_safetensors_header(BinaryReader& reader, const std::string& name) {
  const auto bytes = reader.read<std::uint64_t>("the header");
  if (bytes > kMostHeaderBytes) reader.fail(fmt::format("the header is said to have {} bytes", bytes));
  reader.require(bytes, "the header");
  std::string text(bytes, '\0');
  reader.read(text.data(), text.size(), "the header");
  const std::vector<Tensor> tensors = parse_tensors(text, reader);
  const std::uint64_t all = tensors.empty() ? 0 : tensors.back().end;
  reader.require(all, "the tensors");
  if (const auto left = reader.remaining(); left && *left > all)
    reader.fail(fmt::format("{} bytes follow the tensors", *left - all));
  const Tensor& tensor = choose(tensors, name, reader);
  NumberTable table{.format = "safetensors",
                    .type = *number_type(tensor.type),
                    .rows = tensor.shape[0],
                    .cols = tensor.shape[1],
                    .bytes_before = tensor.begin,
                    .ends_file = tensor.end == all};
  if (table.cols == 0 || table.cols > kMaxDimension || table.rows > kMostTableRows)
    reader.fail(fmt::format("holds a table of {} x {} numbers, which cannot be", table.rows, table.cols));
  return table;
}

}  // namespace wordbridge
