#include "studio/bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "retrieval/criterion_registry.h"
#include "retrieval/nearest_words.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "space/csls_statistics.h"
#include "vectors/letter_case.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {

namespace {

constexpr std::size_t kCacheBytes = std::size_t{32} << 20;
constexpr std::size_t kMostHubness = 32;
constexpr std::size_t kNeighbors = 10;  // of CSLS, as the program has it

std::size_t index_of(Side side) { return side == Side::source ? 0 : 1; }

std::string key_of(const Bench::Asking& asking) {
  return fmt::format("{} {} {} {}", asking.criterion, name_of(asking.side), static_cast<int>(asking.case_policy),
                     asking.ignore_known);
}

/// As the program prints a list with --json.
template <class Item>
std::string listed_json(const std::vector<Translations>& all, const Item& item) {
  std::string text;
  for (const Translations& one : all) text += (text.empty() ? "[\n" : ",\n") + item(one).dump();
  return text.empty() ? "[]\n" : text + "\n]\n";
}

std::string words_key(const std::vector<std::string>& words) {
  std::string key;
  for (const std::string& word : words) key += fmt::format("{}:{}", word.size(), word);
  return key;
}

}  // namespace

std::shared_ptr<const std::string> AnswerCache::find(const std::string& key) {
  const std::lock_guard lock(mutex_);
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->second;
}

void AnswerCache::keep(const std::string& key, std::shared_ptr<const std::string> answer) {
  const auto weight = [](const Entry& entry) { return 2 * entry.first.size() + entry.second->size() + kOverhead; };
  const std::lock_guard lock(mutex_);
  if (by_key_.contains(key)) return;
  Entry entry{key, std::move(answer)};
  if (weight(entry) > most_bytes_ / 8) return;
  bytes_ += weight(entry);
  entries_.push_front(std::move(entry));
  by_key_[key] = entries_.begin();
  while (bytes_ > most_bytes_) {
    bytes_ -= weight(entries_.back());
    by_key_.erase(entries_.back().first);
    entries_.pop_back();
  }
}

std::vector<Translations> GatheringTranslator::translate(std::span<const std::string> words, std::size_t count) {
  Asked own{words, count};
  std::unique_lock lock(mutex_);
  waiting_.push_back(&own);
  while (!own.done) {
    if (led_) {
      done_.wait(lock);
      continue;
    }
    led_ = true;
    std::vector<Asked*> together;
    std::size_t gathered = 0;
    for (auto at = waiting_.begin(); at != waiting_.end() && gathered < kMostWords;) {
      const bool fits = together.empty() || (*at)->count == together.front()->count;
      if (fits) {
        gathered += (*at)->words.size();
        together.push_back(*at);
      }
      at = fits ? waiting_.erase(at) : std::next(at);
    }
    lock.unlock();
    answer(together);
    lock.lock();
    for (Asked* asked : together) asked->done = true;
    led_ = false;
    done_.notify_all();
  }
  lock.unlock();
  if (own.error) std::rethrow_exception(own.error);
  return std::move(own.answers);
}

void GatheringTranslator::answer(const std::vector<Asked*>& asked) const {
  std::vector<std::string> words;
  for (const Asked* one : asked) words.insert(words.end(), one->words.begin(), one->words.end());
  try {
    const Context::Scope scope(context_);
    std::vector<Translations> answers = translator_.translate(words, asked.front()->count);
    auto next = answers.begin();
    for (Asked* one : asked) {
      const auto end = next + static_cast<std::ptrdiff_t>(one->words.size());
      one->answers.assign(std::make_move_iterator(next), std::make_move_iterator(end));
      next = end;
    }
  } catch (...) {
    for (Asked* one : asked) one->error = std::current_exception();
  }
}

