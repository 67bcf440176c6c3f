#include "evaluation/sentence_translation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/json.h"
#include "base/random.h"
#include "base/wording.h"
#include "parallel/thread_pool.h"
#include "space/unit_rows.h"
#include "vectors/letter_case.h"
#include "wordbridge/criterion.h"
#include "wordbridge/error.h"

namespace wordbridge {

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
