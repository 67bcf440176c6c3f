#include "evaluation/sentence_translation.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "base/checksum.h"
#include "base/json.h"
#include "base/random.h"
#include "base/wording.h"
#include "evaluation/fields.h"
#include "io/byte_stream.h"
#include "io/lines.h"
#include "parallel/thread_pool.h"
#include "space/unit_rows.h"
#include "vectors/letter_case.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

enum class CharacterKind { letter, joiner, blank, other };

CharacterKind kind_of(utf8proc_int32_t codepoint) {
  if (codepoint == '\'' || codepoint == '-' || codepoint == 0x2019 || codepoint == 0x2010) return CharacterKind::joiner;
  switch (utf8proc_category(codepoint)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return CharacterKind::letter;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
      return CharacterKind::blank;
    default:
      return CharacterKind::other;
  }
}

struct Character {
  std::string_view bytes;
  CharacterKind kind;
};

std::vector<Character> characters_of(std::string_view sentence) {
  std::vector<Character> characters;
  while (!sentence.empty()) {
    utf8proc_int32_t codepoint = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(sentence.data()),
                                                    static_cast<utf8proc_ssize_t>(sentence.size()), &codepoint);
    const std::size_t length = bytes > 0 ? static_cast<std::size_t>(bytes) : 1;
    characters.push_back({sentence.substr(0, length), bytes > 0 ? kind_of(codepoint) : CharacterKind::letter});
    // Vocabularies have the marks of typewriters.
    if (bytes > 0 && codepoint == 0x2019) characters.back().bytes = "'";
    if (bytes > 0 && codepoint == 0x2010) characters.back().bytes = "-";
    sentence.remove_prefix(length);
  }
  return characters;
}

/// Whether a sentence did not come before, by 64 bits of its bytes.
bool is_new(std::unordered_set<std::uint64_t>& seen, std::string_view sentence) {
  return seen.insert(xxh3(sentence.data(), sentence.size())).second;
}

}  // namespace

Tokenization parse_tokenization(std::string_view name) {
  if (name == "words") return Tokenization::words;
  if (name == "blanks") return Tokenization::blanks;
  throw UsageError(fmt::format("tokenization '{}': words or blanks is wanted", name));
}

std::vector<std::string> tokenize(std::string_view sentence, Tokenization tokenization) {
  std::vector<std::string> words;
  if (tokenization == Tokenization::blanks) {
    for (const std::string_view word : split_at_blanks(sentence)) words.emplace_back(word);
    return words;
  }
  const std::vector<Character> characters = characters_of(sentence);
  bool within = false;  // a word that the next letter belongs to
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto [bytes, kind] = characters[i];
    const bool joins = kind == CharacterKind::joiner && within && i + 1 < characters.size() &&
                       characters[i + 1].kind == CharacterKind::letter;
    if (kind == CharacterKind::letter || joins) {
      if (!within) words.emplace_back();
      words.back() += bytes;
      within = true;
      continue;
    }
    within = false;
    if (kind != CharacterKind::blank) words.emplace_back(bytes);
  }
  return words;
}

ParallelSentences read_parallel_sentences(const std::string& source, const std::string& target) {
  const auto source_stream = open_bytes(source), target_stream = open_bytes(target);
  LineReader source_lines(*source_stream, "sentences"), target_lines(*target_stream, "sentences");
  ParallelSentences sentences;
  std::unordered_set<std::uint64_t> seen_sources, seen_targets;
  for (;;) {
    const auto one = source_lines.next(), other = target_lines.next();
    if (one.has_value() != other.has_value()) {
      const std::string& longer = one ? source : target;
      throw InputError(longer, sentences.lines + 1,
                       fmt::format("{} has only {}: each line is to be the translation of the other file's",
                                   one ? target : source, counted(sentences.lines, "line")));
    }
    if (!one) break;
    ++sentences.lines;
    const std::string_view from = trim(*one), to = trim(*other);
    if (from.empty() || to.empty()) {
      ++sentences.empty;
      continue;
    }
    const bool new_source = is_new(seen_sources, from), new_target = is_new(seen_targets, to);
    if (!new_source || !new_target) {
      ++sentences.repeated;
      continue;
    }
    sentences.source.emplace_back(from);
    sentences.target.emplace_back(to);
  }
  if (sentences.size() == 0) throw InputError(source, 0, "holds no sentences");
  return sentences;
}

