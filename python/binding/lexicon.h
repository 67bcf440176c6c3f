#pragma once
#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lexicon/word_pairs.h"
#include "text.h"
#include "wordbridge/lexicon.h"
#include "wordbridge/word_vectors.h"

namespace wordbridge::python {

/// A pair of words as Python gives it: source, target, weight.
using WrittenPair = std::tuple<Text, Text, double>;

/// A lexicon with the words that it was found by, so that it is not used with other vectors by mistake.
struct FoundLexicon {
  Lexicon lexicon;
  std::string name;                           // of its file; empty: none
  std::vector<std::string> sources, targets;  // of each pair
};

/// How a lexicon is read and looked up.
struct LexiconSettings {
  std::string letter_case;  // "exact", "lower", "title"; empty: exact, and another case is a mistake
  bool checks = true, swap = false, drop_identical = false, lenient = false;

  CasePolicy case_policy() const;
  LexiconChecks lexicon_checks() const;
};

/// UsageError where a weight cannot be; pairs that come again are set aside and counted.
WordPairs to_word_pairs(const std::vector<WrittenPair>& pairs, const LexiconSettings& settings);
WordPairs read_pairs(const std::string& path, const LexiconSettings& settings);

/// UsageError where the lexicon was looked up in other vocabularies.
void require_words(const FoundLexicon& lexicon, const Vocabulary& source, const Vocabulary& target);

pybind11::dict to_dict(const LexiconCoverage& coverage);
LexiconCoverage to_coverage(const pybind11::dict& dict);

void bind_lexicon(pybind11::module_& module);

}  // namespace wordbridge::python
