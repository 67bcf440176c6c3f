#include "vectors/formats/safetensors.h"

#include <gmock/gmock.h>

#include "base/error_test_support.h"
#include "io/memory_stream_test_support.h"
#include "vectors/formats/binary_format_test_support.h"
#include "vectors/formats/item_table.h"

namespace wordbridge::safetensors_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kFolder = WORDBRIDGE_SOURCE_DIR "/tests/formats/safetensors/";

std::string file_of(const std::string& header, const std::string& data) {
  return bytes_of(static_cast<std::uint64_t>(header.size())) + header + data;
}
std::string tensor(const std::string& name, const std::string& type, const std::string& shape, int begin, int end) {
  return "\"" + name + "\":{\"dtype\":\"" + type + "\",\"shape\":" + shape + ",\"data_offsets\":[" +
         std::to_string(begin) + "," + std::to_string(end) + "]}";
}
const std::string kTwo = "{" + tensor("ids", "I64", "[2]", 0, 16) + "," + tensor("x", "F32", "[2,3]", 16, 40) + "}";
const std::string kData = std::string(16, '\0') + floats({1, -2, 0.5F, 0, 3e-40F, 7});

CollectedVectors read(const std::string& bytes, const ReadOptions& options = {}, bool size_known = true) {
  return collect(*open_item_table(std::make_unique<MemoryStream>(bytes, size_known), options));
}
std::string error_of(const std::string& bytes, const ReadOptions& options = {}, bool size_known = true) {
  return input_error_of([&] { read(bytes, options, size_known); });
}

TEST(Safetensors, ReadsTheOnlyTable) {
  for (const bool size_known : {true, false}) {
    const auto vectors = read(file_of(kTwo, kData), {}, size_known);
    EXPECT_THAT(vectors.words, ElementsAre("0", "1"));
    EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F, 0, 3e-40F, 7));
    EXPECT_EQ(vectors.summary.format, "safetensors, numbered items");
    EXPECT_EQ(row_names(vectors.summary), RowNames::numbers);
  }
  EXPECT_TRUE(looks_like_safetensors(file_of(kTwo, kData)));
  EXPECT_FALSE(looks_like_safetensors("{\"a\": 1, \"b\": 2}"));
  EXPECT_FALSE(looks_like_safetensors("2 3\ncat 1 2 3\n"));
}

TEST(Safetensors, ReadsKeptFiles) {
  for (const std::string name : {"float16", "float32", "float64", "bfloat16", "several"}) {
    ReadOptions options;
    if (name == "several") options.format = "safetensors:table";
    const auto vectors = collect(*open_vectors(kFolder + name + ".safetensors", options));
    EXPECT_THAT(vectors.values, ElementsAre(1, -2, 0.5F, 0, 1024, -0.25F)) << name;
  }
}

TEST(Safetensors, OfSeveralTablesOneIsNamed) {
  const std::string header = "{" + tensor("b", "F16", "[1,2]", 0, 4) + "," + tensor("a", "F32", "[1,1]", 4, 8) +
                             ",\"__metadata__\":{\"made\":\"by hand\"}}";
  const std::string bytes = file_of(header, std::string("\x00\x3c\x00\xc0", 4) + floats({5}));
  EXPECT_THAT(error_of(bytes), AllOf(HasSubstr("several tables"), HasSubstr("'a' ('F32', 1 x 1)")));
  EXPECT_THAT(read(bytes, {.format = "safetensors:a"}).values, ElementsAre(5));
  EXPECT_THAT(read(bytes, {.format = "safetensors:b"}).values, ElementsAre(1, -2));
  EXPECT_THAT(read(bytes, {.format = "safetensors:b"}, false).values, ElementsAre(1, -2));
  EXPECT_THAT(error_of(bytes, {.format = "safetensors:c"}), HasSubstr("has no tensor 'c'; tables"));
  EXPECT_THAT(error_of(file_of(kTwo, kData), {.format = "safetensors:ids"}), HasSubstr("is no table"));
}

TEST(Safetensors, CutAnywhereIsDamage) {
  const std::string whole = file_of(kTwo, kData);
  for (const bool size_known : {true, false}) {
    for (std::size_t length = 0; length < whole.size(); ++length)
      EXPECT_NE(error_of(whole.substr(0, length), {.format = "safetensors"}, size_known), "") << length;
    EXPECT_NE(error_of(whole + "x", {}, size_known), "");
  }
}

TEST(Safetensors, HeadersThatCannotBe) {
  const std::string x = "\"x\":{\"dtype\":\"F32\",";
  const std::string max = std::to_string(UINT64_MAX);
  const std::string headers[] = {
      "",
      "[]",
      "{",
      "{}",
      "{\"x\":1}",
      "{\"x\":{}}",
      "{" + x + "\"shape\":[2,3]}}",
      "{" + x + "\"shape\":[2,3],\"data_offsets\":[0]}}",
      "{" + x + "\"shape\":[2,3],\"data_offsets\":[0,24,25]}}",
      "{" + x + "\"shape\":[2,3],\"data_offsets\":[-1,24]}}",
      "{" + x + "\"shape\":[2.0,3],\"data_offsets\":[0,24]}}",
      "{" + x + "\"shape\":\"2\",\"data_offsets\":[0,24]}}",
      "{" + x + "\"shape\":[2,3],\"data_offsets\":[0,23]}}",
      "{" + x + "\"shape\":[2,3],\"data_offsets\":[24,0]}}",
      "{" + x + "\"shape\":[2,3],\"data_offsets\":[4,28]}}",
      "{" + x + "\"shape\":[0,0],\"data_offsets\":[0,0]}}",
      "{" + x + "\"shape\":[0,3],\"data_offsets\":[0,0]}}",
      "{" + x + "\"shape\":[" + max + ",2],\"data_offsets\":[0,24]}}",
      "{" + x + "\"shape\":[4611686018427387904,4],\"data_offsets\":[0,0]}}",
      "{" + x + "\"shape\":[2,3],\"data_offsets\":[" + max + "," + max + "]}}",
      "{" + x + "\"shape\":[24],\"data_offsets\":[0,96]}}",
      "{\"x\":{\"dtype\":\"F33\",\"shape\":[2,3],\"data_offsets\":[0,24]}}",
      "{\"x\":{\"dtype\":4,\"shape\":[2,3],\"data_offsets\":[0,24]}}",
      "{" + tensor("a", "F32", "[2,3]", 0, 24) + "," + tensor("b", "U8", "[8]", 16, 24) + "}",  // they overlap
      "{" + tensor("a", "F32", "[2,2]", 0, 16) + "," + tensor("b", "U8", "[4]", 20, 24) + "}",  // a gap
      "{\"x\n\":{\"dtype\":\"F32\"}}"};
  for (const std::string& header : headers) {
    const std::string error = error_of(file_of(header, std::string(24, '\0')), {.format = "safetensors"});
    EXPECT_THAT(error, HasSubstr("memory: ")) << header;
    EXPECT_EQ(error.find('\n'), std::string::npos) << header;
  }
  EXPECT_THAT(error_of(bytes_of(std::uint64_t{1} << 40) + "{", {.format = "safetensors"}),
              HasSubstr("the header is said to have 1099511627776 bytes"));
}

}  // namespace
}  // namespace wordbridge::safetensors_test
