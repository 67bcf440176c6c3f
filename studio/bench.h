#pragma once
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/explanations.h"
#include "wordbridge/common_space.h"
#include "wordbridge/context.h"
#include "wordbridge/hubness.h"
#include "wordbridge/translate.h"

namespace wordbridge::studio {

/// The answers that were given last, by what was asked. Bounded by their bytes.
class AnswerCache {
 public:
  explicit AnswerCache(std::size_t most_bytes) : most_bytes_(most_bytes) {}
  std::shared_ptr<const std::string> find(const std::string& key);
  void keep(const std::string& key, std::shared_ptr<const std::string> answer);

 private:
  using Entry = std::pair<std::string, std::shared_ptr<const std::string>>;
  static constexpr std::size_t kOverhead = 200;  // of an entry, roughly

  std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::list<Entry> entries_;  // asked last first
  std::unordered_map<std::string, std::list<Entry>::iterator> by_key_;
};

/// A translator that several threads ask at once, a word each: who comes while others are answered waits, and all who
/// wait are answered together, in one pass over the table. The answers are those of the translator, bit for bit.
class GatheringTranslator {
 public:
  /// Both must outlive it; work is done in `context`.
  GatheringTranslator(const Translator& translator, Context& context) : translator_(translator), context_(context) {}
  std::vector<Translations> translate(std::span<const std::string> words, std::size_t count);

 private:
  static constexpr std::size_t kMostWords = 64;  // of a pass

  struct Asked {
    std::span<const std::string> words;
    std::size_t count;
    std::vector<Translations> answers = {};
    std::exception_ptr error = nullptr;
    bool done = false;
  };
  void answer(const std::vector<Asked*>& asked) const;

  const Translator& translator_;
  Context& context_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::deque<Asked*> waiting_;
  bool led_ = false;
};

/// Finds words by how they begin, in whatever case.
class PrefixIndex {
 public:
  explicit PrefixIndex(const Vocabulary& vocabulary);
  /// The most frequent words that begin so, by frequency.
  std::vector<WordId> find(std::string_view prefix, std::size_t count) const;

 private:
  std::vector<WordId> order_;        // of all words, by their spelling in lower case
  std::vector<std::string> folded_;  // by place in order_
};

/// One mapping over both vocabularies, and what is asked about it, each made when first asked for: what the pages of
/// the studio show comes from here. Threads may ask at once.
class Bench {
 public:
  struct Asking {
    std::string criterion;
    Side side = Side::source;  // of the words that ask
    CasePolicy case_policy = CasePolicy::title;
    bool ignore_known = true;  // what the lexicon of the mapping says is guessed, too
  };

  /// `mapping`: its number in the project; 0 where there is none. Work is done with so many threads.
  Bench(CommonSpace space, std::uint64_t mapping, int threads, std::uint64_t seed);

  const CommonSpace& space() const { return space_; }
  std::uint64_t mapping() const { return mapping_; }
  /// "nn", "csls" and so on, as far as this space has them for words of that side.
  std::vector<std::string> criteria(Side side) const;

  std::vector<Translations> translate(const Asking& asking, std::span<const std::string> words, std::size_t count);
  cli::Explanations explain(const Asking& asking, const Translations& translations);
  /// The text that the program prints for the same words with --json.
  std::shared_ptr<const std::string> translations_text(const Asking& asking, const std::vector<std::string>& words,
                                                       std::size_t count, bool explained);
  std::shared_ptr<const std::string> neighbors_text(const std::vector<std::string>& words, Side side, Side among,
                                                    CasePolicy case_policy, std::size_t count);

  /// Why words are translated as they are: cosines, penalties and how often each candidate is chosen.
  struct Scores {
    double cosine, penalty, csls;  // penalty: r of the candidate
  };
  /// Of a vector of that side and some words of the other one.
  std::vector<Scores> scores(Side side, std::span<const float> vector, std::span<const WordId> candidates,
                             double* own_penalty);
  /// N_k: by how many words of the other side each word of a side is among the k nearest; nullptr as long as nobody
  /// counted, which takes a search for every word.
  std::shared_ptr<const std::vector<std::uint32_t>> chosen(Side side) const;
  /// Counts them, and does once what makes answers quick; in the current context.
  void warm_up();
  /// The largest hubs among the words of the other side; asked by the `most_words` most frequent words of `side`.
  std::shared_ptr<const Hubness> hubs(const Asking& asking, std::size_t count, std::size_t most_words);

  const PrefixIndex& prefixes(Side side);

 private:
  struct Ready {
    std::unique_ptr<const Translator> translator;
    std::unique_ptr<GatheringTranslator> gathering;
  };
  Ready& ready(const Asking& asking);

  CommonSpace space_;
  std::uint64_t mapping_;
  std::uint64_t seed_;
  mutable Context context_;  // of answers
  mutable std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Ready>> translators_;
  std::map<std::string, std::shared_ptr<const Hubness>> hubs_;
  std::shared_ptr<const std::vector<std::uint32_t>> chosen_[2];
  std::unique_ptr<const PrefixIndex> prefixes_[2];
  AnswerCache cache_;
};

}  // namespace wordbridge::studio
