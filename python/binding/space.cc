#include "space.h"

#include <pybind11/stl.h>

#include <optional>
#include <utility>
#include <vector>

#include "base/option_text.h"
#include "cli/explanations.h"
#include "lexicon/lexicon_reader.h"
#include "lexicon/word_lookup.h"
#include "lexicon/word_pairs.h"
#include "mapping.h"
#include "mapping/space_identity.h"
#include "retrieval/false_friends.h"
#include "retrieval/inverted_softmax.h"
#include "retrieval/nearest_words.h"
#include "space/common_space_state.h"
#include "table.h"
#include "text.h"
#include "vectors.h"
#include "wordbridge/error.h"
#include "wordbridge/induce_lexicon.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

SpacePointer mapped_space(const Run& run, const Mapping& mapping, const WordVectors& source,
                          const WordVectors& target) {
  std::vector<std::string> warnings;
  auto space = run([&] {
    for (const auto& [vectors, side] : {std::pair(&source, Side::source), std::pair(&target, Side::target)}) {
      mapping.require_dimension(vectors->dimension(), side, "the table");
      if (const auto warning = mapping.mismatch(*vectors, side)) warnings.push_back(*warning);
    }
    return std::make_shared<Space>(CommonSpace::mapped(mapping, source, target));
  });
  for (const std::string& warning : warnings) warn(warning);
  return space;
}

SpacePointer shared_space(const Run& run, const WordVectors& source, const WordVectors& target) {
  return run([&] {
    require_one_space("the source vectors", source.summary().space, "the target vectors", target.summary().space);
    return std::make_shared<Space>(CommonSpace(copied(source), copied(target)));
  });
}

SpacePointer space_of_one(const Run& run, const WordVectors& vectors, const MappingPointer& mapping, const Text& side) {
  const Side of = parse_side(side.bytes);
  return run([&] {
    return std::make_shared<Space>(mapping ? CommonSpace::of_one(*mapping, copied(vectors), of)
                                           : CommonSpace::of_one(copied(vectors)));
  });
}

/// query, word, origin, words, scores, which are known
using Answer = std::tuple<Text, Text, const char*, std::vector<Text>, std::vector<double>, std::vector<bool>>;

std::vector<Answer> to_answers(const std::vector<Translations>& translations) {
  std::vector<Answer> answers;
  for (const Translations& one : translations) {
    const char* origin = one.origin == Translations::Origin::vocabulary ? "vocabulary"
                         : one.origin == Translations::Origin::subwords ? "subwords"
                         : one.origin == Translations::Origin::phrase   ? "phrase"
                         : one.origin == Translations::Origin::known    ? "known"
                                                                        : "none";
    std::vector<Text> words;
    std::vector<double> scores;
    std::vector<bool> known;
    for (const auto& candidate : one.candidates) {
      words.push_back({candidate.word});
      scores.push_back(candidate.score);
      known.push_back(candidate.known);
    }
    answers.emplace_back(Text{one.query}, Text{one.word}, origin, std::move(words), std::move(scores),
                         std::move(known));
  }
  return answers;
}

std::vector<std::string> plain(const std::vector<Text>& words) {
  std::vector<std::string> result;
  result.reserve(words.size());
  for (const Text& word : words) result.push_back(word.bytes);
  return result;
}

void require_count(std::size_t count) {
  if (count == 0 || count > (std::size_t{1} << 20))
    throw UsageError("count must be from 1 to 1048576, not " + std::to_string(count));
}

std::vector<Answer> translate_words(const Run& run, const Space& space, const std::vector<Text>& words,
                                    std::size_t count, const Retrieval& retrieval, const Text& letter_case,
                                    bool subwords, const Text& side, const std::optional<Path>& known_path,
                                    const std::optional<std::vector<WrittenPair>>& known_pairs, bool ignore_known) {
  require_count(count);
  return run([&] {
    const CasePolicy policy = parse_case_policy(letter_case.bytes);
    const Side asking = parse_side(side.bytes);
    if (!known_path && !known_pairs)
      return to_answers(space.translator(retrieval, run.seed(), policy, subwords, asking, ignore_known)
                            ->translate(plain(words), count));
    TranslatorOptions options = space.options(retrieval, run.seed(), policy, subwords, asking, ignore_known);
    const WordPairs pairs = known_path ? read_word_pairs(known_path->bytes) : to_word_pairs(*known_pairs, {});
    for (const WordPairs::Pair& pair : pairs.pairs) options.known.push_back({pair.source, pair.target, pair.weight});
    return to_answers(Translator(space.space(), options).translate(plain(words), count));
  });
}

/// For each candidate: word, probability, rival, [(feature, value, contribution)].
using Reasons = std::vector<std::tuple<Text, double, Text, std::vector<std::tuple<std::string, double, double>>>>;

