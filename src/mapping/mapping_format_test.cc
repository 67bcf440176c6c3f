#include "mapping/mapping_format.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/checksum.h"
#include "base/random.h"
#include "base/temporary_folder_test_support.h"
#include "linalg/random_matrix_test_support.h"
#include "mapping/mapping_test_support.h"
#include "mapping/rerank_model.h"
#include "mapping/stored_lexicon.h"
#include "wordbridge/error.h"

namespace wordbridge::mapping_format_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string bytes_of(const Mapping& mapping) {
  const TemporaryFolder folder;
  write_mapping(mapping, folder.path("x.wbmap"));
  return folder.read("x.wbmap");
}

std::string error_of(const std::string& bytes) {
  try {
    parse_mapping(bytes, "x.wbmap");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string with_checksum(std::string content) {
  Sha256 hash;
  hash.update(content);
  const auto digest = hash.finish();
  return content.append(reinterpret_cast<const char*>(digest.data()), digest.size());
}

/// A file with this header and these values, checksum included: damage that only the header's checks can find.
std::string file_of(const std::string& header, std::size_t values, float value = 1) {
  std::string content("\x89WBMAP\r\n", 8);
  const std::uint32_t numbers[2] = {1, static_cast<std::uint32_t>(header.size())};
  content.append(reinterpret_cast<const char*>(numbers), sizeof(numbers)).append(header);
  for (std::size_t i = 0; i < values; ++i) content.append(reinterpret_cast<const char*>(&value), sizeof(value));
  return with_checksum(content);
}

std::string header_with(const std::string& from, const std::string& to) {
  std::string header = describe_json(small_mapping());
  const std::size_t at = header.find(from);
  EXPECT_NE(at, std::string::npos) << from << " in " << header;
  return header.replace(at, from.size(), to);
}

Mapping with_intercept() {
  Mapping mapping = full_mapping();
  mapping.set_source_intercept({0.5f, -0.0f});
  return mapping;
}

Mapping with_lexicon() {
  Mapping mapping = with_intercept();
  mapping.lexicon = std::make_shared<const StoredLexicon>(
      StoredLexicon{{{"house", "casa"}, {"New\tYork", "Nueva York"}, {"bank", "banco", 0.25}}});
  return mapping;
}

void expect_same(const Mapping& a, const Mapping& b) {
  EXPECT_EQ(a.source_intercept(), b.source_intercept());
  ASSERT_EQ(a.lexicon == nullptr, b.lexicon == nullptr);
  if (a.lexicon) {
    EXPECT_EQ(*a.lexicon, *b.lexicon);
  }
  const auto same_bits = [](const Matrix& x, const Matrix& y) {
    return x.rows() == y.rows() && x.cols() == y.cols() &&
           std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
  };
  EXPECT_TRUE(same_bits(a.source_map(), b.source_map()));
  ASSERT_EQ(a.target_map().has_value(), b.target_map().has_value());
  if (a.target_map()) {
    EXPECT_TRUE(same_bits(*a.target_map(), *b.target_map()));
  }
  EXPECT_EQ(a.normalizer(Side::source), b.normalizer(Side::source));
  EXPECT_EQ(a.normalizer(Side::target), b.normalizer(Side::target));
  const Provenance &p = a.provenance, &q = b.provenance;
  EXPECT_EQ(p.version, q.version);
  EXPECT_EQ(p.method, q.method);
  EXPECT_EQ(p.options, q.options);
  EXPECT_EQ(p.seed, q.seed);
  EXPECT_EQ(p.max_words, q.max_words);
  EXPECT_EQ(p.criterion, q.criterion);
  for (const auto& [x, y] : {std::pair(p.source, q.source), std::pair(p.target, q.target)}) {
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.checksum, y.checksum);
    EXPECT_EQ(x.words, y.words);
    EXPECT_EQ(x.dimension, y.dimension);
  }
  EXPECT_EQ(p.lexicon, q.lexicon);
  EXPECT_EQ(p.metrics, q.metrics);
  EXPECT_EQ(to_json(p.report), to_json(q.report));
}

TEST(MappingFormat, RoundTripsEverythingBitForBit) {
  for (const Mapping& mapping : {full_mapping(), small_mapping()}) {
    const TemporaryFolder folder;
    write_mapping(mapping, folder.path("x.wbmap"));
    const Mapping back = read_mapping(folder.path("x.wbmap"));
    expect_same(mapping, back);
    EXPECT_EQ(bytes_of(back), folder.read("x.wbmap")) << "written again, the file is the same";
  }
}

TEST(MappingFormat, RoundTripsRandomMappings) {
  Random random(11);
  for (int round = 0; round < 50; ++round) {
    const auto size = [&] { return 1 + random.index(9); };
    const std::size_t common = size(), source = size(), target = random.index(2) ? size() : common;
    const auto normalizer = [&](std::size_t dimension) {
      std::vector<Normalizer::Step> steps;
      std::vector<std::vector<float>> means;
      for (std::size_t i = random.index(5); i > 0; --i) {
        steps.push_back(random.index(2) ? Normalizer::Step::unit : Normalizer::Step::center);
        if (steps.back() == Normalizer::Step::center)
          means.emplace_back(dimension, static_cast<float>(random.normal()));
      }
      return Normalizer::from_parts(steps, means);
    };
    std::optional<Matrix> target_map;
    if (target != common || random.index(2)) target_map = random_matrix(common, target, random.bits());
    Mapping mapping(random_matrix(common, source, random.bits()), normalizer(source), normalizer(target), target_map);
    mapping.provenance.metrics["m"] = random.normal() * std::exp(100 * random.normal());
    expect_same(mapping, parse_mapping(bytes_of(mapping), "x.wbmap"));
  }
}

TEST(MappingFormat, ReadsVersionOne) {
  expect_same(read_mapping(WORDBRIDGE_SOURCE_DIR "/tests/formats/mapping-v1.wbmap"), full_mapping());
}

TEST(MappingFormat, ReadsVersionOneOfRerankers) {
  const Mapping mapping = read_mapping(WORDBRIDGE_SOURCE_DIR "/tests/formats/mapping-reranker-v1.wbmap");
  RerankModel expected{.families = "semantic,spelling", .features = {{"csls", 1.0 / 3, -0.25, 0.5}, {"edit", 2, 0, 1}}};
  expected.calibration = {.intercept = -1.5, .terms = {{"log-odds", 1, 0, 1}}, .elsewhere = 0.375};
  constexpr std::uint32_t kNone = RerankModel::Spelling::kNoLetter;
  expected.spelling = {
      {101, 97},
      {0x3B1},
      {{{0, kNone}, {0, kNone}, 0.125}, {{kNone, kNone}, {1, kNone}, 0.0625}, {{1, 0}, {3, kNone}, 1e-9}}};
  expected.pairs = {{"house", "casa"}, {"ñ", "\"x\""}};
  ASSERT_NE(mapping.reranker, nullptr);
  EXPECT_EQ(*mapping.reranker, expected);
}

TEST(MappingFormat, NotANumberMetricsSurvive) {
  Mapping mapping = small_mapping();
  mapping.provenance.metrics = {{"nan", std::nan("")}, {"low", -std::numeric_limits<double>::infinity()}};
  const Mapping back = parse_mapping(bytes_of(mapping), "x.wbmap");
  EXPECT_TRUE(std::isnan(back.provenance.metrics.at("nan")));
  EXPECT_EQ(back.provenance.metrics.at("low"), -std::numeric_limits<double>::infinity());
}

TEST(MappingFormat, NamesThatAreNotUtf8AreReadable) {
  Mapping mapping = small_mapping();
  mapping.provenance.source.name = "a\xFFz";
  EXPECT_EQ(parse_mapping(bytes_of(mapping), "x.wbmap").provenance.source.name, "a\xEF\xBF\xBDz");
}

TEST(MappingFormat, EveryCutAndEveryFlippedBitIsFound) {
  const std::string good = bytes_of(full_mapping());
  for (std::size_t length = 0; length < good.size(); ++length)
    ASSERT_THAT(error_of(good.substr(0, length)), StartsWith("x.wbmap: ")) << length;
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    ASSERT_THAT(error_of(bad), StartsWith("x.wbmap: ")) << at;
  }
  EXPECT_THAT(error_of(good + "x"), HasSubstr("damaged"));
}

