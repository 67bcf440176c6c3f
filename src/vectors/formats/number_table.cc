#include "vectors/formats/number_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <charconv>
#include <cstring>

#include "base/wording.h"
#include "parallel/thread_pool.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

using Kind = NumberType::Kind;

/// Numbers that a thread decodes at a time: they stay in its cache.
constexpr std::size_t kBytesOfChunk = std::size_t{256} << 10;

/// IEEE binary16: sign, 5 bits of exponent, 10 of fraction. Shifted to where binary32 has them, the exponent is 112
/// too small, which a product mends, for subnormal numbers too. Without branches, so that many go at a time.
float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffU) << 13;
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  const std::uint32_t special = magnitude >= 0x0f800000U ? 0x7f800000U | magnitude : 0;  // infinity, NaN
  return std::bit_cast<float>(sign | finite | special);
}

std::uint16_t to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000U, magnitude = bits & 0x7fffffffU;
  // Below 2^-14 halves are multiples of 2^-24, which is the last bit of numbers from 1/2 on: the sum rounds.
  const std::uint32_t small =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t usual = (magnitude - 0x38000000U + 0xfffU + (magnitude >> 13 & 1U)) >> 13;
  const std::uint32_t large = magnitude > 0x7f800000U ? 0x7e00U : 0x7c00U;
  const std::uint32_t finite = magnitude < 0x38800000U ? small : usual;
  return static_cast<std::uint16_t>(sign | (magnitude < 0x477ff000U ? finite : large));
}

void pass_over(BinaryReader& reader, std::uint64_t bytes) {
  std::string buffer(std::min<std::uint64_t>(bytes, kBytesOfChunk), '\0');
  for (; bytes > 0; bytes -= buffer.size()) {
    buffer.resize(std::min<std::uint64_t>(bytes, buffer.size()));
    reader.read(buffer.data(), buffer.size(), "what stands before the table");
  }
}

template <class T>
T number_at(const char* bytes, bool big_endian) {
  char copy[sizeof(T)];
  std::memcpy(copy, bytes, sizeof(T));
  if (big_endian) std::reverse(copy, copy + sizeof(T));
  T value;
  std::memcpy(&value, copy, sizeof(T));
  return value;
}

template <class T, class Convert>
void decode_all(const char* bytes, bool big_endian, std::span<float> values, const Convert& convert) {
  if (big_endian)
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = convert(number_at<T>(bytes + i * sizeof(T), true));
  else
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = convert(number_at<T>(bytes + i * sizeof(T), false));
}

}  // namespace

void decode_numbers(const char* bytes, NumberType type, std::span<float> values) {
  switch (type.kind) {
    case Kind::float16:
      return decode_all<std::uint16_t>(bytes, type.big_endian, values, from_half);
    case Kind::bfloat16:
      return decode_all<std::uint16_t>(bytes, type.big_endian, values, [](std::uint16_t high) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(high) << 16);
      });
    case Kind::float32:
      return decode_all<float>(bytes, type.big_endian, values, [](float value) { return value; });
    case Kind::float64:
      return decode_all<double>(bytes, type.big_endian, values, [](double value) { return static_cast<float>(value); });
  }
}

bool encode_float16(std::span<const float> values, std::uint16_t* halves) {
  std::uint32_t too_large = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(values[i]) & 0x7fffffffU;
    too_large |= magnitude >= 0x477ff000U && magnitude < 0x7f800000U ? 1U : 0U;
    halves[i] = to_half(values[i]);
  }
  return too_large == 0;
}

std::optional<RawFormat> parse_raw_format(std::string_view text) {
  if (text != "raw" && !text.starts_with("raw:")) return std::nullopt;
  RawFormat format;
  const auto fail = [&] {
    throw UsageError(
        fmt::format("format '{}': raw:TYPE:DIMENSION is wanted, as raw:f16:1024, of type f16, bf16, f32 or "
                    "f64 and a dimension up to {}",
                    text, kMaxDimension));
  };
  std::string_view rest = text.substr(std::min<std::size_t>(text.size(), 4));
  const std::string_view type = rest.substr(0, rest.find(':'));
  if (type == "f16")
    format.type.kind = Kind::float16;
  else if (type == "bf16")
    format.type.kind = Kind::bfloat16;
  else if (type == "f64")
    format.type.kind = Kind::float64;
  else if (type != "f32")
    fail();
  rest.remove_prefix(std::min(rest.size(), type.size() + 1));
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), format.dimension);
  if (error != std::errc() || end != rest.data() + rest.size() || format.dimension == 0 ||
      format.dimension > kMaxDimension)
    fail();
  return format;
}