Reasons explain_word(const Run& run, const Space& space, const Text& word, std::size_t count) {
  require_count(count);
  return run([&] {
    const auto translator =
        space.translator({.criterion = "rerank"}, run.seed(), CasePolicy::title, true, Side::source);
    Reasons reasons;
    const Vocabulary& target = space.space().vocabulary(Side::target);
    for (const auto& one : cli::explain(*translator, translator->translate(word.bytes, count))) {
      std::vector<std::tuple<std::string, double, double>> features;
      for (const auto& reason : one.reasons) features.emplace_back(reason.feature, reason.value, reason.contribution);
      reasons.emplace_back(Text{std::string(target[one.target])}, one.probability, Text{std::string(target[one.rival])},
                           std::move(features));
    }
    return reasons;
  });
}

/// How many were found for each row, which, and their scores, row by row.
std::tuple<std::size_t, py::bytes, py::bytes> search_rows(const Run& run, const Space& space, const py::buffer& array,
                                                          std::size_t count, const Retrieval& retrieval,
                                                          const Text& side) {
  require_count(count);
  const FloatRows rows(array);
  const Side among = parse_side(side.bytes);
  const Candidates found = run([&] {
    require_finite(rows.view(), "row");
    require_dimension(rows.view(), space.space().table(among));
    Matrix queries = Matrix::copy_of(rows.view());
    normalize_rows(queries);
    return space.translator(retrieval, run.seed(), CasePolicy::title, true, other(among))
        ->criterion()
        .best(queries, count);
  });
  const auto bytes = [](const auto& values) {
    return py::bytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(values[0]));
  };
  return {found.found, bytes(found.targets), bytes(found.scores)};
}

std::vector<Answer> neighbors_of(const Run& run, const Space& space, const std::vector<Text>& words, std::size_t count,
                                 const Text& among, const Text& asking, const Text& letter_case) {
  require_count(count);
  return run([&] {
    return to_answers(nearest_words(space.space(), plain(words), parse_side(among.bytes), count,
                                    parse_case_policy(letter_case.bytes), parse_side(asking.bytes)));
  });
}

struct Induction {
  std::string direction = "source-to-target";
  std::size_t count = 1, first = 0, last = 0;
  std::optional<double> threshold;
  double margin = 0;
};

/// Which pairs are wanted: a kind, and the lexicon whose pairs are not.
PairFilter filter_of(const Text& only, const std::optional<Path>& exclude,
                     const std::optional<std::vector<WrittenPair>>& known) {
  const PairKind kind = parse_pair_kind(only.bytes);
  if (exclude) return PairFilter(kind, read_word_pairs(exclude->bytes));
  if (known) return PairFilter(kind, to_word_pairs(*known, {}));
  if (kind == PairKind::fresh) throw UsageError("only 'new' needs to know what is old: exclude");
  return PairFilter(kind);
}

/// Columns: source, target, score, rank, margin.
using Induced = std::tuple<std::vector<Text>, std::vector<Text>, std::vector<double>, std::vector<std::size_t>,
                           std::vector<double>>;

Induced induce_pairs(const Run& run, const Space& space, const Retrieval& retrieval, const Induction& induction,
                     const Text& only, const std::optional<Path>& exclude,
                     const std::optional<std::vector<WrittenPair>>& known) {
  require_count(induction.count);
  return run([&] {
    const PairFilter filter = filter_of(only, exclude, known);
    InductionOptions options;
    options.criterion = space.criterion_of(retrieval);
    options.criterion_options = retrieval.options(run.seed());
    options.direction = parse_direction(induction.direction);
    options.count = induction.count;
    options.first_word = induction.first;
    options.last_word = induction.last;
    if (induction.threshold) options.threshold = *induction.threshold;
    if (!(induction.margin >= 0)) throw UsageError("margin must be 0 or more, not " + real_text(induction.margin));
    options.margin = induction.margin;
    Induced columns;
    auto& [sources, targets, scores, ranks, margins] = columns;
    const Vocabulary &source = space.space().vocabulary(Side::source), &target = space.space().vocabulary(Side::target);
    for (const InducedPair& pair : induce_lexicon(space.space(), options)) {
      if (!filter.wants(source[pair.source], target[pair.target])) continue;
      sources.push_back({std::string(source[pair.source])});
      targets.push_back({std::string(target[pair.target])});
      scores.push_back(pair.score);
      ranks.push_back(pair.rank);
      margins.push_back(pair.margin);
    }
    return columns;
  });
}

