#include "lexicon.h"

#include <pybind11/stl.h>

#include <cmath>
#include <set>
#include <utility>

#include "lexicon/identical_words.h"
#include "lexicon/lexicon_reader.h"
#include "lexicon/split.h"
#include "run.h"
#include "wordbridge/error.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

using LexiconPointer = std::shared_ptr<FoundLexicon>;

LexiconPointer found(Lexicon lexicon, std::string name, const Vocabulary& source, const Vocabulary& target) {
  auto result = std::make_shared<FoundLexicon>();
  for (const Lexicon::Pair& pair : lexicon.pairs()) {
    result->sources.emplace_back(source[pair.source]);
    result->targets.emplace_back(target[pair.target]);
  }
  result->lexicon = std::move(lexicon);
  result->name = std::move(name);
  return result;
}

LexiconPointer read_file(const Run& run, const Path& path, const WordVectors& source, const WordVectors& target,
                         const LexiconSettings& settings) {
  return run([&] {
    return found(find_pairs(read_pairs(path.bytes, settings), source.vocabulary(), target.vocabulary(),
                            settings.case_policy(), settings.lexicon_checks()),
                 path.bytes, source.vocabulary(), target.vocabulary());
  });
}

LexiconPointer look_up(const Run& run, const std::vector<WrittenPair>& pairs, const WordVectors& source,
                       const WordVectors& target, const LexiconSettings& settings) {
  return run([&] {
    return found(find_pairs(to_word_pairs(pairs, settings), source.vocabulary(), target.vocabulary(),
                            settings.case_policy(), settings.lexicon_checks()),
                 "", source.vocabulary(), target.vocabulary());
  });
}

LexiconPointer shared_words(const Run& run, const WordVectors& source, const WordVectors& target, bool numerals,
                            std::size_t max_rank) {
  return run([&] {
    const IdenticalWordsOptions options{.max_rank = max_rank};
    return found(numerals ? identical_numerals(source.vocabulary(), target.vocabulary(), options)
                          : identical_words(source.vocabulary(), target.vocabulary(), options),
                 numerals ? "numerals" : "identical words", source.vocabulary(), target.vocabulary());
  });
}

std::pair<LexiconPointer, LexiconPointer> split_words(const FoundLexicon& lexicon, double share, std::uint64_t seed,
                                                      bool rare) {
  LexiconSplit parts =
      rare ? split_off_rare(lexicon.lexicon, share, seed) : split_lexicon(lexicon.lexicon, share, seed);
  // Both parts are in the order of the whole.
  const auto part = [&](Lexicon some) {
    auto result = std::make_shared<FoundLexicon>();
    result->name = lexicon.name;
    std::size_t at = 0;
    for (const Lexicon::Pair& pair : some.pairs()) {
      while (!(lexicon.lexicon.pairs()[at] == pair)) ++at;
      result->sources.push_back(lexicon.sources[at]);
      result->targets.push_back(lexicon.targets[at]);
    }
    result->lexicon = std::move(some);
    return result;
  };
  return {part(std::move(parts.train)), part(std::move(parts.validation))};
}

/// What a pickle holds of a lexicon.
using Pickled = std::tuple<std::vector<std::tuple<WordId, WordId, double, Text, Text>>, Text, py::dict>;

std::vector<std::pair<const char*, std::uint64_t LexiconCoverage::*>> counts() {
  using C = LexiconCoverage;
  return {{"lines", &C::lines},
          {"duplicates", &C::duplicates},
          {"identical", &C::identical},
          {"missing_source", &C::missing_source},
          {"missing_target", &C::missing_target},
          {"missing_both", &C::missing_both},
          {"pairs", &C::pairs},
          {"source_words", &C::source_words},
          {"target_words", &C::target_words},
          {"all_source_words", &C::all_source_words},
          {"case_matched", &C::case_matched},
          {"swapped_pairs", &C::swapped_pairs},
          {"only_swapped", &C::only_swapped},
          {"any_case_pairs", &C::any_case_pairs},
          {"skipped_lines", &C::skipped_lines},
          {"phrases", &C::phrases},
          {"phrases_found", &C::phrases_found},
          {"phrases_of_words", &C::phrases_of_words},
          {"known_words", &C::known_words},
          {"known_pairs", &C::known_pairs}};
}

Pickled pickled(const FoundLexicon& lexicon) {
  std::vector<std::tuple<WordId, WordId, double, Text, Text>> pairs;
  for (std::size_t i = 0; i < lexicon.lexicon.size(); ++i) {
    const Lexicon::Pair& pair = lexicon.lexicon.pairs()[i];
    pairs.emplace_back(pair.source, pair.target, pair.weight, Text{lexicon.sources[i]}, Text{lexicon.targets[i]});
  }
  py::dict more = to_dict(lexicon.lexicon.coverage());
  more["guess"] = lexicon.lexicon.is_guess();
  std::vector<WrittenPair> outside;
  for (const Lexicon::WrittenPair& pair : lexicon.lexicon.outside())
    outside.emplace_back(Text{pair.source}, Text{pair.target}, pair.weight);
  more["outside"] = outside;
  return {std::move(pairs), Text{lexicon.name}, std::move(more)};
}