namespace {

/// Fewer sentences than these weight words too roughly.
constexpr std::size_t kFewestForIdf = 10'000;
constexpr std::size_t kSentencesAtOnce = 256;

/// The words of sentences that have vectors, each once.
class WordFinder {
 public:
  WordFinder(const CommonSpace& space, Side side, Tokenization tokenization)
      : vocabulary_(space.vocabulary(side)), table_(space.table(side)), tokenization_(tokenization) {}

  std::vector<WordId> words_of(std::string_view sentence) const {
    std::vector<WordId> words;
    for (const std::string& token : tokenize(sentence, tokenization_)) {
      if (add(token, words)) continue;
      for (std::size_t begin = 0; begin < token.size();) {
        const std::size_t joiner = token.find_first_of("'-", begin), end = std::min(joiner, token.size());
        if (begin > 0 || end < token.size()) add(token.substr(begin, end - begin), words);
        begin = end + 1;
      }
    }
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
  }

  const ConstMatrixView& table() const { return table_; }

 private:
  bool add(const std::string& word, std::vector<WordId>& words) const {
    auto id = vocabulary_.find(word);
    if (!id) id = vocabulary_.find(to_lower(word));
    if (!id) return false;
    if (!is_zero(table_.row(*id))) words.push_back(*id);
    return true;
  }

  const Vocabulary& vocabulary_;
  ConstMatrixView table_;
  Tokenization tokenization_;
};

using Sentences = std::vector<std::string>;

/// max(1, log10(n / df)) of each word of the vocabulary; 0 where none of the sentences has it.
std::vector<double> word_weights(const WordFinder& finder, const Sentences& all, std::span<const std::size_t> chosen) {
  std::vector<std::vector<WordId>> found(chosen.size());
  ThreadPool::current().for_chunks(chosen.size(), kSentencesAtOnce, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) found[i] = finder.words_of(all[chosen[i]]);
  });
  std::vector<double> weights(finder.table().rows());
  for (const auto& words : found)
    for (const WordId word : words) ++weights[word];
  for (double& weight : weights)
    if (weight > 0) weight = std::max(1.0, std::log10(static_cast<double>(chosen.size()) / weight));
  return weights;
}

/// A row for each sentence; zero where it has no word.
Matrix sentence_vectors(const WordFinder& finder, std::span<const double> weights, const Sentences& all,
                        std::span<const std::size_t> chosen) {
  Matrix rows(chosen.size(), finder.table().cols());
  ThreadPool::current().for_chunks(chosen.size(), kSentencesAtOnce, [&](std::size_t begin, std::size_t end, int) {
    std::vector<double> sum(rows.cols());
    for (std::size_t i = begin; i < end; ++i) {
      std::ranges::fill(sum, 0);
      for (const WordId word : finder.words_of(all[chosen[i]]))
        for (std::size_t j = 0; j < sum.size(); ++j) sum[j] += weights[word] * finder.table()(word, j);
      // The sum points where the mean does; its length goes, too.
      for (std::size_t j = 0; j < sum.size(); ++j) rows(i, j) = static_cast<float>(sum[j]);
    }
  });
  return rows;
}

SentenceTranslation measure(const std::string& name, const CommonSpace& space, std::span<const std::size_t> right,
                            const SentenceOptions& options) {
  const auto criterion = make_criterion(name, space, {.neighbors = options.neighbors});
  const ConstMatrixView queries = space.table(Side::source), candidates = space.table(Side::target);
  SentenceTranslation result{.criterion = name, .queries = queries.rows(), .candidates = candidates.rows()};
  const Candidates best = criterion->best(queries, SentenceTranslation::kRanks.back());
  std::array<std::size_t, SentenceTranslation::kRanks.size()> found{};
  for (std::size_t i = 0; i < queries.rows(); ++i) {
    if (is_zero(queries.row(i))) {
      ++result.unknown_queries;
      continue;
    }
    const auto targets = best.targets_of(i);
    const auto rank = static_cast<std::size_t>(std::ranges::find(targets, right[i]) - targets.begin());
    for (std::size_t k = 0; k < found.size(); ++k)
      found[k] += rank < std::min(targets.size(), SentenceTranslation::kRanks[k]);
  }
  for (std::size_t i = 0; i < candidates.rows(); ++i) result.unknown_candidates += is_zero(candidates.row(i));
  for (std::size_t k = 0; k < found.size(); ++k) result.precision[k] = wilson_share(found[k], queries.rows());
  return result;
}

}  // namespace

