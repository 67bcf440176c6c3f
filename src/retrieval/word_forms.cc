#include "retrieval/word_forms.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "search/neighbor_search.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

constexpr std::size_t kMostOfStem = 60;  // a stem of more words is none

std::pair<std::u32string, std::u32string> sorted(std::u32string_view a, std::u32string_view b) {
  return a < b ? std::pair(std::u32string(a), std::u32string(b)) : std::pair(std::u32string(b), std::u32string(a));
}

double cosine_of(ConstMatrixView rows, WordId a, WordId b) {
  return static_cast<double>(exact_score(rows.row(a).data(), rows.row(b).data(), rows.cols()));
}

bool is_of_letters(std::u32string_view word) {
  return std::ranges::none_of(word, [](char32_t c) { return c < U'A' || (c >= U'[' && c <= U'`'); });
}

}  // namespace

WordForms::WordForms(const CommonSpace& space, Side side, const WordFormOptions& options)
    : rows_(space.table(side)), spellings_(space.vocabulary(side)), options_(options) {
  const std::size_t words = std::min(options.words, space.vocabulary(side).size());
  std::unordered_map<std::u32string_view, std::vector<WordId>> stems;
  for (WordId word = 0; word < words; ++word) {
    const std::u32string_view letters = spellings_[word];
    if (!is_of_letters(letters)) continue;
    for (std::size_t ending = 0; ending <= options.longest_ending; ++ending)
      if (letters.size() >= options.shortest_stem + ending)
        stems[letters.substr(0, letters.size() - ending)].push_back(word);
  }
  for (const auto& [stem, ids] : stems) {
    if (ids.size() > kMostOfStem) continue;
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const std::u32string_view a = spellings_[ids[i]].substr(stem.size()),
                                  b = spellings_[ids[j]].substr(stem.size());
        if (a.substr(0, 1) == b.substr(0, 1)) continue;  // the same word, or a longer stem has them
        ++endings_[sorted(a, b)].count;
      }
  }
  const double least =
      std::max(3.0, options.least_pairs * static_cast<double>(words) / static_cast<double>(options.words));
  std::erase_if(endings_, [&](const auto& item) { return item.second.count < least; });
  for (WordId word = 0; word < words; ++word) {
    // In the order of words, so that sums are the same everywhere.
    const std::u32string_view letters = spellings_[word];
    for (std::size_t ending = 0; ending <= std::min(options.longest_ending, letters.size()); ++ending) {
      const auto stem = stems.find(letters.substr(0, letters.size() - ending));
      if (stem == stems.end() || stem->second.size() > kMostOfStem) continue;
      for (const WordId other : stem->second) {
        if (other >= word || !is_of_letters(letters)) continue;
        const std::u32string_view b = spellings_[other].substr(stem->first.size());
        if (letters.substr(stem->first.size()).substr(0, 1) == b.substr(0, 1)) continue;
        const auto found = endings_.find(sorted(letters.substr(stem->first.size()), b));
        if (found != endings_.end()) found->second.cosines += cosine_of(rows_, word, other);
      }
    }
  }
  std::erase_if(endings_,
                [&](const auto& item) { return item.second.cosines < options.least_mean * item.second.count; });
}

std::shared_ptr<const WordForms> WordForms::of(const CommonSpace& space, Side side) {
  return space.state().shared<WordForms>("word forms of the " + std::string(name_of(side)),
                                         [&] { return std::make_shared<WordForms>(space, side); });
}

bool WordForms::go_together(const std::u32string& one, const std::u32string& other) const {
  return endings_.contains(sorted(one, other));
}

bool WordForms::are_of_one_word(WordId a, WordId b) const {
  if (a == b) return true;
  const std::u32string_view one = spellings_[a], other = spellings_[b];
  const std::size_t stem = common_prefix(one, other);
  const bool alike =
      one == other || (stem >= options_.shortest_stem && one.size() <= stem + options_.longest_ending &&
                       other.size() <= stem + options_.longest_ending &&
                       go_together(std::u32string(one.substr(stem)), std::u32string(other.substr(stem))));
  return alike && cosine_of(rows_, a, b) >= options_.least_cosine;
}

}  // namespace wordbridge
