#include "evaluation/analogy_answers.h"

#include <algorithm>
#include <limits>

#include "linalg/blas.h"
#include "linalg/rows.h"
#include "parallel/thread_pool.h"
#include "search/make_search.h"

namespace wordbridge {

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
