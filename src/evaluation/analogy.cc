#include "evaluation/analogy.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>

#include "evaluation/fields.h"
#include "io/lines.h"
#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/neighbor_search.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// Puts lines where they belong.
class QuestionsBuilder {
 public:
  /// The reason why the line is no question, where it is none and nothing else either.
  std::string add(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) return "a NUL byte: not a text file in UTF-8";
    const std::string_view text = trim(line);
    if (text.empty()) return {};
    if (text.front() == ':') {
      begin_section(trim(text.substr(1)));
      return {};
    }
    const bool tabbed = text.find('\t') != std::string_view::npos;
    if (text.front() == '#' && !tabbed) {
      if (const auto words = split_at_blanks(text.substr(1)); words.size() == 1) begin_section(words.front());
      return {};
    }
    const std::vector<std::string_view> words = tabbed ? split_at(text, '\t') : split_at_blanks(text);
    const bool enough = tabbed ? words.size() >= 4 : words.size() == 4;
    if (!enough || std::find(words.begin(), words.begin() + 4, "") != words.begin() + 4)
      return fmt::format("four words are wanted, {} are there", words.size() - std::ranges::count(words, ""));
    if (tabbed && !seen_tabbed_ && is_heading(words)) {
      seen_tabbed_ = true;
      return {};
    }
    seen_tabbed_ = seen_tabbed_ || tabbed;
    if (sections_.empty()) begin_section("");
    AnalogyQuestions::Question question;
    std::copy_n(words.begin(), 4, question.begin());
    sections_.back().questions.push_back(std::move(question));
    return {};
  }

  std::vector<AnalogyQuestions::Section> take() {
    std::erase_if(sections_, [](const auto& section) { return section.questions.empty(); });
    return std::move(sections_);
  }

 private:
  void begin_section(std::string_view name) { sections_.push_back({std::string(name), {}}); }

  /// "a1 a2 b1 b2", "word1 word2 word3 target": names of columns, where numbers tell some of them apart.
  static bool is_heading(const std::vector<std::string_view>& words) {
    return std::ranges::count_if(words.begin(), words.begin() + 4,
                                 [](std::string_view word) { return word.back() >= '1' && word.back() <= '4'; }) >= 3;
  }

  std::vector<AnalogyQuestions::Section> sections_;
  bool seen_tabbed_ = false;
};

}  // namespace

std::size_t AnalogyQuestions::size() const {
  std::size_t count = 0;
  for (const Section& section : sections) count += section.questions.size();
  return count;
}

void AnalogyQuestions::append(AnalogyQuestions other) {
  std::ranges::move(other.sections, std::back_inserter(sections));
  if (skipped_lines == 0) first_skipped = std::move(other.first_skipped);
  skipped_lines += other.skipped_lines;
}

AnalogyQuestions read_analogy_questions(ByteStream& stream, bool lenient) {
  AnalogyQuestions result;
  QuestionsBuilder builder;
  LineReader lines(stream, "a set of analogies");
  while (const auto line = lines.next()) {
    const std::string reason = builder.add(*line);
    if (reason.empty()) continue;
    InputError error(stream.path(), lines.number(), reason);
    if (!lenient) throw error;
    if (result.skipped_lines++ == 0) result.first_skipped = error.what();
  }
  result.sections = builder.take();
  if (result.sections.empty()) throw InputError(stream.path(), 0, "no analogy in it");
  return result;
}

AnalogyQuestions read_analogy_questions(const std::string& path, bool lenient) {
  const auto stream = open_bytes(path);
  return read_analogy_questions(*stream, lenient);
}

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

  /// nullopt if a word is not among the rows or has a zero vector.
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

namespace {

bool is_term(const AnalogyTerms& terms, WordId id) { return std::ranges::find(terms, id) != terms.end(); }

/// b - a + c for each question.
Matrix queries_of(ConstMatrixView table, std::span<const AnalogyTerms> questions) {
  Matrix queries = Matrix::uninitialized(questions.size(), table.cols());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const auto a = table.row(questions[i][0]), b = table.row(questions[i][1]), c = table.row(questions[i][2]);
    for (std::size_t j = 0; j < table.cols(); ++j) queries(i, j) = b[j] - a[j] + c[j];
  }
  return queries;
}

constexpr double kEpsilon = 0.001;

double shifted(double cosine) { return (1 + cosine) / 2; }

double cos_mul(ConstMatrixView table, const AnalogyTerms& terms, WordId id) {
  const auto cosine = [&](WordId term) {
    return exact_score(table.row(term).data(), table.row(id).data(), table.cols());
  };
  return shifted(cosine(terms[1])) * shifted(cosine(terms[2])) / (shifted(cosine(terms[0])) + kEpsilon);
}

/// The best rows for one question, by scores that are rounded as BLAS likes it.
class Finalists {
 public:
  static constexpr WordId kNobody = std::numeric_limits<WordId>::max();
  struct Entry {
    float score = -std::numeric_limits<float>::infinity();
    WordId id = kNobody;
  };

