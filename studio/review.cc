#include "studio/review.h"

#include <algorithm>
#include <cmath>

#include "studio/request.h"
#include "wordbridge/context.h"

namespace wordbridge::studio {

namespace {

/// The share that the first of some CSLS scores has of a softmax; at 20 a lead of 0.1 is worth 7 to 1.
double first_share(const std::vector<std::pair<WordId, double>>& scores) {
  constexpr double kSharpness = 20;
  double sum = 0;
  for (const auto& [word, score] : scores) sum += std::exp(kSharpness * (score - scores.front().second));
  return sum > 0 ? 1 / sum : 0;
}

double use_of(double probability, std::size_t rank, std::size_t words, bool disputed) {
  const double doubt = 4 * probability * (1 - probability);
  const double rarity = std::log1p(static_cast<double>(rank)) / std::log1p(static_cast<double>(words));
  return doubt * (1 - 0.7 * rarity) * (disputed ? 1.5 : 1.0);
}

}  // namespace

void KnownPairs::add(const std::string& source, const std::string& target) {
  if (has(source, target)) return;
  of_source_[source].push_back(target);
  of_target_[target].push_back(source);
  ++size_;
}

void KnownPairs::remove(const std::string& source, const std::string& target) {
  if (!has(source, target)) return;
  const auto drop = [](Words& words, const std::string& word, const std::string& other) {
    const auto found = words.find(word);
    std::erase(found->second, other);
    if (found->second.empty()) words.erase(found);
  };
  drop(of_source_, source, target);
  drop(of_target_, target, source);
  --size_;
}

std::vector<std::string> KnownPairs::of(Side side, std::string_view word) const {
  const Words& words = side == Side::source ? of_source_ : of_target_;
  const auto found = words.find(word);
  return found == words.end() ? std::vector<std::string>() : found->second;
}

bool KnownPairs::has(const std::string& source, const std::string& target) const {
  const auto found = of_source_.find(source);
  return found != of_source_.end() && std::ranges::count(found->second, target) > 0;
}

Verdicts::Verdicts(const std::vector<Decision>& standing) {
  for (const Decision& decision : standing) apply(decision);
}

void Verdicts::apply(const Decision& decision) {
  forget(decision.source, decision.target);
  if (decision.verdict == Verdict::skipped)
    skipped_.insert(decision.source);
  else
    (decision.verdict == Verdict::accepted ? accepted_ : rejected_).add(decision.source, decision.target);
}

void Verdicts::forget(const std::string& source, const std::string& target) {
  if (target.empty()) skipped_.erase(source);
  accepted_.remove(source, target);
  rejected_.remove(source, target);
}

bool Verdicts::rejected(const std::string& source, const std::string& target) const {
  return rejected_.has(source, target);
}
bool Verdicts::accepted(const std::string& source, const std::string& target) const {
  return accepted_.has(source, target);
}
bool Verdicts::settled(const std::string& source) const {
  return skipped_.contains(source) || !accepted_.of(Side::source, source).empty();
}

void ReviewQueue::add(std::vector<Suggestion> suggestions) {
  const std::lock_guard lock(mutex_);
  for (Suggestion& suggestion : suggestions) suggestions_.push_back(std::move(suggestion));
}

void ReviewQueue::fill(const std::function<bool(std::string_view)>& skip) {
  constexpr std::size_t kBlock = 500;
  const CommonSpace& space = bench_->space();
  const Vocabulary &words = space.vocabulary(Side::source), &targets = space.vocabulary(Side::target);
  const std::size_t last = std::min(kMostWords, words.size());
  const std::vector<std::string> criteria = bench_->criteria(Side::source);
  const bool reranks = std::ranges::count(criteria, "rerank") > 0;
  Stage stage("suggestions");
  for (std::size_t begin = 0; begin < last; begin += kBlock) {
    stage.update(begin, last);
    std::vector<std::string> asked;
    std::vector<WordId> ids;
    for (std::size_t id = begin; id < std::min(begin + kBlock, last); ++id) {
      // What JSON cannot hold, nobody can answer.
      if (skip(words[id]) || !is_utf8(words[id])) continue;
      asked.emplace_back(words[id]);
      ids.push_back(static_cast<WordId>(id));
    }
    const auto ask = [&](const char* criterion, std::size_t count) {
      return bench_->translate({criterion, Side::source, CasePolicy::exact}, asked, count);
    };
    const auto nearest = ask("nn", 1), csls = ask("csls", kCandidates);
    const auto ranked = reranks ? ask("rerank", kCandidates) : csls;
    std::vector<Suggestion> made;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      Suggestion suggestion{ids[i], {}, 0, false, 0};
      for (const auto& candidate : ranked[i].candidates)
        if (is_utf8(targets[candidate.id])) suggestion.candidates.emplace_back(candidate.id, candidate.score);
      if (suggestion.candidates.empty()) continue;
      const WordId first = suggestion.candidates.front().first;
      suggestion.disputed = nearest[i].candidates.front().id != first || csls[i].candidates.front().id != first;
      // Whether it is a translation at all, where the mapping tells that; else whether it is the one.
      const auto& best = ranked[i].candidates.front();
      suggestion.probability = best.p_translation ? *best.p_translation
                               : reranks          ? suggestion.candidates.front().second
                                                  : first_share(suggestion.candidates);
      suggestion.use = use_of(suggestion.probability, ids[i], last, suggestion.disputed);
      made.push_back(std::move(suggestion));
    }
    add(std::move(made));
  }
  const std::lock_guard lock(mutex_);
  complete_ = true;
}

ReviewQueue::Page ReviewQueue::page(Order order, std::size_t first, std::size_t count, const Verdicts& verdicts) const {
  const Vocabulary &words = bench_->space().vocabulary(Side::source),
                   &targets = bench_->space().vocabulary(Side::target);
  Page page;
  std::vector<Suggestion> open;
  {
    const std::lock_guard lock(mutex_);
    page.complete = complete_;
    open = suggestions_;
  }
  std::erase_if(open, [&](Suggestion& suggestion) {
    const std::string word(words[suggestion.source]);
    if (verdicts.settled(word)) return true;
    std::erase_if(suggestion.candidates, [&](const auto& candidate) {
      return verdicts.rejected(word, std::string(targets[candidate.first]));
    });
    return suggestion.candidates.empty();
  });
  page.open = open.size();
  const auto by = [&](const auto& key) { std::ranges::stable_sort(open, std::greater<>(), key); };
  if (order == Order::use) by([](const Suggestion& one) { return one.use; });
  if (order == Order::probability) by([](const Suggestion& one) { return one.probability; });
  if (order == Order::disputed) by([](const Suggestion& one) { return std::pair(one.disputed, one.use); });
  const std::size_t begin = std::min(first, open.size()), end = std::min(begin + count, open.size());
  page.suggestions.assign(std::make_move_iterator(open.begin() + static_cast<std::ptrdiff_t>(begin)),
                          std::make_move_iterator(open.begin() + static_cast<std::ptrdiff_t>(end)));
  return page;
}

}  // namespace wordbridge::studio
