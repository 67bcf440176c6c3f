#include "vectors/formats/fasttext_dictionary.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "vectors/formats/row_screen.h"

namespace wordbridge {

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
