#include "hub/joint_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "align/paired_rows.h"
#include "base/atomic_file.h"
#include "base/wording.h"
#include "lexicon/lexicon_reader.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"
#include "mapping/mapping_format.h"
#include "optimize/constraint.h"
#include "optimize/objective.h"
#include "optimize/rcsls_objective.h"
#include "optimize/subgradient.h"
#include "parallel/job_queue.h"
#include "search/neighbor_search.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"
#include "wordbridge/version.h"

namespace wordbridge {

namespace {

constexpr int kMostRounds = 50;
constexpr double kStill = 1e-7;  // of the sum: less than that is no progress

class RotationSearch {
 public:
  RotationSearch(std::span<const std::size_t> dimensions, std::size_t pivot, std::span<const JointTerm> terms)
      : dimensions_(dimensions), pivot_(pivot), terms_(terms), maps_(dimensions.size()) {
    maps_[pivot] = MatrixD::identity(dimensions[pivot]);
  }

  JointRotations run() {
    start();
    JointRotations result;
    result.sums.push_back(sum());
    for (int round = 0; round < kMostRounds; ++round) {
      for (std::size_t i = 0; i < maps_.size(); ++i)
        if (i != pivot_) maps_[i] = nearest_orthogonal(pull(i));
      result.sums.push_back(sum());
      const double before = result.sums[result.sums.size() - 2];
      if (result.sums.back() - before <= kStill * std::abs(before)) break;
    }
    for (std::optional<MatrixD>& map : maps_) result.maps.push_back(std::move(*map));
    return result;
  }

 private:
  /// What the other languages want of this one's map, those whose maps are known: sum of c W_other C, d x d_i.
  MatrixD pull(std::size_t language) const {
    MatrixD sum(dimensions_[pivot_], dimensions_[language]);
    for (const JointTerm& term : terms_) {
      const bool is_one = term.one == language;
      if (!is_one && term.other != language) continue;
      const std::optional<MatrixD>& map = maps_[is_one ? term.other : term.one];
      if (!map) continue;
      const MatrixD product = is_one ? multiply(*map, term.products) : multiply_abt(*map, term.products);
      for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += term.weight * product.data()[i];
    }
    return sum;
  }

  bool reaches_known(std::size_t language) const {
    for (const JointTerm& term : terms_)
      if ((term.one == language && maps_[term.other]) || (term.other == language && maps_[term.one])) return true;
    return false;
  }

  /// In waves around the pivot: those that have terms with it, then those that have terms with these.
  void start() {
    for (std::size_t known = 1; known < maps_.size();) {
      std::vector<std::pair<std::size_t, MatrixD>> wave;
      for (std::size_t i = 0; i < maps_.size(); ++i)
        if (!maps_[i] && reaches_known(i)) wave.emplace_back(i, nearest_orthogonal(pull(i)));
      if (wave.empty()) throw UsageError("a language has no lexicon that leads to the pivot");
      known += wave.size();
      for (auto& [i, map] : wave) maps_[i] = std::move(map);
    }
  }

  double sum() const {
    double result = 0;
    for (const JointTerm& term : terms_) {
      const MatrixD mapped = multiply(*maps_[term.other], term.products);  // d x d_one
      double trace = 0;
      for (std::size_t i = 0; i < mapped.size(); ++i) trace += mapped.data()[i] * maps_[term.one]->data()[i];
      result += term.weight * trace;
    }
    return result;
  }

