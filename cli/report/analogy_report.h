#pragma once
#include <span>
#include <string>

#include "cli/report/table.h"
#include "evaluation/analogy.h"

namespace wordbridge {

/// Answers to the same questions in one space: "original", "aligned".
struct AnalogiesInSpace {
  std::string space;
  Analogies result;
};

/// A row for each section, then semantic, syntactic and total; a column of the accuracy over the covered questions for
/// each space, then one over all questions.
Table to_table(std::span<const AnalogiesInSpace> results);

/// {"method": "3cosadd", "words": ..., "spaces": {"original": {"semantic": {"questions", "covered", "right",
/// "accuracy", "accuracy_of_all"}, "syntactic": ..., "total": ..., "sections": [...]}}}; accuracies in percent, null
/// where there are no such questions.
std::string to_json(std::span<const AnalogiesInSpace> results, AnalogyMethod method);

/// A line with headings and one a question, tab-separated: section, the four words, status (right, wrong, uncovered)
/// and the answer in each space.
std::string to_tsv(std::span<const AnalogiesInSpace> results, const AnalogyQuestions& questions,
                   const Vocabulary& vocabulary);

}  // namespace wordbridge
