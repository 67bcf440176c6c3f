#include "space/mapped_rows.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "parallel/thread_pool.h"
#include "vectors/formats/number_table.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// Rows that are brought at a time fill about a block of the file.
std::size_t rows_in_block(std::size_t dimension, std::size_t value_bytes) {
  return std::max<std::size_t>(1, SectionFile::kBlockBytes / (dimension * value_bytes));
}

/// Memory of which only what is written is taken. Not in huge pages: a few rows of many places are often all.
float* room_for(std::size_t floats) {
  void* address = ::mmap(nullptr, floats * sizeof(float), PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) throw std::bad_alloc();
  ::madvise(address, floats * sizeof(float), MADV_NOHUGEPAGE);
  return static_cast<float*>(address);
}

}  // namespace

UnitRows MappedRows::open(const SectionFile& file, const SectionFile::Section& section, Type type, std::size_t rows,
                          std::size_t dimension, const RowLengths& lengths) {
  // Not make_shared: the constructor is private.
  const std::shared_ptr<const MappedRows> mapped(new MappedRows(file, section, type, rows, dimension, lengths));
  try {
    return UnitRows::loaded(mapped->table_, mapped, lengths);
  } catch (const UsageError&) {
    file.fail("the lengths of its vectors make no sense");
  }
}

MappedRows::MappedRows(const SectionFile& file, const SectionFile::Section& section, Type type, std::size_t rows,
                       std::size_t dimension, RowLengths lengths)
    : file_(file),
      section_(section),
      type_(type),
      lengths_(std::move(lengths)),
      rows_of_block_(rows_in_block(dimension, bytes_of(type))) {
  const std::size_t blocks = (rows + rows_of_block_ - 1) / rows_of_block_;
  there_ = std::make_unique<std::atomic<std::uint8_t>[]>(blocks);
  if (type == Type::float16 && rows > 0) made_ = room_for(rows * dimension);
  table_ = {made_ != nullptr ? made_ : reinterpret_cast<const float*>(section.unchecked()), rows, dimension};
}

MappedRows::~MappedRows() {
  if (made_ != nullptr) ::munmap(made_, table_.rows() * table_.cols() * sizeof(float));
}

void MappedRows::bring(std::uint32_t row) const {
  const std::size_t block = row / rows_of_block_;
  if (there_[block].load(std::memory_order_acquire) != 0) return;
  const std::lock_guard lock(mutex_);
  bring_block(block);
}

void MappedRows::bring_all() const {
  if (all_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(mutex_);
  const std::size_t blocks = (table_.rows() + rows_of_block_ - 1) / rows_of_block_;
  ThreadPool::current().for_chunks(blocks, 8, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t block = begin; block < end; ++block) bring_block(block);
  });
  all_.store(true, std::memory_order_release);
}

/// Under the lock, by one thread for each block.
void MappedRows::bring_block(std::size_t block) const {
  if (there_[block].load(std::memory_order_relaxed) != 0) return;
  const std::size_t begin = block * rows_of_block_, end = std::min(table_.rows(), begin + rows_of_block_);
  const std::size_t row_bytes = table_.cols() * bytes_of(type_);
  section_.require(begin * row_bytes, (end - begin) * row_bytes);
  if (made_ != nullptr)
    from_float16(section_.unchecked() + begin * row_bytes, {made_ + begin * table_.cols(), end - begin, table_.cols()});
  require_lengths(begin, end);
  there_[block].store(1, std::memory_order_release);
}

/// A forged file can have checksums that match; bounds of searches stand on the lengths.
void MappedRows::require_lengths(std::size_t begin, std::size_t end) const {
  const RowLengths found = RowLengths::of(table_.slice(begin, end), begin);
  const auto first = std::ranges::lower_bound(lengths_.zeros, static_cast<WordId>(begin));
  const auto last = std::ranges::lower_bound(lengths_.zeros, static_cast<WordId>(end));
  if (found.largest > lengths_.largest || found.least < lengths_.least ||
      !std::equal(first, last, found.zeros.begin(), found.zeros.end()))
    file_.fail(fmt::format("the vectors of words {} to {} are not of length 1", begin + 1, end));
}

std::vector<std::uint16_t> to_float16(ConstMatrixView rows) {
  std::vector<std::uint16_t> halves(rows.rows() * rows.cols());
  ThreadPool::current().for_chunks(rows.rows(), 1024, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) encode_float16(rows.row(i), halves.data() + i * rows.cols());
  });
  return halves;
}

void from_float16(const char* halves, MatrixView rows) {
  const NumberType type{.kind = NumberType::Kind::float16};
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    decode_numbers(halves + i * rows.cols() * sizeof(std::uint16_t), type, rows.row(i));
    row_kernel().to_unit(rows.row(i).data(), rows.cols());
  }
}

}  // namespace wordbridge