  std::span<const std::size_t> dimensions_;
  std::size_t pivot_;
  std::span<const JointTerm> terms_;
  std::vector<std::optional<MatrixD>> maps_;
};

}  // namespace

JointRotations joint_rotations(std::span<const std::size_t> dimensions, std::size_t pivot,
                               std::span<const JointTerm> terms) {
  return RotationSearch(dimensions, pivot, terms).run();
}

namespace {

constexpr std::size_t kMostJoined = 12;      // languages of a hub whose lexicons are joined through the pivot
constexpr std::size_t kNegatives = 200'000;  // words of each language in the pools of RCSLS
constexpr std::size_t kNeighbors = 10;
constexpr double kMemoryShare = 2.2;
/// The words of a language that some lexicon asks for.
std::unordered_set<std::string> asked_words(const HubWork& work, const std::string& language) {
  std::unordered_set<std::string> words;
  for (const LanguageEntry& other : work.list.languages) {
    if (other.name == language) continue;
    for (const LexiconChoice& choice :
         {test_lexicon(work.list, language, other.name), selection_lexicon(work.list, language, other.name)})
      if (!choice.empty() && !choice.joined())
        for (WordPairs::Pair& pair : read_pairs(choice, work.lenient).pairs) words.insert(std::move(pair.source));
  }
  return words;
}

Lexicon without_zero_pairs(const Lexicon& lexicon, const Matrix& one, const Matrix& other) {
  std::vector<Lexicon::Pair> pairs;
  for (const Lexicon::Pair& pair : lexicon.pairs())
    if (pair.weight > 0 && !is_zero(one.row(pair.source)) && !is_zero(other.row(pair.target))) pairs.push_back(pair);
  return Lexicon(std::move(pairs));
}

/// The number of pairs, rows and columns, and the elements: as one process tells others.
std::string bytes_of_products(std::uint64_t pairs, const MatrixD& products) {
  const std::uint64_t head[3] = {pairs, products.rows(), products.cols()};
  std::string bytes(reinterpret_cast<const char*>(head), sizeof(head));
  bytes.append(reinterpret_cast<const char*>(products.data()), products.size() * sizeof(double));
  return bytes;
}

MatrixD products_of_bytes(const std::string& bytes, std::size_t& pairs) {
  std::uint64_t head[3] = {};
  std::memcpy(head, bytes.data(), sizeof(head));
  pairs = head[0];
  MatrixD products = MatrixD::uninitialized(head[1], head[2]);
  if (!products.empty()) std::memcpy(products.data(), bytes.data() + sizeof(head), products.size() * sizeof(double));
  return products;
}

/// Everything that a term of the objective stands on.
struct TrainedTerm {
  WordVectors other;
  std::unique_ptr<TrainingPairs> words;
  std::unique_ptr<NeighborSearch> index;
  std::unique_ptr<MovingSearch> own_search, other_search;
};

}  // namespace

JointLearner::JointLearner(const HubWork& work, std::vector<std::string> languages,
                           std::map<std::string, std::string> star)
    : work_(work), languages_(std::move(languages)), star_(std::move(star)) {
  for (const std::string& language : languages_)
    star_mappings_.emplace(language, work_.mapping(language, HubMaps::star));
  find_terms();
}

void JointLearner::find_terms() {
  const std::string& pivot = work_.list.pivot;
  const auto readable = [&](const LexiconChoice& choice) {
    const std::vector<std::string> paths = choice.paths();
    return !paths.empty() &&
           std::ranges::all_of(paths, [&](const std::string& path) { return work_.digests.contains(path); });
  };
  for (std::size_t i = 0; i < languages_.size(); ++i) {
    if (LexiconChoice choice = train_lexicon(work_.list, languages_[i], pivot); readable(choice))
      terms_.push_back({languages_[i], pivot, std::move(choice)});
    for (std::size_t j = i + 1; j < languages_.size(); ++j) {
      const bool joins = languages_.size() < kMostJoined && work_.list.joint_options.joined_weight > 0;
      LexiconChoice choice = joins ? train_lexicon_or_joined(work_.list, languages_[i], languages_[j])
                                   : train_lexicon(work_.list, languages_[i], languages_[j]);
      if (readable(choice)) terms_.push_back({languages_[i], languages_[j], std::move(choice)});
    }
  }
}

bool JointLearner::has_terms() const {
  return std::ranges::any_of(terms_, [&](const Term& term) { return term.other != work_.list.pivot; });
}

std::string JointLearner::key() const {
  const JointOptions& options = work_.list.joint_options;
  HubWork::Parts parts = {{"work", "joint"},
                          {"max_words", std::to_string(work_.list.max_words)},
                          {"rounds", std::to_string(options.rounds)},
                          {"epochs", std::to_string(options.epochs)},
                          {"learning_rate", fmt::format("{}", options.learning_rate)},
                          {"joined_weight", fmt::format("{}", options.joined_weight)},
                          {"constraint", options.constraint},
                          {"pivot", work_.digest(work_.list.find(work_.list.pivot)->vectors)}};
  for (const auto& [language, mapping] : star_) parts["star " + language] = mapping;
  for (const Term& term : terms_) work_.add(parts, fmt::format("term {} {}", term.one, term.other), term.lexicon);
  return HubWork::key_of(std::move(parts));
}

const Normalizer& JointLearner::normalizer(const std::string& language) const {
  if (language == work_.list.pivot) return star_mappings_.begin()->second.normalizer(Side::target);
  return star_mappings_.at(language).normalizer(Side::source);
}

WordVectors JointLearner::normalized(const std::string& language) const {
  WordVectors vectors = work_.tables.load(language);
  normalizer(language).apply(vectors.table());
  return vectors;
}

Lexicon JointLearner::pairs_of(const Term& term, const WordVectors& one, const WordVectors& other) const {
  WordPairs pairs = read_pairs(term.lexicon, work_.lenient);
  if (term.other != work_.list.pivot) {
    const auto asked_one = asked_words(work_, term.one), asked_other = asked_words(work_, term.other);
    std::erase_if(pairs.pairs, [&](const WordPairs::Pair& pair) {
      return asked_one.contains(pair.source) || asked_other.contains(pair.target);
    });
  }
  if (pairs.pairs.empty()) return Lexicon();
  try {
    return without_zero_pairs(find_pairs(pairs, one.vocabulary(), other.vocabulary(), CasePolicy::exact,
                                         term.lexicon.joined() ? LexiconChecks::none : LexiconChecks::all),
                              one.table(), other.table());
  } catch (const InputError&) {
    return Lexicon();  // nothing that these vocabularies know
  }
}

std::uint64_t JointLearner::bytes_of(const Term& term) const {
  return work_.tables.bytes(term.one) + work_.tables.bytes(term.other);
}

double JointLearner::weight(const Term& term, const std::vector<Term>& terms) const {
  const std::string& pivot = work_.list.pivot;
  if (term.other == pivot) return 1;
  const auto partners = [&](const std::string& language) {
    return std::ranges::count_if(terms, [&](const Term& other) {
      return other.other != pivot && (other.one == language || other.other == language);
    });
  };
  return (term.lexicon.joined() ? work_.list.joint_options.joined_weight : 1) /
         static_cast<double>(std::max(partners(term.one), partners(term.other)));
}

std::map<std::string, Matrix> JointLearner::rotations(std::uint64_t memory, std::vector<Term>& terms,
                                                      const Note& note) const {
  std::vector<MatrixD> products(terms.size());
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < terms.size(); ++i)
    jobs.push_back({bytes_of(terms[i]), [&, i] {
                      const WordVectors one = normalized(terms[i].one), other = normalized(terms[i].other);
                      const Lexicon lexicon = pairs_of(terms[i], one, other);
                      terms[i].pairs = lexicon.size();
                      if (lexicon.empty()) return;
                      const PairedRows rows = paired_rows(one.table(), other.table(), lexicon.pairs());
                      products[i] = multiply_atb(rows.target, rows.source);
                    }});
  const auto claimed_name = [&](std::size_t i) { return fmt::format("{}+{}.products", terms[i].one, terms[i].other); };
  std::map<std::string, std::string> own;
  run_jobs(jobs, {.bytes = memory, .claim = [&](std::size_t i) { return work_.team->claim(claimed_name(i)); }},
           [&](std::size_t i) { own.emplace(claimed_name(i), bytes_of_products(terms[i].pairs, products[i])); });
  const std::map<std::string, std::string> all = work_.team->share(own);
  for (std::size_t i = 0; i < terms.size(); ++i)
    products[i] = products_of_bytes(all.at(claimed_name(i)), terms[i].pairs);
  std::erase_if(products, [](const MatrixD& product) { return product.empty(); });