PrefixIndex::PrefixIndex(const Vocabulary& vocabulary) : order_(vocabulary.size()) {
  std::vector<std::string> folded(vocabulary.size());
  for (std::size_t i = 0; i < vocabulary.size(); ++i) folded[i] = to_lower(vocabulary[i]);
  std::iota(order_.begin(), order_.end(), WordId{0});
  std::ranges::stable_sort(order_, {}, [&](WordId id) -> const std::string& { return folded[id]; });
  folded_.reserve(order_.size());
  for (const WordId id : order_) folded_.push_back(std::move(folded[id]));
}

std::vector<WordId> PrefixIndex::find(std::string_view prefix, std::size_t count) const {
  const std::string folded = to_lower(prefix);
  const auto first = std::ranges::lower_bound(folded_, folded);
  const auto last =
      std::partition_point(first, folded_.end(), [&](const std::string& word) { return word.starts_with(folded); });
  std::vector<WordId> ids(order_.begin() + (first - folded_.begin()), order_.begin() + (last - folded_.begin()));
  const auto end = ids.begin() + static_cast<std::ptrdiff_t>(std::min(count, ids.size()));
  std::ranges::partial_sort(ids, end);
  ids.erase(end, ids.end());
  return ids;
}

Bench::Bench(CommonSpace space, std::uint64_t mapping, int threads, std::uint64_t seed)
    : space_(std::move(space)),
      mapping_(mapping),
      seed_(seed),
      context_({.threads = threads, .seed = seed}),
      cache_(kCacheBytes) {}

std::vector<std::string> Bench::criteria(Side side) const {
  std::vector<std::string> names;
  for (const RegisteredCriterion& criterion : registered_criteria())
    if (!criterion.needs_reranker || (space_.reranker() && side == Side::source)) names.push_back(criterion.name);
  return names;
}

Bench::Ready& Bench::ready(const Asking& asking) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Ready>& slot = translators_[key_of(asking)];
  if (slot == nullptr) {
    const Context::Scope scope(context_);
    auto made = std::make_unique<Ready>();
    CriterionOptions options;
    options.seed = seed_;
    made->translator =
        std::make_unique<const Translator>(space_, TranslatorOptions{.criterion = asking.criterion,
                                                                     .criterion_options = options,
                                                                     .case_policy = asking.case_policy,
                                                                     .asking = asking.side,
                                                                     .ignore_known = asking.ignore_known});
    made->gathering = std::make_unique<GatheringTranslator>(*made->translator, context_);
    slot = std::move(made);
  }
  return *slot;
}

std::vector<Translations> Bench::translate(const Asking& asking, std::span<const std::string> words,
                                           std::size_t count) {
  return ready(asking).gathering->translate(words, count);
}

cli::Explanations Bench::explain(const Asking& asking, const Translations& translations) {
  Ready& asked = ready(asking);
  const Context::Scope scope(context_);
  return cli::explain(*asked.translator, translations);
}

std::shared_ptr<const std::string> Bench::translations_text(const Asking& asking, const std::vector<std::string>& words,
                                                            std::size_t count, bool explained) {
  const std::string key = fmt::format("t {} {} {} {}", key_of(asking), count, explained, words_key(words));
  if (auto known = cache_.find(key)) return known;
  const std::vector<Translations> answers = translate(asking, words, count);
  auto text = std::make_shared<const std::string>(listed_json(answers, [&](const Translations& one) {
    return cli::translations_json(one, explained ? explain(asking, one) : cli::Explanations(), "translation");
  }));
  cache_.keep(key, text);
  return text;
}

std::shared_ptr<const std::string> Bench::neighbors_text(const std::vector<std::string>& words, Side side, Side among,
                                                         CasePolicy case_policy, std::size_t count) {
  const std::string key = fmt::format("n {} {} {} {} {}", name_of(side), name_of(among), static_cast<int>(case_policy),
                                      count, words_key(words));
  if (auto known = cache_.find(key)) return known;
  const Context::Scope scope(context_);
  const auto answers = nearest_words(space_, words, among, count, case_policy, side);
  auto text = std::make_shared<const std::string>(listed_json(
      answers, [](const Translations& one) { return cli::translations_json(one, cli::Explanations(), "neighbor"); }));
  cache_.keep(key, text);
  return text;
}

