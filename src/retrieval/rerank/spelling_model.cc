#include "retrieval/rerank/spelling_model.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "wordbridge/context.h"

namespace wordbridge {

/// How EM begins and goes on.
struct SpellingSchedule {
  double equal;    // share of equal letters at the start
  double any;      // share of any two
  int unfiltered;  // iterations in which every pair counts
  int filtered;    // iterations behind these in which r is updated
  int long_units;  // the iteration in which they come in
  int iterations;  // in all
};

namespace {

/// Where letters are shared, equal ones are the way in.
constexpr SpellingSchedule kSharedLetters = {0.8, 0.1, 0, 3, 5, 10};
/// Where they are not, what goes together must show in all pairs first. Only word ends are equal.
constexpr SpellingSchedule kOtherScript = {0.2, 0.7, 5, 5, 12, 17};

constexpr double kLikelyCognates = 0.5;  // r of the pairs that long units come from
constexpr double kCognates = 0.2;        // share of a lexicon, before anything is known
constexpr double kDiscount = 0.4;        // of the counts of long units
constexpr double kSmoothing = 0.01;
constexpr double kNegligible = 1e-3;      // r of pairs that are not looked at any more
constexpr double kFewestCognates = 0.02;  // mean r, and in pairs:
constexpr double kFewestPairs = 5;

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

}  // namespace

/// EM.
class SpellingModelFit {
 public:
  SpellingModelFit(SpellingModel& model, std::span<const SpellingModel::LetterPair> pairs,
                   const SpellingSchedule& schedule)
      : model_(model), schedule_(schedule) {
    for (const auto& [source, target] : pairs) {
      Pair pair{model.source_.encode(source), model.target_.encode(target)};
      pair.log_strangers =
          model.source_bigrams_.log_probability(pair.x) + model.target_bigrams_.log_probability(pair.y);
      pairs_.push_back(std::move(pair));
    }
    set_start();
  }

  void run() {
    start_ = model_.transducer_;
    for (int iteration = 0; iteration < schedule_.iterations; ++iteration) {
      Context::poll();
      if (iteration >= schedule_.unfiltered && iteration < schedule_.unfiltered + schedule_.filtered) update_filter();
      if (iteration == schedule_.long_units)
        for (const Pair& pair : pairs_)
          if (pair.cognates > kLikelyCognates) model_.transducer_.open_long_units(pair.x, pair.y);
      iterate();
    }
  }

  double cognates() const {
    double sum = 0;
    for (const Pair& pair : pairs_) sum += pair.cognates;
    return sum;
  }

 private:
  struct Pair {
    std::vector<Alphabet::Symbol> x, y;
    double log_strangers = 0;  // log U(x) + log U(y)
    double cognates = 1;       // r
  };

  void set_start() {
    Transducer& start = model_.transducer_;
    const auto equal = equal_symbols();
    double shared = 0;
    for (const auto& [a, b] : equal) shared += share(a, b);
    for (std::size_t a = 0; a < model_.source_.size(); ++a) {
      const auto source = static_cast<Alphabet::Symbol>(a);
      start(start.source().one(source), Transducer::Parts::none()) = 0.05 * model_.source_bigrams_.unigram(source);
      for (std::size_t b = 0; b < model_.target_.size(); ++b) {
        const auto target = static_cast<Alphabet::Symbol>(b);
        start(start.source().one(source), start.target().one(target)) =
            schedule_.any * model_.source_bigrams_.unigram(source) * model_.target_bigrams_.unigram(target);
      }
    }
    for (std::size_t b = 0; b < model_.target_.size(); ++b) {
      const auto target = static_cast<Alphabet::Symbol>(b);
      start(Transducer::Parts::none(), start.target().one(target)) = 0.05 * model_.target_bigrams_.unigram(target);
    }
    for (const auto& [a, b] : equal)
      if (shared > 0) start(start.source().one(a), start.target().one(b)) += schedule_.equal * share(a, b) / shared;
  }

  double share(Alphabet::Symbol a, Alphabet::Symbol b) const {
    return (model_.source_bigrams_.unigram(a) + model_.target_bigrams_.unigram(b)) / 2;
  }

  std::vector<std::pair<Alphabet::Symbol, Alphabet::Symbol>> equal_symbols() const {
    const Alphabet &source = model_.source_, &target = model_.target_;
    std::vector<std::pair<Alphabet::Symbol, Alphabet::Symbol>> equal = {
        {source.other(), target.other()}, {source.begin(), target.begin()}, {source.end(), target.end()}};
    for (const std::uint32_t letter : source.letters())
      if (target.symbol(letter) != target.other()) equal.emplace_back(source.symbol(letter), target.symbol(letter));
    return equal;
  }

  void update_filter() {
    for (Pair& pair : pairs_)
      pair.cognates = sigmoid(model_.transducer_.log_probability(pair.x, pair.y) - pair.log_strangers +
                              std::log(kCognates / (1 - kCognates)));
  }

