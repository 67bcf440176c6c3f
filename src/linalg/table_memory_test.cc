#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "wordbridge/matrix.h"

namespace wordbridge::table_memory_test {
namespace {

TEST(AllocateTable, IsAlignedAndWritable) {
  for (const std::size_t bytes : {std::size_t{64}, std::size_t{4096}, (std::size_t{16} << 20) - 64,
                                  std::size_t{16} << 20, (std::size_t{33} << 20) + 64}) {
    const std::unique_ptr<char, decltype(&std::free)> data(static_cast<char*>(allocate_table(bytes)), std::free);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data.get()) % 64, 0) << bytes;
    data.get()[0] = 1;
    data.get()[bytes - 1] = 2;
    EXPECT_EQ(data.get()[0] + data.get()[bytes - 1], 3);
  }
}

TEST(AllocateTable, MoreThanThereIs) {
  if (WORDBRIDGE_SANITIZED) GTEST_SKIP() << "the sanitizer ends the program instead";
  EXPECT_THROW(allocate_table(std::size_t{1} << 60), std::bad_alloc);
}

}  // namespace
}  // namespace wordbridge::table_memory_test