std::vector<Bench::Scores> Bench::scores(Side side, std::span<const float> vector, std::span<const WordId> candidates,
                                         double* own_penalty) {
  const Context::Scope scope(context_);
  const CommonSpace::State& state = space_.state();
  CslsStatistics& statistics = state.csls(kNeighbors);
  const ConstMatrixView table = space_.table(other(side));
  const Neighbors nearest = state.search(other(side)).search({vector.data(), 1, vector.size()}, kNeighbors);
  double own = 0;
  for (std::size_t i = 0; i < nearest.found; ++i) own += nearest.scores[i];
  if (nearest.found > 0) own /= static_cast<double>(nearest.found);
  *own_penalty = own;
  std::vector<Scores> result;
  for (const WordId id : candidates) {
    const double cosine = exact_score(vector.data(), table.row(id).data(), vector.size());
    const double penalty = statistics.of(other(side), id, 1).front();
    result.push_back({cosine, penalty, 2 * cosine - (own + penalty)});
  }
  return result;
}

std::shared_ptr<const std::vector<std::uint32_t>> Bench::chosen(Side side) const {
  const std::lock_guard lock(mutex_);
  return chosen_[index_of(side)];
}

void Bench::warm_up() {
  const CommonSpace::State& state = space_.state();
  CslsStatistics& statistics = state.csls(kNeighbors);
  statistics.learn_both();
  for (const Side side : {Side::source, Side::target}) {
    prefixes(side);
    Stage stage(fmt::format("hubs, {}", name_of(side)));
    auto counts = std::make_shared<std::vector<std::uint32_t>>(state.size(side));
    const ConstMatrixView asking = space_.table(other(side));
    const TwoSidedLists* lists = statistics.nearest();
    constexpr std::size_t kBlock = 4096;
    for (std::size_t begin = 0; begin < asking.rows(); begin += kBlock) {
      const std::size_t end = std::min(begin + kBlock, asking.rows());
      stage.update(begin, asking.rows());
      const auto count = [&](const NeighborLists& nearest, std::size_t first, std::size_t last) {
        for (std::size_t row = first; row < last; ++row)
          if (!is_zero(asking.row(begin + row - first)))
            for (const WordId id : nearest.ids_of(row).first(std::min(kNeighbors, nearest.found))) ++(*counts)[id];
      };
      if (lists != nullptr)
        count(side == Side::target ? lists->of_source : lists->of_target, begin, end);
      else
        count(state.search(side).search(asking.slice(begin, end), kNeighbors), 0, end - begin);
    }
    const std::lock_guard lock(mutex_);
    chosen_[index_of(side)] = std::move(counts);
  }
}

std::shared_ptr<const Hubness> Bench::hubs(const Asking& asking, std::size_t count, std::size_t most_words) {
  const std::string key = fmt::format("{} {} {}", key_of(asking), count, most_words);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = hubs_.find(key); found != hubs_.end()) return found->second;
  }
  Ready& asked = ready(asking);
  const Context::Scope scope(context_);
  auto made = std::make_shared<const Hubness>(evaluate_hubness(
      asked.translator->criterion(), space_, {.hubs = count, .choosers = 8, .max_words = most_words}, asking.side));
  const std::lock_guard lock(mutex_);
  if (hubs_.size() >= kMostHubness) hubs_.clear();
  hubs_[key] = made;
  return made;
}

const PrefixIndex& Bench::prefixes(Side side) {
  {
    const std::lock_guard lock(mutex_);
    if (prefixes_[index_of(side)]) return *prefixes_[index_of(side)];
  }
  auto made = std::make_unique<const PrefixIndex>(space_.vocabulary(side));
  const std::lock_guard lock(mutex_);
  if (!prefixes_[index_of(side)]) prefixes_[index_of(side)] = std::move(made);
  return *prefixes_[index_of(side)];
}

}  // namespace wordbridge::studio