SentenceTranslation::Share wilson_share(std::size_t right, std::size_t all) {
  if (all == 0) return {};
  constexpr double z = 1.959963984540054;  // of 95%
  const auto n = static_cast<double>(all);
  const double share = static_cast<double>(right) / n;
  const double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n));
  return {100 * share, 100 * std::max(0.0, middle - half), 100 * std::min(1.0, middle + half)};
}

SentenceEvaluation evaluate_sentences(const ParallelSentences& sentences, const CommonSpace& space,
                                      const SentenceOptions& options) {
  if (options.candidates == 0 || options.queries == 0)
    throw UsageError("sentences are looked for among one candidate or more, for one query or more");
  Random random(options.seed);
  const std::vector<std::size_t> order = random.sample(sentences.size(), sentences.size());
  const std::size_t count = std::min(options.candidates, order.size());
  const std::span<const std::size_t> candidates(order.data(), count);
  const std::vector<std::size_t> asked = random.sample(count, std::min(options.queries, count));
  std::vector<std::size_t> queries;
  queries.reserve(asked.size());
  for (const std::size_t place : asked) queries.push_back(candidates[place]);

  SentenceEvaluation evaluation;
  std::span<const std::size_t> weighing = std::span(order).subspan(count);
  weighing = weighing.first(std::min(weighing.size(), options.idf_sentences));
  evaluation.idf_apart = weighing.size() >= std::min(kFewestForIdf, options.idf_sentences);
  if (!evaluation.idf_apart) weighing = order;
  evaluation.idf_sentences = weighing.size();

  const WordFinder finders[] = {{space, Side::source, options.tokenization},
                                {space, Side::target, options.tokenization}};
  const Sentences* const texts[] = {&sentences.source, &sentences.target};
  const std::vector<double> weights[] = {word_weights(finders[0], *texts[0], weighing),
                                         word_weights(finders[1], *texts[1], weighing)};
  for (const std::size_t from : {0, 1}) {
    const std::size_t to = 1 - from;
    const CommonSpace pair(UnitRows::normalized(sentence_vectors(finders[from], weights[from], *texts[from], queries)),
                           UnitRows::normalized(sentence_vectors(finders[to], weights[to], *texts[to], candidates)));
    for (const char* criterion : {"nn", "csls"}) {
      evaluation.results.push_back(measure(criterion, pair, asked, options));
      evaluation.results.back().asking = from == 0 ? Side::source : Side::target;
    }
  }
  return evaluation;
}

std::string to_json(const SentenceEvaluation& evaluation) {
  Json results = Json::array();
  for (const SentenceTranslation& result : evaluation.results) {
    Json precision = Json::object();
    for (std::size_t k = 0; k < result.precision.size(); ++k)
      precision[std::to_string(SentenceTranslation::kRanks[k])] = {{"percent", rounded(result.precision[k].percent)},
                                                                   {"low", rounded(result.precision[k].low)},
                                                                   {"high", rounded(result.precision[k].high)}};
    results.push_back({{"criterion", result.criterion},
                       {"direction", result.asking == Side::source ? "source-target" : "target-source"},
                       {"queries", result.queries},
                       {"unknown_queries", result.unknown_queries},
                       {"candidates", result.candidates},
                       {"unknown_candidates", result.unknown_candidates},
                       {"precision", std::move(precision)}});
  }
  return Json{
      {"idf_sentences", evaluation.idf_sentences}, {"idf_apart", evaluation.idf_apart}, {"results", std::move(results)}}
      .dump();
}

}  // namespace wordbridge
