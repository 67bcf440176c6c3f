#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/binary_reader.h"
#include "vectors/formats/row_screen.h"

namespace wordbridge {

/// Floating-point numbers as they stand in a file.
struct NumberType {
  enum class Kind : std::uint8_t { float16, bfloat16, float32, float64 };
  Kind kind = Kind::float32;
  bool big_endian = false;

  std::size_t bytes() const { return kind == Kind::float64 ? 8 : kind == Kind::float32 ? 4 : 2; }
  friend bool operator==(const NumberType&, const NumberType&) = default;
};

/// So many numbers, rounded to float32; those too large become infinite.
void decode_numbers(const char* bytes, NumberType type, std::span<float> values);
/// As float16, rounded to nearest, ties to even. False where a finite number is too large for it.
bool encode_float16(std::span<const float> values, std::uint16_t* halves);

/// A table of numbers in a file, as its header (or whoever knows a file without one) describes it.
struct NumberTable {
  std::string format = {};  // "NumPy", ...
  NumberType type = {};
  bool fortran_order = false;  // columns, not rows, follow each other
  std::uint64_t rows = 0;
  std::uint64_t cols = 0;
  std::uint64_t bytes_before = 0;  // of other things, between the header and the table
  bool ends_file = true;           // nothing may follow it
  /// Of the list of words that was written with the table; only .npy files of our own have one. It is what tells a
  /// table from one of which only this file was replaced, or only the list.
  std::optional<std::uint64_t> words_digest = {};
  bool row_ids = false;  // likewise: it was written without a list

  std::uint64_t row_bytes() const { return cols * type.bytes(); }
  std::uint64_t data_bytes() const { return rows * row_bytes(); }
};

inline constexpr std::uint64_t kMostTableRows = std::uint64_t{1} << 40;

/// `raw:f16:1024`: numbers of a file without a header, here float16 and 1,024 a row; also bf16, f32, f64.
struct RawFormat {
  NumberType type = {};
  std::uint64_t dimension = 0;
};
/// UsageError where the text begins with "raw" and is not of that form; nullopt if it does not.
std::optional<RawFormat> parse_raw_format(std::string_view text);
/// The table of a whole raw file. InputError where its bytes are not whole rows, or their number is unknown (a pipe).
NumberTable raw_table(const RawFormat& format, const BinaryReader& reader);

/// The rows of such a table. Of a plain file, several threads read where they need; else rows come in order.
class NumberTableReader {
 public:
  /// The reader stands behind the header.
  NumberTableReader(BinaryReader& reader, NumberTable table);

  /// The rows from `first` on, as many as there is room for and the file has; and what they are. First rows may only
  /// grow, and behind rows that were not asked for where there is no plain file, those between are passed over.
  std::size_t read(std::uint64_t first, Matrix& rows, std::vector<RowValues>& values);
  /// Starts to bring rows into memory that are read next.
  void will_need(std::uint64_t first, std::uint64_t count) const;

 private:
  std::size_t read_columns(std::uint64_t first, Matrix& rows);
  std::size_t read_plain(std::uint64_t first, Matrix& rows);
  std::size_t read_stream(std::uint64_t first, Matrix& rows);

  BinaryReader& reader_;
  NumberTable table_;
  std::optional<PlainFile> file_;
  std::uint64_t begin_;   // where the table begins in the plain file
  std::uint64_t at_ = 0;  // the row at which the stream stands
  MemoryBlock columns_;   // the whole table, where it is in Fortran order
  std::string buffer_;
};

}  // namespace wordbridge
