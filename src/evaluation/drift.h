#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wordbridge/word_vectors.h"

namespace wordbridge {

struct DriftOptions {
  std::size_t count = 20;           // words to show, those that changed most; 0: all
  std::size_t neighbors = 10;       // of each, before and after
  std::size_t like_words = 1'000;   // words of like frequency that a word is compared with
  double false_discoveries = 0.05;  // the share of them among the words that are called significant
};

/// A word whose place among the others may have changed.
struct DriftedWord {
  std::string word = {};
  std::size_t old_rank = 0, new_rank = 0;  // of frequency: rows of the tables, from 1
  double cosine = 0;                       // of its mapped old vector and its new one
  double z = 0;                            // below words of like frequency, in their deviations; negative: changed more
  double p = 1;                            // of a word that did not change to lie so low
  double q = 1;     // the share of false discoveries if it and all with a smaller p are called changed
  double kept = 0;  // the share of its old neighbors among the new ones
  std::vector<std::string> old_neighbors = {}, new_neighbors = {};  // among the shared words, nearest first
};

/// The words of one language in two tables, of other times or other domains.
struct Drift {
  std::size_t shared = 0;  // words with a vector in both, which are compared
  std::size_t rounds = 0;  // of the fit
  double trusted = 0;      // the mean weight that words had in the fit at last
  double median_cosine = 0;
  std::size_t significant = 0;          // words with q at most false_discoveries
  std::vector<DriftedWord> words = {};  // those that changed most, by p, then by the cosine
};

/// An orthogonal map of the old table to the new one is fitted to the shared words (each side brought to length 1,
/// centered, and to length 1 again), again and again, and words that lie far off lose their weight: so those that
/// changed do not bend it. What is tested is Fisher's transform of a word's cosine, against the words of like frequency
/// (by the product of both ranks): their median, and the deviation of the half above it, which words that changed
/// cannot be in. Where nothing changed it is taken to be normal; p-values are one-sided, and Benjamini and Hochberg's
/// procedure holds the share of false discoveries. UsageError where the dimensions differ, or fewer words are shared
/// than the map has dimensions, twice.
Drift find_drift(const WordVectors& older, const WordVectors& newer, const DriftOptions& options = {});

/// For each p-value the smallest share of false discoveries at which it counts as one (Benjamini and Hochberg 1995).
std::vector<double> false_discovery_rates(const std::vector<double>& p_values);

/// {"shared", "rounds", "trusted", "median_cosine", "significant", "words": [{"word", "old_rank", "new_rank", "cosine",
/// "z", "p", "q", "kept", "old_neighbors": [...], "new_neighbors": [...]}]}
std::string to_json(const Drift& drift);

}  // namespace wordbridge
