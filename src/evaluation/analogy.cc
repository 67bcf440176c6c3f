#include "evaluation/analogy.h"

#include <algorithm>

#include "evaluation/analogy_answers.h"
#include "space/common_space_state.h"

namespace wordbridge {

namespace {

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// The words of questions as rows of the space.
class Lookup {
 public:
  Lookup(const CommonSpace& space, std::size_t words, CasePolicy policy)
      : vocabulary_(space.vocabulary(Side::source)),
        rows_(space.state().rows(Side::source)),
        words_(words),
        policy_(policy) {}

  /// Nothing where a word is not among the rows or has a zero vector.
  std::optional<std::array<WordId, 4>> find(const AnalogyQuestions::Question& question, bool& other_case) const {
    std::array<WordId, 4> ids = {};
    other_case = false;
    for (std::size_t i = 0; i < question.size(); ++i) {
      const auto found = find_word(vocabulary_, question[i], policy_);
      if (!found || found->id >= words_ || rows_.is_zero(found->id)) return std::nullopt;
      ids[i] = found->id;
      other_case = other_case || found->other_case;
    }
    return ids;
  }

 private:
  const Vocabulary& vocabulary_;
  const UnitRows& rows_;
  std::size_t words_;  // only the first so many exist
  CasePolicy policy_;
};

}  // namespace

std::string_view name_of(AnalogyMethod method) { return method == AnalogyMethod::cos_mul ? "3cosmul" : "3cosadd"; }

double Analogies::Score::accuracy() const { return percent(right, covered); }
double Analogies::Score::accuracy_of_all() const { return percent(right, questions); }

Analogies::Score& Analogies::Score::operator+=(const Score& other) {
  questions += other.questions;
  covered += other.covered;
  right += other.right;
  return *this;
}

Analogies::Score Analogies::semantic() const {
  Score score;
  for (const Section& section : sections)
    if (!section.syntactic) score += section.score;
  return score;
}

Analogies::Score Analogies::syntactic() const {
  Score score;
  for (const Section& section : sections)
    if (section.syntactic) score += section.score;
  return score;
}

Analogies::Score Analogies::total() const {
  Score score = semantic();
  return score += syntactic();
}

Analogies evaluate_analogies(const AnalogyQuestions& questions, const CommonSpace& space,
                             const AnalogyOptions& options) {
  const ConstMatrixView table = space.table(Side::source);
  const std::size_t rows = options.max_words == 0 ? table.rows() : std::min(table.rows(), options.max_words);
  const Lookup lookup(space, rows, options.case_policy);
  Analogies result;
  result.words = rows;
  std::vector<AnalogyTerms> asked;
  for (const AnalogyQuestions::Section& section : questions.sections) {
    Analogies::Section& scored = result.sections.emplace_back();
    scored.name = section.name;
    scored.syntactic = section.syntactic();
    for (const AnalogyQuestions::Question& question : section.questions) {
      Analogies::Answer& answer = scored.answers.emplace_back();
      bool other_case = false;
      const auto ids = lookup.find(question, other_case);
      if (!ids) continue;
      answer.covered = true;
      answer.wanted = ids->back();
      result.case_matched += other_case;
      asked.push_back({(*ids)[0], (*ids)[1], (*ids)[2]});
    }
  }
  const auto given = options.method == AnalogyMethod::cos_mul ? answer_by_cos_mul(table.slice(0, rows), asked)
                                                              : answer_by_cos_add(table.slice(0, rows), asked);
  auto next = given.begin();
  for (Analogies::Section& section : result.sections) {
    section.score.questions = section.answers.size();
    for (Analogies::Answer& answer : section.answers) {
      if (!answer.covered) continue;
      answer.given = *next++;
      ++section.score.covered;
      section.score.right += answer.right();
    }
  }
  return result;
}

}  // namespace wordbridge