  const std::string& pivot = work_.list.pivot;
  std::vector<std::string> names = languages_;
  names.push_back(pivot);
  std::vector<std::size_t> dimensions;
  for (const std::string& language : languages_)
    dimensions.push_back(star_mappings_.at(language).input_dimension(Side::source));
  dimensions.push_back(star_mappings_.begin()->second.input_dimension(Side::target));
  const auto number = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
  };
  std::erase_if(terms, [](const Term& term) { return term.pairs == 0; });
  std::vector<JointTerm> joint;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const Term& term = terms[i];
    pairs += term.pairs;
    joint.push_back({number(term.one), number(term.other), std::move(products[i]),
                     weight(term, terms) / static_cast<double>(term.pairs)});
  }
  JointRotations found = joint_rotations(dimensions, number(pivot), joint);
  note(fmt::format("joint: {} between {} of languages, {} of rotations",
                   counted(pairs, "pair of words", "pairs of words"), counted(joint.size(), "pair"),
                   counted(found.sums.size() - 1, "round")));
  std::map<std::string, Matrix> maps;
  for (std::size_t i = 0; i < languages_.size(); ++i) maps.emplace(names[i], to_float(found.maps[i]));
  return maps;
}

Matrix JointLearner::train(const std::string& language, const std::vector<Term>& terms,
                           const std::map<std::string, Matrix>& maps) const {
  const std::string& pivot = work_.list.pivot;
  const WordVectors own = normalized(language);
  const auto pool = [](const Matrix& table) { return table.view().slice(0, std::min(kNegatives, table.rows())); };
  const std::unique_ptr<NeighborSearch> own_index = make_search(pool(own.table()));
  const auto term_function = make_neighbor_term("mean", 1);
  std::vector<TrainedTerm> trained;
  std::vector<WeightedSum::Part> parts;
  for (const Term& term : terms) {
    const bool is_one = term.one == language;
    if (!is_one && term.other != language) continue;
    const std::string& name = is_one ? term.other : term.one;
    TrainedTerm& next = trained.emplace_back();
    next.other = normalized(name);
    const Lexicon lexicon = is_one ? pairs_of(term, own, next.other) : pairs_of(term, next.other, own);
    std::vector<Lexicon::Pair> pairs(lexicon.pairs().begin(), lexicon.pairs().end());
    if (!is_one)
      for (Lexicon::Pair& pair : pairs) std::swap(pair.source, pair.target);
    if (name != pivot) {
      next.other.table() = multiply_abt(next.other.table(), maps.at(name));
      normalize_rows(next.other.table());
    }
    const Matrix& table = std::as_const(next.other).table();
    next.words = std::make_unique<TrainingPairs>(own.table(), table, pairs);
    next.index = make_search(pool(table));
    next.other_search = next.index->make_moving();
    next.own_search = own_index->make_moving();
    parts.push_back({std::make_unique<RcslsObjective>(*next.words, *next.other_search, *next.own_search, *term_function,
                                                      kNeighbors),
                     weight(term, terms)});
  }
  const JointOptions& options = work_.list.joint_options;
  WeightedSum objective(std::move(parts));
  const auto constraint = make_constraint(options.constraint);
  ProjectedSubgradient optimizer(objective, *constraint,
                                 {.learning_rate = options.learning_rate, .epochs = options.epochs});
  return to_float(wordbridge::run(optimizer, optimizer.start(to_double(maps.at(language))), nullptr).w);
}