TEST(MappingFormat, SaysWhatIsWrong) {
  EXPECT_EQ(error_of(""), "x.wbmap: the file is empty");
  EXPECT_EQ(error_of("2 3\nhouse 1 2 3\n"), "x.wbmap: not a mapping file of wordbridge (.wbmap)");
  EXPECT_EQ(error_of(bytes_of(small_mapping()).substr(0, 12)), "x.wbmap: the mapping file is cut off");
  std::string newer = bytes_of(small_mapping());
  newer[8] = 4;
  EXPECT_THAT(error_of(newer), AllOf(HasSubstr("format version 4"), HasSubstr("a newer wordbridge is needed")));
  newer[8] = 0;
  EXPECT_THAT(error_of(newer), HasSubstr("version 0"));
  std::string huge = bytes_of(small_mapping());
  huge[15] = '\x7F';
  EXPECT_THAT(error_of(huge), HasSubstr("impossible length"));
}

TEST(MappingFormat, HeadersAreNotBelieved) {
  ASSERT_EQ(error_of(file_of(describe_json(small_mapping()), 4)), "no error") << "the frame of these tests";
  EXPECT_THAT(error_of(file_of(describe_json(small_mapping()), 5)), HasSubstr("20 bytes of values"));
  EXPECT_THAT(error_of(file_of(describe_json(small_mapping()), 3)), HasSubstr("12 bytes of values"));
  EXPECT_THAT(error_of(file_of(describe_json(small_mapping()), 4, std::nanf(""))), HasSubstr("not a finite number"));
  const auto damaged = [](const std::string& from, const std::string& to) {
    return error_of(file_of(header_with(from, to), 4));
  };
  EXPECT_THAT(damaged("\"common_dimension\":2", "\"common_dimension\":0"), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"common_dimension\":2", "\"common_dimension\":-2"), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"common_dimension\":2", "\"common_dimension\":2.5"), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"common_dimension\":2", "\"common_dimension\":3"), HasSubstr("contradict"));
  EXPECT_THAT(damaged("\"common_dimension\":2", "\"common_dimension\":\"2\""), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"source\":{\"dimension\":2", "\"source\":{\"dimension\":18446744073709551615"),
              HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"source\":{\"dimension\":2", "\"source\":{\"dimension\":268435456"), HasSubstr("values"));
  EXPECT_THAT(damaged("\"map\":true", "\"map\":false"), HasSubstr("no source map"));
  EXPECT_THAT(damaged("\"map\":true", "\"map\":1"), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"normalization\":\"none\"", "\"normalization\":\"whiten\""), HasSubstr("whiten"));
  EXPECT_THAT(damaged("\"seed\":0", "\"seed\":-1"), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"details\":{}", "\"details\":[]"), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("{", "["), HasSubstr("damaged header"));
  EXPECT_THAT(damaged("\"lexicon\":\"\"", "\"lexicon\":\"\n\""), HasSubstr("damaged header"));
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  EXPECT_THAT(damaged("\"details\":{}", "\"details\":{\"a\":" + deep + "}"), HasSubstr("nested too deeply"));
  EXPECT_EQ(damaged("\"provenance\":{", "\"a later field\":{},\"provenance\":{"), "no error");
}

