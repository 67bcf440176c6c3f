#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluation/analogy_questions.h"
#include "lexicon/word_lookup.h"
#include "wordbridge/common_space.h"

namespace wordbridge {

/// How the answer to a : b = c : ? is chosen among all words but a, b and c.
enum class AnalogyMethod {
  cos_add,  // 3CosAdd: the largest cos(d, b - a + c) (Mikolov 2013)
  cos_mul,  // 3CosMul: the largest s(d, b) s(d, c) / (s(d, a) + 0.001), s = (1 + cos) / 2 (Levy and Goldberg 2014)
};

/// "3cosadd" or "3cosmul".
std::string_view name_of(AnalogyMethod method);

struct AnalogyOptions {
  AnalogyMethod method = AnalogyMethod::cos_add;
  std::size_t max_words = 0;                   // only the first so many words exist; 0: all
  CasePolicy case_policy = CasePolicy::lower;  // sets are written with capitals, vectors often are not
};

/// How well analogies are answered.
struct Analogies {
  struct Score {
    std::size_t questions = 0;
    std::size_t covered = 0;  // all four words have vectors
    std::size_t right = 0;

    /// Percent of the covered questions, as is usual, and of all; 0 for none.
    double accuracy() const;
    double accuracy_of_all() const;
    Score& operator+=(const Score& other);
  };
  /// What became of a question; nothing is answered where it is not covered.
  struct Answer {
    bool covered = false;
    std::optional<WordId> given, wanted;
    bool right() const { return given && given == wanted; }
  };
  struct Section {
    std::string name;
    bool syntactic = false;
    Score score;
    std::vector<Answer> answers;  // in the order of the questions
  };

  std::vector<Section> sections;
  std::size_t words = 0;         // that could be answers
  std::size_t case_matched = 0;  // covered questions with a word found only in another case

  Score semantic() const;
  Score syntactic() const;
  Score total() const;
};

/// By the words of the source side; those without a vector do not exist. All questions are answered in one search.
Analogies evaluate_analogies(const AnalogyQuestions& questions, const CommonSpace& space,
                             const AnalogyOptions& options = {});

}  // namespace wordbridge
