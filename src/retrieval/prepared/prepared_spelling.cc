#include "retrieval/prepared/prepared_spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace wordbridge {

namespace {

/// Raised whenever spellings are normalized, cut into n-grams or counted in another way: resources of another version
/// are made anew.
constexpr std::uint64_t kSpellingVersion = 1;

struct StoredSpelling {
  std::uint64_t version = kSpellingVersion;
  double unseen_idf = 0;
};

std::string part(std::string_view name) { return fmt::format("spelling.{}", name); }

template <class T>
std::span<const T> values_of(const SectionFile& file, const std::string& name) {
  return file.values<T>(name, file.section(name).bytes() / sizeof(T));
}

void write_table(SectionWriter& writer, std::string_view side, const SpellingTable& table) {
  writer.add(part(fmt::format("{}_letters", side)), table.letters());
  writer.add(part(fmt::format("{}_ends", side)), table.starts());
}

SpellingTable read_table(const SectionFile& file, std::string_view side, std::size_t words) {
  const auto letters = values_of<char32_t>(file, part(fmt::format("{}_letters", side)));
  const auto starts = file.values<std::uint64_t>(part(fmt::format("{}_ends", side)), words + 1);
  if (starts.front() != 0 || starts.back() != letters.size() || !std::ranges::is_sorted(starts))
    file.fail(fmt::format("the spellings of the {} side make no sense", side));
  return {letters, starts, file.owner()};
}

NgramIndex read_ngrams(const SectionFile& file, double unseen_idf, std::size_t words) {
  const NgramIndex::Parts parts{values_of<std::uint64_t>(file, part("grams")),
                                values_of<double>(file, part("idf")),
                                values_of<std::uint64_t>(file, part("foreign_grams")),
                                values_of<double>(file, part("foreign_idf")),
                                unseen_idf,
                                file.values<double>(part("scales"), words),
                                file.values<std::uint64_t>(part("term_ends"), words + 1),
                                values_of<std::uint32_t>(file, part("term_grams")),
                                values_of<std::uint16_t>(file, part("term_times")),
                                values_of<std::uint64_t>(file, part("posting_ends")),
                                values_of<WordId>(file, part("posting_words")),
                                values_of<float>(file, part("posting_weights")),
                                file.owner()};
  if (!NgramIndex::fits(parts)) file.fail("the n-grams of its words make no sense");
  return NgramIndex(parts);
}

SuffixShares read_suffixes(const SectionFile& file) {
  std::array<SuffixShares::OfLength, SuffixShares::kLongest> lengths;
  for (std::size_t k = 0; k < lengths.size(); ++k) {
    lengths[k].suffixes = values_of<std::uint64_t>(file, part(fmt::format("suffixes_{}", k + 1)));
    lengths[k].shares = file.values<double>(part(fmt::format("suffix_shares_{}", k + 1)), lengths[k].suffixes.size());
    if (!std::ranges::all_of(lengths[k].shares, [](double share) { return share >= 0 && share <= 1; }))
      file.fail("the endings of its words make no sense");
  }
  return {lengths, file.owner()};
}

void add_bigrams(const SectionFile& file, Side side, const std::vector<std::uint32_t>& letters,
                 SpellingResources& spelling) {
  const std::size_t symbols = Alphabet(letters).size();
  const auto values = file.values<double>(part(fmt::format("{}_bigrams", name_of(side))), symbols * (symbols + 1));
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
    file.fail("the letters of its words make no sense");
  spelling.known_bigrams.push_back({side, letters, LetterBigrams(symbols, values)});
}

}  // namespace

void write_spelling(SectionWriter& writer, const SpellingResources& spelling, const RerankModel& model) {
  const NgramIndex::Parts& grams = spelling.ngrams.parts();
  const StoredSpelling stored{.unseen_idf = grams.unseen_idf};
  writer.add("spelling", std::span(&stored, 1));
  write_table(writer, "source", spelling.asking_words);
  write_table(writer, "target", spelling.answering_words);
  writer.add(part("grams"), grams.grams);
  writer.add(part("idf"), grams.idf);
  writer.add(part("foreign_grams"), grams.foreign_grams);
  writer.add(part("foreign_idf"), grams.foreign_idf);
  writer.add(part("scales"), grams.scales);
  writer.add(part("term_ends"), grams.term_starts);
  writer.add(part("term_grams"), grams.term_grams);
  writer.add(part("term_times"), grams.term_times);
  writer.add(part("posting_ends"), grams.posting_starts);
  writer.add(part("posting_words"), grams.posting_targets);
  writer.add(part("posting_weights"), grams.posting_weights);
  writer.add(part("same_words"), spelling.same_asking_word);
  for (std::size_t k = 0; k < SuffixShares::kLongest; ++k) {
    writer.add(part(fmt::format("suffixes_{}", k + 1)), spelling.suffixes.lengths()[k].suffixes);
    writer.add(part(fmt::format("suffix_shares_{}", k + 1)), spelling.suffixes.lengths()[k].shares);
  }
  if (!model.spelling) return;
  const std::vector<double> source = spelling.bigrams(Side::source, Alphabet(model.spelling->source_letters)).values();
  const std::vector<double> target = spelling.bigrams(Side::target, Alphabet(model.spelling->target_letters)).values();
  writer.add(part("source_bigrams"), std::span<const double>(source));
  writer.add(part("target_bigrams"), std::span<const double>(target));
}

std::shared_ptr<SpellingResources> read_spelling(const SectionFile& file, const RerankModel* model,
                                                 std::size_t source_words, std::size_t target_words) {
  if (!file.has("spelling") || model == nullptr) return nullptr;
  const StoredSpelling stored = file.values<StoredSpelling>("spelling", 1).front();
  if (stored.version != kSpellingVersion) return nullptr;
  const auto same = file.values<WordId>(part("same_words"), target_words);
  if (!std::ranges::all_of(same,
                           [&](WordId word) { return word == SpellingResources::kNoWord || word < source_words; }))
    file.fail("the words that are spelled alike make no sense");
  auto spelling = std::make_shared<SpellingResources>(
      read_table(file, "source", source_words), read_table(file, "target", target_words),
      read_ngrams(file, stored.unseen_idf, target_words), read_suffixes(file), same, file.owner());
  if (model->spelling) {
    add_bigrams(file, Side::source, model->spelling->source_letters, *spelling);
    add_bigrams(file, Side::target, model->spelling->target_letters, *spelling);
  }
  return spelling;
}

}  // namespace wordbridge