TEST(MappingFormat, ErrorsAreOneLine) {
  EXPECT_THAT(error_of(file_of("{\n\n\"a\": \x01", 4)), ::testing::Not(HasSubstr("\n")));
}

TEST(MappingFormat, WritesNothingThatItWouldNotRead) {
  const TemporaryFolder folder;
  const std::string path = folder.path("x.wbmap");
  Mapping mapping = small_mapping();
  mapping.provenance.report.other = "[1]";
  EXPECT_THROW(write_mapping(mapping, path), UsageError);
  mapping.provenance.report.other = "{";
  EXPECT_THROW(write_mapping(mapping, path), UsageError);
  Matrix w(1, 1);
  w(0, 0) = std::numeric_limits<float>::infinity();
  EXPECT_THROW(write_mapping(Mapping(w, {}, {}), path), Error);
  EXPECT_EQ(folder.files(), 0u);
}

TEST(MappingFormat, WhatIsNestedAsDeeplyAsCanBeWrittenCanBeRead) {
  Mapping mapping = small_mapping();
  std::size_t written = 0;
  for (std::size_t depth = 1; depth < 100; ++depth) {
    mapping.provenance.report.other = R"({"a":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
    std::string bytes;
    try {
      bytes = bytes_of(mapping);
    } catch (const UsageError&) {
      continue;
    }
    ++written;
    EXPECT_EQ(parse_mapping(bytes, "x.wbmap").provenance.report.other, mapping.provenance.report.other);
  }
  EXPECT_GT(written, 50u);
  EXPECT_LT(written, 64u);
}

