#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.h"
#include "lexicon/word_lookup.h"
#include "wordbridge/common_space.h"
#include "wordbridge/matrix.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

/// Questions "a is to b as c is to what?", and the answer, by section.
///
/// Google's format: `: section` lines, and four words separated by blanks a line. Tab-separated files: four columns
/// (more are ignored), a heading line right before the first question, `# section` lines, where a section's name is one
/// word; other lines that begin with `#` are comments. A byte order mark, carriage returns and blank lines are
/// harmless.
struct AnalogyQuestions {
  /// a : b = c : d, where d is asked for.
  using Question = std::array<std::string, 4>;
  struct Section {
    std::string name;                 // empty: questions before any section
    std::vector<Question> questions;  // in file order

    /// By the custom of Google's set, whose sections about grammar have names like "gram3-comparative".
    bool syntactic() const { return name.starts_with("gram"); }
  };

  std::vector<Section> sections;    // those that have questions
  std::uint64_t skipped_lines = 0;  // lines that are no question, skipped by a lenient reader
  std::string first_skipped;        // the error that the first of them would have been

  std::size_t size() const;
  /// Adds the sections of another file.
  void append(AnalogyQuestions other);
};

/// Throws InputError for a line that is no question (unless `lenient`), and for a file without any.
AnalogyQuestions read_analogy_questions(const std::string& path, bool lenient = false);
AnalogyQuestions read_analogy_questions(ByteStream& stream, bool lenient = false);

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

/// a, b and c of a : b = c : ?.
using AnalogyTerms = std::array<WordId, 3>;

/// For each question the best row of the table (unit rows) that is none of its terms, ties by lower id; nullopt if
/// there is no other row. Zero rows are never answers.
std::vector<std::optional<WordId>> answer_by_cos_add(ConstMatrixView table, std::span<const AnalogyTerms> questions);
std::vector<std::optional<WordId>> answer_by_cos_mul(ConstMatrixView table, std::span<const AnalogyTerms> questions);

}  // namespace wordbridge