  /// A smaller score cannot enter.
  float threshold() const { return entries_.back().score; }
  void offer(const Entry& entry) {
    if (!before(entry, entries_.back())) return;
    entries_.back() = entry;
    for (std::size_t i = entries_.size() - 1; i > 0 && before(entries_[i], entries_[i - 1]); --i)
      std::swap(entries_[i - 1], entries_[i]);
  }
  void offer(const Finalists& others) {
    for (const Entry& entry : others.entries_) offer(entry);
  }

  /// By scores that are the same on every machine. The best is among a few finalists unless more words than these are
  /// within BLAS's rounding of each other.
  std::optional<WordId> best(ConstMatrixView table, const AnalogyTerms& terms) const {
    std::optional<WordId> best;
    double best_score = 0;
    for (const Entry& entry : entries_) {
      if (entry.id == kNobody) continue;
      const double score = cos_mul(table, terms, entry.id);
      if (!best || score > best_score || (score == best_score && entry.id < *best)) {
        best = entry.id;
        best_score = score;
      }
    }
    return best;
  }

 private:
  static bool before(const Entry& a, const Entry& b) {
    return a.score > b.score || (a.score == b.score && a.id < b.id);
  }

  std::array<Entry, 8> entries_;
};

/// The questions over rows that stand for their distinct words.
struct TermTable {
  TermTable(ConstMatrixView table, std::span<const AnalogyTerms> questions) {
    std::vector<WordId> words;
    for (const AnalogyTerms& terms : questions) words.insert(words.end(), terms.begin(), terms.end());
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    rows = gather_rows(table, words);
    for (const AnalogyTerms& terms : questions) {
      std::array<std::size_t, 3> places = {};
      for (std::size_t i = 0; i < terms.size(); ++i)
        places[i] = static_cast<std::size_t>(std::ranges::lower_bound(words, terms[i]) - words.begin());
      terms_of.push_back(places);
    }
  }

  Matrix rows;
  std::vector<std::array<std::size_t, 3>> terms_of;
};

/// Offers the rows [begin, end) of the table to all questions: every cosine of a row with a term is computed once,
/// however many questions the term is in.
void offer_rows(ConstMatrixView table, std::span<const AnalogyTerms> questions, const TermTable& terms,
                std::size_t begin, std::size_t end, std::span<Finalists> finalists) {
  const std::size_t count = end - begin;
  Matrix near = Matrix::uninitialized(terms.rows.rows(), count), far = Matrix::uninitialized(terms.rows.rows(), count);
  multiply_abt_into(terms.rows, table.slice(begin, end), near);
  for (std::size_t i = 0; i < near.size(); ++i) {
    near.data()[i] = (1 + near.data()[i]) / 2;
    far.data()[i] = 1 / (near.data()[i] + static_cast<float>(kEpsilon));
  }
  std::vector<std::uint8_t> exists(count);
  for (std::size_t j = 0; j < count; ++j) exists[j] = is_zero(table.row(begin + j)) ? 0 : 1;
  std::vector<float> scores(count);
  for (std::size_t q = 0; q < questions.size(); ++q) {
    const float* a = far.row(terms.terms_of[q][0]).data();
    const float* b = near.row(terms.terms_of[q][1]).data();
    const float* c = near.row(terms.terms_of[q][2]).data();
    for (std::size_t j = 0; j < count; ++j) scores[j] = b[j] * c[j] * a[j];
    for (std::size_t j = 0; j < count; ++j) {
      const auto id = static_cast<WordId>(begin + j);
      if (scores[j] >= finalists[q].threshold() && exists[j] != 0 && !is_term(questions[q], id))
        finalists[q].offer({scores[j], id});
    }
  }
}

}  // namespace

std::vector<std::optional<WordId>> answer_by_cos_add(ConstMatrixView table, std::span<const AnalogyTerms> questions) {
  std::vector<std::optional<WordId>> answers(questions.size());
  const auto search = make_search(table, questions.size());
  // The terms themselves are often nearest: the best of four rows is left when they are taken away.
  const Neighbors nearest = search->search(queries_of(table, questions), AnalogyTerms().size() + 1);
  for (std::size_t i = 0; i < questions.size(); ++i)
    for (const WordId id : nearest.ids_of(i))
      if (!is_term(questions[i], id)) {
        answers[i] = id;
        break;
      }
  return answers;
}

std::vector<std::optional<WordId>> answer_by_cos_mul(ConstMatrixView table, std::span<const AnalogyTerms> questions) {
  constexpr std::size_t kRowsAtOnce = 1024;
  const TermTable terms(table, questions);
  prepare_blas();
  ThreadPool& pool = ThreadPool::current();
  // A list for each worker: which rows a worker gets does not matter, because finalists are chosen again in the end.
  std::vector<std::vector<Finalists>> lists(static_cast<std::size_t>(pool.size()),
                                            std::vector<Finalists>(questions.size()));
  pool.for_chunks(table.rows(), kRowsAtOnce, [&](std::size_t begin, std::size_t end, int worker) {
    offer_rows(table, questions, terms, begin, end, lists[static_cast<std::size_t>(worker)]);
  });
  std::vector<std::optional<WordId>> answers(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i) {
    for (std::size_t worker = 1; worker < lists.size(); ++worker) lists.front()[i].offer(lists[worker][i]);
    answers[i] = lists.front()[i].best(table, questions[i]);
  }
  return answers;
}

}  // namespace wordbridge