LexiconPointer unpickled(const Pickled& state) {
  const auto& [pairs, name, coverage] = state;
  auto result = std::make_shared<FoundLexicon>();
  std::vector<Lexicon::Pair> ids;
  std::set<std::pair<WordId, WordId>> seen;
  for (const auto& [source, target, weight, source_word, target_word] : pairs) {
    if (!seen.insert({source, target}).second) throw UsageError("a pair of the lexicon comes twice");
    ids.push_back({source, target, weight});
    result->sources.push_back(source_word.bytes);
    result->targets.push_back(target_word.bytes);
  }
  result->lexicon = Lexicon(std::move(ids), to_coverage(coverage));
  // Pickles of before have neither.
  if (coverage.contains("guess")) result->lexicon.set_guess(coverage["guess"].cast<bool>());
  if (coverage.contains("outside")) {
    std::vector<Lexicon::WrittenPair> outside;
    for (auto& [source, target, weight] : coverage["outside"].cast<std::vector<WrittenPair>>())
      outside.push_back({source.bytes, target.bytes, weight});
    result->lexicon.set_outside(std::move(outside));
  }
  result->name = name.bytes;
  return result;
}

}  // namespace

CasePolicy LexiconSettings::case_policy() const {
  return letter_case.empty() ? CasePolicy::exact : parse_case_policy(letter_case);
}

LexiconChecks LexiconSettings::lexicon_checks() const {
  if (!checks) return LexiconChecks::none;
  return letter_case.empty() ? LexiconChecks::all : LexiconChecks::except_case;
}

WordPairs to_word_pairs(const std::vector<WrittenPair>& pairs, const LexiconSettings& settings) {
  WordPairs result;
  result.path = "the pairs given";
  std::set<std::pair<std::string, std::string>> seen;
  for (const auto& [first, second, weight] : pairs) {
    if (!(weight >= 0) || !std::isfinite(weight))
      throw UsageError("a pair has the weight " + std::to_string(weight) + "; weights are 0 or more");
    const auto& [source, target] =
        settings.swap ? std::tie(second.bytes, first.bytes) : std::tie(first.bytes, second.bytes);
    ++result.lines;
    if (settings.drop_identical && source == target)
      ++result.identical;
    else if (!seen.insert({source, target}).second)
      ++result.duplicates;
    else
      result.pairs.push_back({source, target, weight});
  }
  if (result.pairs.empty()) throw UsageError("there are no pairs");
  return result;
}

WordPairs read_pairs(const std::string& path, const LexiconSettings& settings) {
  return read_word_pairs(
      path, {.swap_columns = settings.swap, .drop_identical = settings.drop_identical, .lenient = settings.lenient});
}

void require_words(const FoundLexicon& lexicon, const Vocabulary& source, const Vocabulary& target) {
  for (std::size_t i = 0; i < lexicon.lexicon.size(); ++i) {
    const Lexicon::Pair& pair = lexicon.lexicon.pairs()[i];
    const bool same = pair.source < source.size() && source[pair.source] == lexicon.sources[i] &&
                      pair.target < target.size() && target[pair.target] == lexicon.targets[i];
    if (!same) throw UsageError("the lexicon was looked up in other vectors than these: look it up again");
  }
}

py::dict to_dict(const LexiconCoverage& coverage) {
  py::dict dict;
  for (const auto& [key, field] : counts()) dict[key] = coverage.*field;
  dict["first_skipped"] = to_str(coverage.first_skipped);
  dict["source_percent"] = coverage.source_percent();
  dict["line"] = to_str(coverage.to_line());
  return dict;
}

LexiconCoverage to_coverage(const py::dict& dict) {
  LexiconCoverage coverage;
  for (const auto& [key, field] : counts())
    if (dict.contains(key)) coverage.*field = dict[key].cast<std::uint64_t>();
  coverage.first_skipped = dict["first_skipped"].cast<Text>().bytes;
  return coverage;
}

void bind_lexicon(py::module_& module) {
  py::class_<LexiconSettings>(module, "LexiconSettings")
      .def(py::init([](const Text& letter_case, bool checks, bool swap, bool drop_identical, bool lenient) {
        LexiconSettings settings{letter_case.bytes, checks, swap, drop_identical, lenient};
        static_cast<void>(settings.case_policy());  // refuses what is none
        return settings;
      }));
  py::class_<FoundLexicon, LexiconPointer>(module, "Lexicon")
      .def("__len__", [](const FoundLexicon& lexicon) { return lexicon.lexicon.size(); })
      .def_property_readonly("name", [](const FoundLexicon& lexicon) { return Text{lexicon.name}; })
      .def("coverage", [](const FoundLexicon& lexicon) { return to_dict(lexicon.lexicon.coverage()); })
      .def("pickled", &pickled);
  module.def("unpickled_lexicon", &unpickled);
  module.def("read_lexicon", &read_file);
  module.def("look_up_lexicon", &look_up);
  module.def("shared_words", &shared_words);
  module.def("split_lexicon", &split_words);
}

}  // namespace wordbridge::python
