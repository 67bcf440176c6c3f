#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wordbridge {

/// A re-ranker as a mapping carries it: plain data, learned and used by retrieval/rerank.
struct RerankModel {
  /// A feature of a candidate: its value less `mean`, divided by `deviation` and cut, counts `weight` times.
  struct Feature {
    std::string name;
    double weight = 0;
    double mean = 0;
    double deviation = 1;
    friend bool operator==(const Feature&, const Feature&) = default;
  };
  /// "Is the first candidate right?": a logistic model over some numbers by name.
  struct Calibration {
    struct Term {
      std::string name;
      double weight = 0;
      double mean = 0;
      double deviation = 1;
      friend bool operator==(const Term&, const Term&) = default;
    };
    double intercept = 0;
    std::vector<Term> terms = {};
    double elsewhere = 0;  // how often another candidate is right where the first is wrong
    friend bool operator==(const Calibration&, const Calibration&) = default;
  };
  /// "Is this candidate a translation?", asked of each: a logistic model over some numbers by name.
  struct Translations {
    /// What is found where candidates from a probability on are taken: on held-out words, in shares.
    struct Point {
      double threshold = 0, precision = 0, recall = 0;
      friend bool operator==(const Point&, const Point&) = default;
    };
    double intercept = 0;
    std::vector<Calibration::Term> terms = {};
    std::vector<Point> balance = {};  // thresholds ascend, strictly
    std::uint64_t words = 0;          // held out; 0: learned on other languages
    friend bool operator==(const Translations&, const Translations&) = default;
  };
  /// The probabilities of pairs of one or two letters a side. A letter is its place in the alphabet of its side; the
  /// three places behind stand for any other letter, the beginning and the end of a word.
  struct Spelling {
    static constexpr std::uint32_t kNoLetter = 0xFF;
    struct Unit {
      std::array<std::uint32_t, 2> source = {kNoLetter, kNoLetter};
      std::array<std::uint32_t, 2> target = {kNoLetter, kNoLetter};
      double probability = 0;
      friend bool operator==(const Unit&, const Unit&) = default;
    };
    std::vector<std::uint32_t> source_letters, target_letters;  // code points
    std::vector<Unit> units;
    friend bool operator==(const Spelling&, const Spelling&) = default;
  };
  struct Pair {
    std::string source, target;
    friend bool operator==(const Pair&, const Pair&) = default;
  };

  std::string families = "all";  // as asked for
  std::vector<Feature> features;
  std::optional<Calibration> calibration = std::nullopt;    // absent: the softmax is the probability
  std::optional<Translations> translations = std::nullopt;  // absent: as other languages taught it
  std::optional<Spelling> spelling = std::nullopt;          // absent: the lexicon has no cognates
  std::vector<Pair> pairs = {};                             // the lexicon, as the vocabularies spell it

  friend bool operator==(const RerankModel&, const RerankModel&) = default;
};

/// As files hold it ("reranker" in docs/file-formats.md): a JSON object on one line; numbers come back bit for bit,
/// bytes that are not UTF-8 become U+FFFD.
std::string to_json(const RerankModel& model);
/// What people want to know of it: families and weights.
std::string describe_json(const RerankModel& model);

/// The inverse of to_json(). std::runtime_error, saying what is wrong, for what is no model that can be used: numbers
/// that are not finite, deviations that are not positive, units of letters that are not in the alphabet.
RerankModel parse_rerank_model(std::string_view json);

}  // namespace wordbridge