NumberTable raw_table(const RawFormat& format, const BinaryReader& reader) {
  NumberTable table{.format = "raw", .type = format.type, .cols = format.dimension};
  const auto bytes = reader.remaining();
  if (!bytes) reader.fail("numbers without a header come from a plain file only: of a pipe nobody knows the rows");
  if (*bytes % table.row_bytes() != 0)
    reader.fail(fmt::format("{} are no whole rows of {}: another dimension or type?", counted(*bytes, "byte"),
                            counted(table.row_bytes(), "byte")));
  table.rows = *bytes / table.row_bytes();
  return table;
}

NumberTableReader::NumberTableReader(BinaryReader& reader, NumberTable table)
    : reader_(reader),
      table_(std::move(table)),
      file_(reader.plain_file()),
      begin_(reader.offset() + table_.bytes_before) {
  if (!file_) pass_over(reader_, table_.bytes_before);
  if (!table_.fortran_order) return;
  if (file_ && table_.data_bytes() <= file_->size() - begin_)
    if (auto mapped = file_->map(begin_, table_.data_bytes())) columns_ = std::move(*mapped);
  if (columns_.data == nullptr) columns_ = reader_.read_block(table_.data_bytes());
}

std::size_t NumberTableReader::read(std::uint64_t first, Matrix& rows, std::vector<RowValues>& values) {
  assert(rows.cols() == table_.cols && first + rows.rows() <= table_.rows);
  const std::size_t got = table_.fortran_order ? read_columns(first, rows)
                          : file_              ? read_plain(first, rows)
                                               : read_stream(first, rows);
  rows.truncate_rows(got);
  values.resize(got);
  ThreadPool::current().for_chunks(got, kBytesOfChunk / sizeof(float) / table_.cols + 1,
                                   [&](std::size_t begin, std::size_t end, int) {
                                     for (std::size_t i = begin; i < end; ++i) values[i] = values_of(rows.row(i));
                                   });
  return got;
}

std::size_t NumberTableReader::read_columns(std::uint64_t first, Matrix& rows) {
  const std::size_t bytes = table_.type.bytes();
  std::vector<float> column(rows.rows());
  for (std::size_t j = 0; j < rows.cols(); ++j) {
    decode_numbers(columns_.data + (j * table_.rows + first) * bytes, table_.type, column);
    for (std::size_t i = 0; i < column.size(); ++i) rows(i, j) = column[i];
  }
  return rows.rows();
}

std::size_t NumberTableReader::read_plain(std::uint64_t first, Matrix& rows) {
  const std::uint64_t row_bytes = table_.row_bytes(), offset = begin_ + first * row_bytes;
  const std::uint64_t left = offset < file_->size() ? (file_->size() - offset) / row_bytes : 0;
  const std::size_t wanted = std::min<std::uint64_t>(rows.rows(), left);
  const bool as_it_is = table_.type == NumberType{};
  ThreadPool& pool = ThreadPool::current();
  std::vector<std::string> buffers(static_cast<std::size_t>(pool.size()));
  pool.for_chunks(wanted, kBytesOfChunk / row_bytes + 1, [&](std::size_t begin, std::size_t end, int worker) {
    std::string& buffer = buffers[static_cast<std::size_t>(worker)];
    const std::size_t bytes = (end - begin) * row_bytes;
    if (!as_it_is && buffer.size() < bytes) buffer.resize(bytes);
    char* const place = as_it_is ? reinterpret_cast<char*>(rows.row(begin).data()) : buffer.data();
    file_->read(offset + begin * row_bytes, place, bytes);
    if (!as_it_is)
      decode_numbers(place, table_.type,
                     {rows.row(begin).data(), static_cast<std::size_t>((end - begin) * table_.cols)});
  });
  return wanted;
}

std::size_t NumberTableReader::read_stream(std::uint64_t first, Matrix& rows) {
  const std::size_t row_bytes = table_.row_bytes();
  const std::size_t at_once = kBytesOfChunk / row_bytes + 1;
  buffer_.resize(at_once * row_bytes);
  for (; at_ < first;) {
    const std::size_t count = std::min<std::uint64_t>(at_once, first - at_);
    const std::size_t got = reader_.read_some(buffer_.data(), count * row_bytes) / row_bytes;
    at_ += got;
    if (got < count) return 0;
  }
  for (std::size_t done = 0; done < rows.rows();) {
    const std::size_t count = std::min(at_once, rows.rows() - done);
    const std::size_t got = reader_.read_some(buffer_.data(), count * row_bytes) / row_bytes;
    decode_numbers(buffer_.data(), table_.type, {rows.data() + done * rows.cols(), got * rows.cols()});
    done += got;
    at_ += got;
    if (got < count) return done;
  }
  return rows.rows();
}

void NumberTableReader::will_need(std::uint64_t first, std::uint64_t count) const {
  if (file_ && !table_.fortran_order) file_->will_need(begin_ + first * table_.row_bytes(), count * table_.row_bytes());
}

}  // namespace wordbridge
