#include "vectors/formats/fasttext_options.h"

#include <fmt/format.h>

namespace wordbridge {

namespace {

constexpr std::int32_t kSupervised = 3;

}  // namespace

FastTextOptions read_fasttext_options(BinaryReader& reader) {
  if (reader.read<std::int32_t>("the header") != kFastTextMagic) reader.fail("does not begin like a fastText model");
  const auto version = reader.read<std::int32_t>("the header");
  if (version != 11 && version != 12)
    reader.fail(fmt::format("is a fastText model of version {}; 11 and 12 can be read", version));
  enum { kDimension, kModel = 7, kBucket, kMinn, kMaxn, kCount = 12 };
  std::int32_t numbers[kCount];
  for (std::int32_t& number : numbers) number = reader.read<std::int32_t>("the options");
  reader.read<double>("the options");  // the sampling threshold
  FastTextOptions options{numbers[kDimension], {numbers[kMinn], numbers[kMaxn], numbers[kBucket]}};
  if (version == 11 && numbers[kModel] == kSupervised) options.subwords.maxn = 0;  // classifiers had no subwords then
  if (options.dimension <= 0 || static_cast<std::uint64_t>(options.dimension) > kMaxDimension)
    reader.fail(fmt::format("the model gives dimension {}", options.dimension));
  return options;
}

}  // namespace wordbridge
