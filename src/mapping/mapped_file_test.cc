#include "mapping/mapped_file.h"

#include <gmock/gmock.h>

#include <tuple>

#include "base/temporary_folder_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "vectors/formats/npy.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"

namespace wordbridge::mapped_file_test {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kRows = 66'536, kDimension = 6;  // three blocks

/// Ends the work at the n-th piece of it.
class Stopper : public Progress {
 public:
  void update(std::string_view, std::uint64_t done, std::uint64_t, std::string_view) override {
    if (context_ != nullptr && done >= after_) context_->cancel();
  }
  void finish(std::string_view) override {}
  void stop(Context& context, std::uint64_t after) {
    context_ = &context;
    after_ = after;
  }

 private:
  Context* context_ = nullptr;
  std::uint64_t after_ = 0;
};

class MappedFileTest : public ::testing::Test {
 protected:
  MappedFileTest() {
    const Matrix rows = random_matrix(kRows, kDimension, 1);
    const std::string bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * sizeof(float));
    for (const auto& [name, begin, end] :
         {std::tuple{"x.npy", std::size_t{0}, kRows}, {"s1.npy", 0UL, 3000UL}, {"s2.npy", 3000UL, kRows}})
      folder_.write(name, make_npy_header({.rows = end - begin, .cols = kDimension}) +
                              bytes.substr(begin * kDimension * 4, (end - begin) * kDimension * 4));
    mapping_ = Mapping(random_matrix(4, kDimension, 2), {}, {});
  }
  MappedFile apply(const std::string& input, const std::string& output, FileMapping how) {
    how.format = format_of_path(output);
    return write_mapped_file(mapping_, how, folder_.path(input), nullptr, folder_.path(output));
  }
  std::string error_of(const std::string& input, const std::string& output, const FileMapping& how) {
    try {
      apply(input, output, how);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TemporaryFolder folder_;
  Mapping mapping_;
};

/// The slow twin: all rows at once, in memory.
TEST_F(MappedFileTest, MapsWhatTheMappingMaps) {
  EXPECT_EQ(apply("x.npy", "y.npy", {}).summary.rows, kRows);
  const Matrix expected = mapping_.apply(read_vectors(folder_.path("x.npy")), Side::source, true).table();
  EXPECT_TRUE(read_vectors(folder_.path("y.npy")).table() == expected);
  EXPECT_FALSE(folder_.has("y.vocab"));
}

TEST_F(MappedFileTest, PartsAndShardsJoinToTheSameBytes) {
  apply("x.npy", "whole.f32", {});
  apply("x.npy", "whole.f16", {});
  std::string joined, halves;
  for (std::size_t number = 1; number <= 4; ++number) {
    const FileMapping how{.read = {.part = {number, 4}}};
    apply("s*.npy", "part.f32", how);
    joined += folder_.read("part.f32");
    apply("x.npy", "part.f16", how);
    halves += folder_.read("part.f16");
  }
  EXPECT_EQ(joined, folder_.read("whole.f32"));
  EXPECT_EQ(halves, folder_.read("whole.f16"));
}

TEST_F(MappedFileTest, WhatWasStoppedGoesOnAndEndsInTheSameBytes) {
  apply("x.npy", "whole.npy", {});
  Stopper stopper;
  Context context({.progress = &stopper});
  {
    const Context::Scope scope(context);
    stopper.stop(context, 40'000);
    EXPECT_THROW(apply("x.npy", "y.npy", {.resume = true}), Cancelled);
  }
  EXPECT_FALSE(folder_.has("y.npy"));
  EXPECT_TRUE(folder_.has("y.npy.unfinished"));
  // Another mapping would not make the rows that are left.
  const Mapping right = mapping_;
  mapping_ = Mapping(random_matrix(4, kDimension, 5), {}, {});
  EXPECT_THAT(error_of("x.npy", "y.npy", {.resume = true}), HasSubstr("belongs to other work"));
  mapping_ = right;
  EXPECT_THAT(error_of("x.npy", "y.npy", {.unit = false, .resume = true}), HasSubstr("belongs to other work"));
  const MappedFile rest = apply("x.npy", "y.npy", {.resume = true});
  EXPECT_EQ(rest.kept_rows, 32'768U);
  EXPECT_EQ(rest.kept_rows + rest.summary.rows, kRows);
  EXPECT_EQ(folder_.read("y.npy"), folder_.read("whole.npy"));
  EXPECT_FALSE(folder_.has("y.npy.unfinished") || folder_.has("y.npy.unfinished.state"));
}

TEST_F(MappedFileTest, RefusesToResumeWhatCannotBe) {
  const FileMapping resume{.resume = true};
  EXPECT_THAT(error_of("x.npy", "y.vec", resume), HasSubstr("what is to be resumed is a table of numbers"));
  folder_.write("w.vec", "1 6\na 1 2 3 4 5 6\n");
  EXPECT_THAT(error_of("w.vec", "y.npy", resume), HasSubstr("what is to be resumed is a table of numbers"));
  EXPECT_THAT(error_of("x.npy", "y.npy", {.read = {.lenient = true}, .resume = true}), HasSubstr("as a whole"));
  EXPECT_THAT(error_of("x.npy", "y.npy", {.side = Side::target}), HasSubstr("x.npy has dimension 6"));
  EXPECT_FALSE(folder_.has("y.npy") || folder_.has("y.npy.unfinished"));
}

}  // namespace
}  // namespace wordbridge::mapped_file_test