/// source, target, cosine, best translation, its cosine
std::vector<std::tuple<Text, Text, double, Text, double>> false_friend_rows(
    const Run& run, const Space& space, const Retrieval& retrieval, std::size_t first, std::size_t last,
    const std::optional<Path>& exclude, const std::optional<std::vector<WrittenPair>>& known) {
  return run([&] {
    const PairFilter filter = filter_of({"all"}, exclude, known);
    FalseFriendOptions options;
    const std::string criterion = space.criterion_of(retrieval);
    // By vectors alone: a re-ranker would be taken in by the spelling.
    options.criterion = criterion == "rerank" ? "csls" : criterion;
    options.criterion_options = retrieval.options(run.seed());
    options.first_word = first;
    options.last_word = last;
    const Vocabulary &source = space.space().vocabulary(Side::source), &target = space.space().vocabulary(Side::target);
    std::vector<std::tuple<Text, Text, double, Text, double>> rows;
    for (const FalseFriend& pair : find_false_friends(space.space(), options)) {
      const std::string x(source[pair.source]), y(target[pair.target]);
      if (!filter.knows(x, y))
        rows.emplace_back(Text{x}, Text{y}, pair.cosine, Text{std::string(target[pair.best])}, pair.best_cosine);
    }
    return rows;
  });
}

double fitted_beta(const Run& run, const Space& space, const FoundLexicon& lexicon) {
  return run([&] {
    require_words(lexicon, space.space().vocabulary(Side::source), space.space().vocabulary(Side::target));
    return fit_beta(space.space(), lexicon.lexicon);
  });
}

}  // namespace

TranslatorOptions Space::options(const Retrieval& retrieval, std::uint64_t seed, CasePolicy case_policy, bool subwords,
                                 Side asking, bool ignore_known) const {
  return {.criterion = criterion_of(retrieval),
          .criterion_options = retrieval.options(seed),
          .case_policy = case_policy,
          .use_subwords = subwords,
          .asking = asking,
          .ignore_known = ignore_known};
}

std::shared_ptr<const Translator> Space::translator(const Retrieval& retrieval, std::uint64_t seed,
                                                    CasePolicy case_policy, bool subwords, Side asking,
                                                    bool ignore_known) const {
  const Key key(criterion_of(retrieval), retrieval.neighbors, retrieval.beta, retrieval.sample, seed, case_policy,
                subwords, asking, ignore_known);
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = translators_.find(key); found != translators_.end()) return found->second;
  }
  // Made without the lock, so that others need not wait; what they share is made once, in the space.
  auto made =
      std::make_shared<const Translator>(space_, options(retrieval, seed, case_policy, subwords, asking, ignore_known));
  const std::lock_guard lock(mutex_);
  return translators_.emplace(key, std::move(made)).first->second;
}

void bind_space(py::module_& module) {
  py::class_<Retrieval>(module, "Retrieval")
      .def(py::init([](const Text& criterion, std::size_t neighbors, double beta, std::size_t sample) {
        if (neighbors == 0) throw UsageError("neighbors must be 1 or more, not 0");
        if (!(beta > 0)) throw UsageError("beta must be above 0, not " + real_text(beta));
        return Retrieval{criterion.bytes, neighbors, beta, sample};
      }));
  py::class_<Induction>(module, "Induction")
      .def(py::init([](const Text& direction, std::size_t count, std::size_t first, std::size_t last,
                       std::optional<double> threshold,
                       double margin) { return Induction{direction.bytes, count, first, last, threshold, margin}; }));
  py::class_<Space, SpacePointer>(module, "Space")
      .def("size", [](const Space& space, const Text& side) { return space.space().size(parse_side(side.bytes)); })
      .def_property_readonly("dimension", [](const Space& space) { return space.space().dimension(); })
      .def_property_readonly("criterion", [](const Space& space) { return space.space().criterion(); })
      .def("find", [](const Space& space, const Text& word,
                      const Text& side) { return space.space().vocabulary(parse_side(side.bytes)).find(word.bytes); })
      .def("words",
           [](const Space& space, const Text& side, std::size_t first, std::size_t last) {
             return words_of(space.space().vocabulary(parse_side(side.bytes)), first, last);
           })
      .def("array", [](const SpacePointer& space, const Text& side) {
        return Table(space->space().table(parse_side(side.bytes)), space);
      });
  module.def("mapped_space", &mapped_space);
  module.def("shared_space", &shared_space);
  module.def("space_of_one", &space_of_one);
  module.def("translate", &translate_words);
  module.def("explain", &explain_word);
  module.def("neighbors", &neighbors_of);
  module.def("search", &search_rows);
  module.def("induce", &induce_pairs);
  module.def("false_friends", &false_friend_rows);
  module.def("fit_beta", &fitted_beta);
}

}  // namespace wordbridge::python