TEST(MappingFormat, MissingFileAndFolder) {
  EXPECT_THROW(read_mapping("/nonexistent/x.wbmap"), IoError);
  EXPECT_THROW(read_mapping(TemporaryFolder().path("")), IoError);
  EXPECT_THROW(write_mapping(small_mapping(), "/nonexistent/x.wbmap"), IoError);
}

TEST(MappingFormat, DescribesItself) {
  EXPECT_TRUE(looks_like_mapping(bytes_of(small_mapping())));
  EXPECT_FALSE(looks_like_mapping("\x89WBMAP"));
  EXPECT_THAT(describe_json(full_mapping()), HasSubstr(R"("method":"rcsls")"));
  EXPECT_THAT(describe_json(full_mapping(), 2), HasSubstr("\n  \"source\": {\n    \"dimension\": 3"));
}

TEST(MappingFormat, AnInterceptMakesItVersion2) {
  const std::string bytes = bytes_of(with_intercept()), plain = bytes_of(full_mapping());
  EXPECT_EQ(bytes[8], 2);
  EXPECT_EQ(plain[8], 1);  // what other versions can read stays readable
  expect_same(parse_mapping(bytes, "x.wbmap"), with_intercept());
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_NE(error_of(bytes.substr(0, size)), "no error") << size;
  EXPECT_THAT(error_of(bytes.substr(0, 8) + '\4' + bytes.substr(9)), HasSubstr("newer wordbridge"));
}

TEST(MappingFormat, RefusesInterceptsWhereThereAreNone) {
  EXPECT_THAT(error_of(file_of(header_with("\"map\":true", "\"map\":true,\"intercept\":true"), 6)),
              HasSubstr("an intercept in format version 1"));
  EXPECT_THAT(error_of(file_of(header_with("\"map\":false", "\"map\":false,\"intercept\":true"), 6)),
              HasSubstr("the target side has an intercept"));
}

TEST(MappingFormat, ALexiconMakesItVersion3) {
  const std::string bytes = bytes_of(with_lexicon());
  EXPECT_EQ(bytes[8], 3);
  expect_same(parse_mapping(bytes, "x.wbmap"), with_lexicon());
  EXPECT_EQ(mapping_bytes(parse_mapping(bytes, "x.wbmap")), bytes);
  EXPECT_THAT(describe_json(with_lexicon()), HasSubstr(R"("lexicon":{"pairs":3})"));
  for (std::size_t size = 0; size < bytes.size(); size += 7)
    EXPECT_NE(error_of(bytes.substr(0, size)), "no error") << size;
  for (std::size_t at = 0; at < bytes.size(); at += 5) {
    std::string bad = bytes;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    ASSERT_THAT(error_of(bad), StartsWith("x.wbmap: ")) << at;
  }
}

