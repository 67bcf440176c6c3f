#include "vectors/formats/fasttext_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "vectors/formats/row_screen.h"

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

namespace {

std::span<const std::uint8_t> codes_of(const MemoryBlock& block, std::uint64_t row, std::int32_t parts) {
  const auto count = static_cast<std::size_t>(parts);
  return {reinterpret_cast<const std::uint8_t*>(block.data) + row * count, count};
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> read_fasttext_shape(BinaryReader& reader, std::string_view matrix) {
  const auto rows = reader.read<std::int64_t>(matrix);
  const auto cols = reader.read<std::int64_t>(matrix);
  if (rows < 0 || rows > std::int64_t{1} << 40 || cols <= 0 || cols > static_cast<std::int64_t>(kMaxDimension))
    reader.fail(fmt::format("{} makes no sense ({} x {})", matrix, rows, cols));
  return {static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(cols)};
}

FastTextQuantizer::FastTextQuantizer(BinaryReader& reader) {
  dimension_ = reader.read<std::int32_t>("the quantizer");
  parts_ = reader.read<std::int32_t>("the quantizer");
  part_size_ = reader.read<std::int32_t>("the quantizer");
  last_part_size_ = reader.read<std::int32_t>("the quantizer");
  const bool sensible = dimension_ > 0 && static_cast<std::uint64_t>(dimension_) <= kMaxDimension && parts_ > 0 &&
                        part_size_ > 0 && last_part_size_ > 0 && last_part_size_ <= part_size_ &&
                        (std::int64_t{parts_} - 1) * part_size_ + last_part_size_ == dimension_;
  if (!sensible)
    reader.fail(fmt::format("the quantizer makes no sense (dimension {} in {} parts of {}, the last of {})", dimension_,
                            parts_, part_size_, last_part_size_));
  const std::uint64_t bytes = static_cast<std::uint64_t>(dimension_) * kCentroids * sizeof(float);
  reader.require(bytes, "the quantizer");
  const MemoryBlock block = reader.read_block(bytes);
  centroids_.resize(bytes / sizeof(float));
  std::memcpy(centroids_.data(), block.data, bytes);
}

void FastTextQuantizer::add(std::span<const std::uint8_t> codes, float scale, std::span<float> sum) const {
  for (std::size_t part = 0; part < codes.size(); ++part) {
    const auto begin = part * static_cast<std::size_t>(part_size_);
    const auto size = static_cast<std::size_t>(part + 1 == codes.size() ? last_part_size_ : part_size_);
    const float* centroid = centroids_.data() + begin * kCentroids + codes[part] * size;
    for (std::size_t j = 0; j < size; ++j) sum[begin + j] += scale * centroid[j];
  }
}

FastTextMatrix FastTextMatrix::read_dense(BinaryReader& reader) {
  const auto [rows, cols] = read_fasttext_shape(reader, "the input matrix");
  FastTextMatrix matrix(rows, cols);
  const std::uint64_t bytes = rows * cols * sizeof(float);
  reader.require(bytes, fmt::format("the input matrix ({} x {})", rows, cols));
  if (const auto file = reader.plain_file()) {
    if (auto mapped = file->map(reader.offset(), bytes)) {
      matrix.data_ = std::move(*mapped);
      return matrix;
    }
  }
  matrix.data_ = reader.read_block(bytes);
  return matrix;
}

FastTextMatrix FastTextMatrix::read_quantized(BinaryReader& reader) {
  const bool has_norms = reader.read<std::uint8_t>("the input matrix") != 0;
  const auto [rows, cols] = read_fasttext_shape(reader, "the input matrix");
  FastTextMatrix matrix(rows, cols);
  const auto code_bytes = reader.read<std::int32_t>("the input matrix");
  if (code_bytes < 0) reader.fail(fmt::format("the input matrix makes no sense ({} codes)", code_bytes));
  reader.require(static_cast<std::uint64_t>(code_bytes), "the quantized input matrix");
  matrix.data_ = reader.read_block(static_cast<std::uint64_t>(code_bytes));
  matrix.quantizer_ = FastTextQuantizer(reader);
  if (static_cast<std::uint64_t>(matrix.quantizer_.dimension()) != cols ||
      static_cast<std::uint64_t>(matrix.quantizer_.parts()) * rows != static_cast<std::uint64_t>(code_bytes))
    reader.fail(fmt::format("the quantized input matrix makes no sense ({} x {} in {} codes of dimension {})", rows,
                            cols, code_bytes, matrix.quantizer_.dimension()));
  if (!has_norms) return matrix;
  reader.require(rows, "the quantized norms");
  matrix.norm_codes_ = reader.read_block(rows);
  matrix.norm_quantizer_ = FastTextQuantizer(reader);
  if (matrix.norm_quantizer_.dimension() != 1) reader.fail("the quantizer of the norms is not one of single numbers");
  return matrix;
}

void FastTextMatrix::add_row(std::uint64_t row, std::span<float> sum) const {
  if (quantizer_.parts() > 0) {
    const float norm =
        norm_codes_.bytes == 0 ? 1.0F : norm_quantizer_.first(static_cast<std::uint8_t>(norm_codes_.data[row]));
    quantizer_.add(codes_of(data_, row, quantizer_.parts()), norm, sum);
    return;
  }
  const char* values = data_.data + row * cols_ * sizeof(float);
  for (std::size_t j = 0; j < sum.size(); ++j) {
    float value = 0;  // the matrix begins at any byte of the file
    std::memcpy(&value, values + j * sizeof(float), sizeof(float));
    sum[j] += value;
  }
}

namespace {

constexpr std::uint32_t kHashStart = 2166136261U;
/// The end of a sentence, which fastText treats as a word without subwords.
constexpr std::string_view kEndOfSentence = "</s>";
/// No model has longer n-grams; a larger number is damage, and would make the work quadratic in a word's length.
constexpr std::int32_t kMaxNgram = 255;
/// The end of the word, a 64-bit count, a type: an entry takes at least so many bytes.
constexpr std::uint64_t kLeastEntryBytes = 10;

std::uint32_t extend_hash(std::uint32_t hash, char byte) {
  // The sign extension is an accident of fastText's that all its models depend on.
  return (hash ^ static_cast<std::uint32_t>(static_cast<std::int8_t>(byte))) * 16777619U;
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

}  // namespace

std::uint32_t fasttext_hash(std::string_view ngram) {
  std::uint32_t hash = kHashStart;
  for (const char byte : ngram) hash = extend_hash(hash, byte);
  return hash;
}

FastTextDictionary::FastTextDictionary(BinaryReader& reader, FastTextSubwords subwords) : subwords_(subwords) {
  if (subwords.maxn > kMaxNgram || (subwords.maxn > 0 && subwords.bucket <= 0))
    reader.fail(fmt::format("the model makes no sense (n-grams of up to {} characters in {} buckets)", subwords.maxn,
                            subwords.bucket));
  const auto size = reader.read<std::int32_t>("the dictionary");
  const auto words = reader.read<std::int32_t>("the dictionary");
  const auto labels = reader.read<std::int32_t>("the dictionary");
  reader.read<std::int64_t>("the dictionary");  // tokens of the training text
  const auto kept_buckets = reader.read<std::int64_t>("the dictionary");
  if (words < 0 || labels < 0 || std::int64_t{words} + labels != size)
    reader.fail(
        fmt::format("the dictionary makes no sense ({} words and {} labels in {} entries)", words, labels, size));
  reader.require(static_cast<std::uint64_t>(size) * kLeastEntryBytes, "the dictionary");
  read_words(reader, words, labels);
  pruned_ = kept_buckets >= 0;
  if (pruned_) read_kept_buckets(reader, kept_buckets);
  if (subwords.maxn > 0) bucket_rows_ = static_cast<std::uint64_t>(pruned_ ? kept_buckets : subwords.bucket);
}

void FastTextDictionary::read_words(BinaryReader& reader, std::int32_t words, std::int32_t labels) {
  for (std::int32_t i = 0; i < words + labels; ++i) {
    const auto word = reader.read_word('\0');
    if (!word) reader.fail(fmt::format("entry {} of the dictionary is cut off or too long", i + 1));
    reader.read<std::int64_t>("the dictionary");  // how often the word was seen
    const auto type = reader.read<std::int8_t>("the dictionary");
    if (type != (i < words ? 0 : 1))
      reader.fail(fmt::format("entry {} of the dictionary ({}) is neither word nor label in its place", i + 1,
                              quoted_word(*word)));
    if (i < words && !words_.add(*word)) reader.fail(fmt::format("the dictionary holds {} twice", quoted_word(*word)));
  }
}

void FastTextDictionary::read_kept_buckets(BinaryReader& reader, std::int64_t count) {
  if (count > subwords_.bucket)
    reader.fail(fmt::format("the dictionary makes no sense ({} of {} buckets kept)", count, subwords_.bucket));
  reader.require(static_cast<std::uint64_t>(count) * 8, "the list of kept buckets");
  for (std::int64_t i = 0; i < count; ++i) {
    const auto bucket = reader.read<std::uint32_t>("the list of kept buckets");
    const auto place = reader.read<std::uint32_t>("the list of kept buckets");
    if (place >= count)
      reader.fail(fmt::format("the list of kept buckets makes no sense (place {} of {})", place, count));
    kept_buckets_[bucket] = place;
  }
}

std::vector<std::uint64_t> FastTextDictionary::rows_of(WordId id) const {
  std::vector<std::uint64_t> rows = {id};
  append_ngrams(words_[id], rows);
  return rows;
}

std::vector<std::uint64_t> FastTextDictionary::rows_of(std::string_view word) const {
  if (const auto id = words_.find(word)) return rows_of(*id);
  std::vector<std::uint64_t> rows;
  append_ngrams(word, rows);
  return rows;
}

void FastTextDictionary::append_ngrams(std::string_view word, std::vector<std::uint64_t>& rows) const {
  if (word == kEndOfSentence || subwords_.maxn <= 0 || (pruned_ && kept_buckets_.empty())) return;
  const std::string marked = fmt::format("<{}>", word);
  for (std::size_t begin = 0; begin < marked.size(); ++begin) {
    if (is_continuation(marked[begin])) continue;
    std::uint32_t hash = kHashStart;
    std::size_t end = begin;
    for (std::int32_t n = 1; end < marked.size() && n <= subwords_.maxn; ++n) {
      do hash = extend_hash(hash, marked[end++]);
      while (end < marked.size() && is_continuation(marked[end]));
      const bool bare_mark = n == 1 && (begin == 0 || end == marked.size());
      if (n < subwords_.minn || bare_mark) continue;
      const std::uint32_t bucket = hash % static_cast<std::uint32_t>(subwords_.bucket);
      if (!pruned_) {
        rows.push_back(words_.size() + bucket);
      } else if (const auto kept = kept_buckets_.find(bucket); kept != kept_buckets_.end()) {
        rows.push_back(words_.size() + kept->second);
      }
    }
  }
}

}  // namespace wordbridge