  void iterate() {
    Transducer counts(model_.source_.size(), model_.target_.size());
    for (const Pair& pair : pairs_)
      if (pair.cognates > kNegligible) model_.transducer_.add_expected_units(pair.x, pair.y, pair.cognates, counts);
    double total = 0;
    for (std::size_t s = 0; s < counts.source().count(); ++s)
      for (std::size_t t = 0; t < counts.target().count(); ++t) {
        double& count = counts(s, t);
        if (count == 0) continue;
        if (counts.is_long(s, t)) count = std::max(0.0, count - kDiscount);
        total += count;
      }
    if (total == 0) return;  // nothing looks like cognates
    const std::span<const double> from = counts.elements(), smooth = start_->elements();
    const auto to = model_.transducer_.elements();
    for (std::size_t unit = 0; unit < to.size(); ++unit)
      to[unit] = (from[unit] + kSmoothing * total * smooth[unit]) / ((1 + kSmoothing) * total);
  }

  SpellingModel& model_;
  SpellingSchedule schedule_;
  std::optional<Transducer> start_;
  std::vector<Pair> pairs_;
};

SpellingModel::SpellingModel(Alphabet source, Alphabet target, const SpellingResources& resources)
    : source_(std::move(source)),
      target_(std::move(target)),
      source_bigrams_(resources.bigrams(Side::source, source_)),
      target_bigrams_(resources.bigrams(Side::target, target_)),
      transducer_(source_.size(), target_.size()) {}

SpellingModel::SpellingModel(const SpellingResources& resources)
    : SpellingModel(Alphabet(resources.asking_words), Alphabet(resources.answering_words), resources) {}

std::shared_ptr<const SpellingModel> SpellingModel::fit(std::span<const LetterPair> pairs,
                                                        const SpellingResources& resources) {
  const double fewest = std::max(kFewestPairs, kFewestCognates * static_cast<double>(pairs.size()));
  for (const SpellingSchedule& schedule : {kSharedLetters, kOtherScript}) {
    std::shared_ptr<SpellingModel> model(new SpellingModel(resources));
    SpellingModelFit fit(*model, pairs, schedule);
    fit.run();
    if (fit.cognates() >= fewest) return model;
  }
  return nullptr;
}

SpellingModel::SpellingModel(const RerankModel::Spelling& stored, const SpellingResources& resources)
    : SpellingModel(Alphabet(stored.source_letters), Alphabet(stored.target_letters), resources) {
  const auto part_of = [](const std::array<std::uint32_t, 2>& letters, const Transducer::Parts& parts) {
    constexpr std::uint32_t kNone = RerankModel::Spelling::kNoLetter;
    using Symbol = Alphabet::Symbol;
    if (letters[0] == kNone) return Transducer::Parts::none();
    if (letters[1] == kNone) return parts.one(static_cast<Symbol>(letters[0]));
    return parts.two(static_cast<Symbol>(letters[0]), static_cast<Symbol>(letters[1]));
  };
  for (const auto& unit : stored.units)
    transducer_(part_of(unit.source, transducer_.source()), part_of(unit.target, transducer_.target())) =
        unit.probability;
}

RerankModel::Spelling SpellingModel::stored() const {
  RerankModel::Spelling spelling{source_.letters(), target_.letters(), {}};
  const auto put = [](const std::vector<Alphabet::Symbol>& symbols, std::array<std::uint32_t, 2>& letters) {
    std::ranges::copy(symbols, letters.begin());
  };
  for (std::size_t s = 0; s < transducer_.source().count(); ++s)
    for (std::size_t t = 0; t < transducer_.target().count(); ++t) {
      if (transducer_(s, t) == 0) continue;
      RerankModel::Spelling::Unit unit;
      put(transducer_.source().symbols_of(s), unit.source);
      put(transducer_.target().symbols_of(t), unit.target);
      unit.probability = transducer_(s, t);
      spelling.units.push_back(unit);
    }
  return spelling;
}

SpellingModel::Word::Word(const SpellingModel& model, std::u32string_view letters)
    : model_(model),
      symbols_(model.source_.encode(letters)),
      log_probability_(model.source_bigrams_.log_probability(symbols_)) {}

std::vector<SpellingModel::Word::Logs> SpellingModel::Word::logs_of(
    std::span<const std::u32string_view> targets) const {
  std::vector<std::vector<Alphabet::Symbol>> symbols;
  symbols.reserve(targets.size());
  for (const std::u32string_view target : targets) symbols.push_back(model_.target_.encode(target));
  const std::vector<double> together = model_.transducer_.log_probabilities(symbols_, symbols);
  std::vector<Logs> logs;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const double given = together[i] - log_probability_;
    logs.push_back({given - model_.target_bigrams_.log_probability(symbols[i]), given});
  }
  return logs;
}

double SpellingModel::Word::log_ratio(std::u32string_view target) const {
  return logs_of(std::span(&target, 1)).front().ratio;
}
double SpellingModel::Word::log_given(std::u32string_view target) const {
  return logs_of(std::span(&target, 1)).front().given;
}

}  // namespace wordbridge