TEST(MappingFormat, WithoutALexiconItIsWhatItWas) {
  Mapping mapping = full_mapping();
  mapping.lexicon = std::make_shared<const StoredLexicon>();
  EXPECT_EQ(mapping_bytes(mapping), mapping_bytes(full_mapping()));
}

/// A file of version 3 whose header says this of its lexicon, which is `bytes`; the checksum fits.
std::string with_forged_lexicon(const std::string& says, const std::string& bytes, char version = 3) {
  std::string content = file_of(header_with("{", "{\"lexicon\":" + says + ","), 4);
  content.resize(content.size() - 32);
  content[8] = version;
  return with_checksum(content + bytes);
}

TEST(MappingFormat, ForgedLexiconsAreRefused) {
  const std::string good = to_compressed({{{"house", "casa"}}});
  const auto says = [](std::size_t pairs, std::size_t bytes) {
    return "{\"pairs\":" + std::to_string(pairs) + ",\"bytes\":" + std::to_string(bytes) + "}";
  };
  ASSERT_EQ(error_of(with_forged_lexicon(says(1, good.size()), good)), "no error") << "the frame of these tests";
  EXPECT_THAT(error_of(with_forged_lexicon(says(1, good.size()), good, 2)), HasSubstr("before format version 3"));
  EXPECT_THAT(error_of(with_forged_lexicon(says(2, good.size()), good)), HasSubstr("1 pairs where the header says 2"));
  EXPECT_THAT(error_of(with_forged_lexicon(says(1, good.size() - 1), good)), HasSubstr("values and lexicon"));
  EXPECT_THAT(error_of(with_forged_lexicon(says(1, good.size() + 1), good)), HasSubstr("values and lexicon"));
  EXPECT_THAT(error_of(with_forged_lexicon(says(1, std::size_t{1} << 40), good)), HasSubstr("damaged header"));
  EXPECT_THAT(error_of(with_forged_lexicon(says(0, good.size()), good)), HasSubstr("damaged header"));
  EXPECT_THAT(error_of(with_forged_lexicon("[]", good)), HasSubstr("damaged header"));
  EXPECT_THAT(error_of(with_forged_lexicon("{}", good)), HasSubstr("damaged header"));
  EXPECT_THAT(error_of(with_forged_lexicon(says(1, 6), "nozstd")), HasSubstr("the lexicon: "));
  for (std::size_t at = 0; at < good.size(); ++at)  // each is refused, or is another lexicon of one pair
    for (int bit = 0; bit < 8; ++bit) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ (1 << bit));
      error_of(with_forged_lexicon(says(1, bad.size()), bad));
    }
}

TEST(MappingFormat, ReadsVersion3Forever) {
  const Mapping mapping = read_mapping(WORDBRIDGE_SOURCE_DIR "/tests/formats/mapping-v3.wbmap");
  ASSERT_NE(mapping.lexicon, nullptr);
  EXPECT_EQ(*mapping.lexicon,
            (StoredLexicon{{{"house", "casa"}, {"New York", "Nueva York"}, {"bank", "banco", 0.5}, {"a\tb", "\\"}}}));
  EXPECT_THAT(mapping.source_map().elements(), testing::ElementsAre(1, 2, 3, 4));
}

TEST(MappingFormat, ReadsVersion2Forever) {
  const Mapping mapping = read_mapping(WORDBRIDGE_SOURCE_DIR "/tests/formats/mapping-v2.wbmap");
  EXPECT_THAT(mapping.source_intercept(), testing::ElementsAre(0.5f, -3));
  EXPECT_THAT(mapping.source_map().elements(), testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(mapping.provenance.method, "adapt");
}

}  // namespace
}  // namespace wordbridge::mapping_format_test
