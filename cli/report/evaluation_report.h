#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report/table.h"
#include "evaluation/analogy.h"
#include "evaluation/sentence_translation.h"
#include "evaluation/similarity.h"
#include "wordbridge/hubness.h"

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

/// One set measured in one or more spaces.
struct SimilarityOfSet {
  std::string set;  // its name
  struct InSpace {
    std::string space;  // "original", "aligned"
    Similarity result;
  };
  std::vector<InSpace> results;  // the same spaces in each set
};

/// A row for each set, and the mean of them where there are several; columns with the pairs found and, for each space,
/// Spearman's correlation, then Pearson's.
Table to_table(std::span<const SimilarityOfSet> sets);

/// [{"set": ..., "pairs": ..., "found": ..., "spaces": {"original": {"spearman": ..., "pearson": ...}}}]
std::string to_json(std::span<const SimilarityOfSet> sets);

/// A row for each direction and criterion: P@1, P@5, P@10 with their intervals.
Table to_table(const SentenceEvaluation& evaluation);

/// What goes with it, a line: how words were made and weighted, and how many sentences had none.
std::string remark_of(const SentenceEvaluation& evaluation, std::string_view tokenization);

/// A row for each criterion: skewness, the largest N_k, the share of targets that nobody chooses.
Table to_table(std::span<const Hubness> results);

/// A row for each hub: the word, its N_k, words that choose it.
Table hubs_table(const Hubness& result, const Vocabulary& source, const Vocabulary& target);

/// [{"criterion": "nn", "k": 10, "skewness": ..., "largest": ..., "never_percent": ..., "histogram": [{"occurrences":
/// "2-3", "targets": 5}], "hubs": [{"word", "occurrences", "chosen_by": [...]}]}]
std::string to_json(std::span<const Hubness> results, const Vocabulary& source, const Vocabulary& target);

}  // namespace wordbridge
