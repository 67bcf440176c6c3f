#include "space/mapped_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <thread>

#include "base/error_test_support.h"
#include "base/temporary_folder_test_support.h"
#include "io/memory_stream_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::mapped_rows_test {
namespace {

constexpr SectionFormat kFormat = {{'t', 'e', 's', 't', 'r', 'o', 'w', 's'}, 1, ".test"};
constexpr std::size_t kRows = 2000, kDimension = 30;

/// Unit rows, two of them zero, as a file holds them.
struct Stored {
  explicit Stored(MappedRows::Type row_type, std::size_t damaged_row = kRows) : type(row_type) {
    table = random_matrix(kRows, kDimension, 3);
    for (const std::size_t zero : {5, 1999})
      for (float& value : table.row(zero)) value = 0;
    normalize_rows(table);
    const TemporaryFolder folder;
    AtomicFile file(folder.path("f"));
    SectionWriter writer(file, kFormat);
    if (type == MappedRows::Type::float16) {
      const auto halves = to_float16(table);
      from_float16(reinterpret_cast<const char*>(halves.data()), table);
      writer.add("rows", std::span<const std::uint16_t>(halves));
    } else {
      writer.add("rows", std::span<const float>(table.data(), table.size()));
    }
    writer.finish();
    file.commit();
    bytes = folder.read("f");
    if (damaged_row < kRows) bytes[128 + damaged_row * kDimension * MappedRows::bytes_of(type)] ^= 4;
    lengths = RowLengths::of(table, 0);
  }

  UnitRows open() const {
    MemoryStream stream(bytes);
    const SectionFile file(stream, kFormat);
    return MappedRows::open(file, file.section("rows"), type, kRows, kDimension, lengths);
  }

  MappedRows::Type type;
  Matrix table;
  RowLengths lengths;
  std::string bytes;
};

TEST(MappedRows, AreTheRowsThatWereWritten) {
  for (const auto type : {MappedRows::Type::float32, MappedRows::Type::float16}) {
    const Stored stored(type);
    const UnitRows rows = stored.open();
    EXPECT_EQ(rows.size(), kRows);
    EXPECT_EQ(rows.nonzero(), kRows - 2);
    EXPECT_TRUE(rows.is_zero(1999));
    const std::vector<WordId> some = {1998, 3, 5};
    EXPECT_EQ(rows.gather(some), UnitRows::view(stored.table).gather(some));
    EXPECT_TRUE(std::ranges::equal(rows[1200], stored.table.row(1200)));
    EXPECT_EQ(Matrix::copy_of(rows.rows()), stored.table);
  }
}

TEST(MappedRows, HalvesAreNearTheRowsThatTheyWereMadeOf) {
  Matrix table = random_matrix(100, kDimension, 9);
  normalize_rows(table);
  const auto halves = to_float16(table);
  Matrix back = Matrix::uninitialized(100, kDimension);
  from_float16(reinterpret_cast<const char*>(halves.data()), back);
  for (std::size_t i = 0; i < table.size(); ++i)
    EXPECT_NEAR(back.data()[i], table.data()[i], 0x1.0p-10 * std::fabs(table.data()[i]) + 0x1.0p-24);
  UnitRows::take(std::move(back));  // of length 1
}

TEST(MappedRows, DamageShowsWhereItIsTouched) {
  for (const auto type : {MappedRows::Type::float32, MappedRows::Type::float16}) {
    const UnitRows rows = Stored(type, 1700).open();
    EXPECT_EQ(rows[3].size(), kDimension);
    EXPECT_NE(input_error_of([&] { rows[1700]; }), "");
    EXPECT_NE(input_error_of([&] { rows[1700]; }), "");  // and stays
    EXPECT_NE(input_error_of([&] { rows.rows(); }), "");
    EXPECT_EQ(rows[3].size(), kDimension);
  }
}

TEST(MappedRows, ForgedLengthsAreRefused) {
  for (const auto type : {MappedRows::Type::float32, MappedRows::Type::float16}) {
    Stored stored(type);
    const auto error_of_rows = [&] { return input_error_of([&] { stored.open().rows(); }); };
    EXPECT_EQ(error_of_rows(), "");
    const RowLengths right = stored.lengths;
    stored.lengths.zeros = {5};
    EXPECT_NE(error_of_rows(), "");
    stored.lengths.zeros = {5, 7, 1999};
    EXPECT_NE(error_of_rows(), "");
    stored.lengths = right;
    stored.lengths.largest = std::nextafter(right.largest, 0.0);
    EXPECT_NE(error_of_rows(), "");
    stored.lengths = right;
    stored.lengths.least = std::nextafter(right.least, 2.0);
    EXPECT_NE(error_of_rows(), "");
    stored.lengths = {2, 0.5, {}};
    EXPECT_NE(error_of_rows(), "");
  }
}

TEST(MappedRows, ManyThreadsReadThem) {
  for (const auto type : {MappedRows::Type::float32, MappedRows::Type::float16}) {
    const Stored stored(type);
    const UnitRows rows = stored.open();
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        if (t == 3) rows.rows();
        for (std::size_t i = t; i < kRows; i += 3)
          if (!std::ranges::equal(rows[static_cast<WordId>(i)], stored.table.row(i))) ++wrong;
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
  }
}

}  // namespace
}  // namespace wordbridge::mapped_rows_test