Mapping JointLearner::mapping(const std::string& language, const Matrix& map, int round) const {
  const Mapping& star = star_mappings_.at(language);
  Mapping result(map, star.normalizer(Side::source), star.normalizer(Side::target));
  Provenance& provenance = result.provenance;
  provenance = star.provenance;
  provenance.version = version();
  provenance.method = "joint";
  provenance.options = {
      {"key", key()}, {"round", std::to_string(round)}, {"normalization", star.normalizer(Side::source).name()}};
  provenance.criterion = "csls";
  provenance.metrics.clear();
  provenance.report = {};
  return result;
}

std::optional<Matrix> JointLearner::kept_round(const std::string& path) const {
  const auto kept = read_kept_file(path, kMostMappingBytes);
  if (!kept) return std::nullopt;
  try {
    const Mapping mapping = parse_mapping(*kept, path);
    const auto key_of_kept = mapping.provenance.options.find("key");
    if (key_of_kept == mapping.provenance.options.end() || key_of_kept->second != key()) return std::nullopt;
    return mapping.source_map();
  } catch (const InputError&) {
    return std::nullopt;  // damaged: it is learned again
  }
}

std::map<std::string, Matrix> JointLearner::round(int number, const std::vector<Term>& terms,
                                                  const std::map<std::string, Matrix>& maps,
                                                  std::uint64_t memory) const {
  const auto path_of = [&](const std::string& language) {
    return fmt::format("{}/{}.round{}.wbmap", work_.folder.work(), language, number);
  };
  std::vector<Job> jobs;
  for (const std::string& language : languages_) {
    std::uint64_t bytes = 0;
    for (const Term& term : terms)
      if (term.one == language || term.other == language) bytes += bytes_of(term);
    jobs.push_back({static_cast<std::uint64_t>(kMemoryShare * static_cast<double>(bytes)), [&] {
                      const std::string path = path_of(language);
                      if (!kept_round(path))
                        write_kept_file(path, mapping_bytes(mapping(language, train(language, terms, maps), number)));
                    }});
  }
  run_jobs(jobs, {.bytes = memory, .claim = [&](std::size_t i) {
                    return work_.team->claim(fmt::format("{}.round{}", languages_[i], number));
                  }});
  work_.team->wait_for_all();
  std::map<std::string, Matrix> next;
  for (const std::string& language : languages_) {
    auto map = kept_round(path_of(language));
    if (!map) throw Error(fmt::format("{}: its map is gone from {}", language, work_.folder.work()));
    next.emplace(language, std::move(*map));
  }
  return next;
}

