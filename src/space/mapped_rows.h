#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "io/section_file.h"
#include "linalg/row_loader.h"
#include "space/unit_rows.h"

namespace wordbridge {

/// Rows of length 1 that lie in a section of a mapped file. A block of them is brought when a row of it is first read:
/// compared with its checksum, and with what is known of the lengths. Rows of float32 stay where they are; those of
/// float16 become floats, of length 1 again, in memory that is taken as far as they are read.
class MappedRows final : public RowLoader {
 public:
  enum class Type { float32, float16 };
  static std::size_t bytes_of(Type type) { return type == Type::float16 ? 2 : 4; }

  /// `lengths`: of the rows as they are read, with the zero rows in order. InputError where they are not of length 1.
  static UnitRows open(const SectionFile& file, const SectionFile::Section& section, Type type, std::size_t rows,
                       std::size_t dimension, const RowLengths& lengths);
  ~MappedRows() override;
  MappedRows(const MappedRows&) = delete;
  MappedRows& operator=(const MappedRows&) = delete;

  void bring(std::uint32_t row) const override;
  void bring_all() const override;

 private:
  MappedRows(const SectionFile& file, const SectionFile::Section& section, Type type, std::size_t rows,
             std::size_t dimension, RowLengths lengths);
  void bring_block(std::size_t block) const;
  void require_lengths(std::size_t begin, std::size_t end) const;

  SectionFile file_;
  SectionFile::Section section_;
  Type type_;
  RowLengths lengths_;
  std::size_t rows_of_block_ = 0;
  ConstMatrixView table_;
  float* made_ = nullptr;  // the memory of rows that were of float16
  mutable std::mutex mutex_;
  mutable std::unique_ptr<std::atomic<std::uint8_t>[]> there_;  // of each block
  mutable std::atomic<bool> all_{false};
};

/// Rows as float16, nearest, a row behind the other; and back, brought to length 1.
std::vector<std::uint16_t> to_float16(ConstMatrixView rows);
void from_float16(const char* halves, MatrixView rows);

}  // namespace wordbridge