std::map<std::string, AlignedRecord> JointLearner::run(std::uint64_t memory, const Note& note) const {
  const std::string own_key = key();
  std::map<std::string, AlignedRecord> records;
  for (const std::string& language : languages_)
    if (auto record = work_.finished(language, HubMaps::joint, own_key)) records.emplace(language, std::move(*record));
  work_.team->wait_for_all();  // all have looked before anything is written
  if (records.size() == languages_.size()) return records;
  std::vector<Term> terms = terms_;
  std::map<std::string, Matrix> maps = rotations(memory, terms, note);
  const int rounds = work_.list.joint_options.rounds;
  for (int number = 1; number <= rounds; ++number) {
    maps = round(number, terms, maps, memory);
    note(fmt::format("joint: round {} of {}", number, rounds));
  }
  for (const std::string& language : languages_) {
    const Mapping result = mapping(language, maps.at(language), rounds);
    if (work_.team->is_first()) work_.finish(language, HubMaps::joint, own_key, result);
  }
  work_.team->wait_for_all();
  for (const std::string& language : languages_) {
    auto record = work_.finished(language, HubMaps::joint, own_key);
    if (!record) throw Error(fmt::format("{}: its mapping is gone from {}", language, work_.folder.path()));
    records[language] = std::move(*record);
  }
  return records;
}

}  // namespace wordbridge
