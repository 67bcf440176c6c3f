#pragma once
#include <cstddef>
#include <cstdint>

namespace wordbridge {

/// A row that passed a filter of a query, and the upper bound of its score, in the query's unit.
struct RowCandidate {
  float upper_bound;
  std::uint32_t row;
};

/// The same, seen from the row, of which the query is a candidate.
struct PairCandidate {
  float upper_bound;
  std::uint32_t row, query;
};

/// One call of the int8 filter: every query of a block against every row of some panels. For query i and row j, in
/// float, each operation rounded or fused:
///     upper bound = (sum over spans of span_weight times the products of their codes) row_scale[j]
///                   + row_lead[j] query_lead[i] + row_slack[j] query_slack[i]
/// and the row is a candidate if this is >= threshold[i]. A NaN among the slacks makes a row or query without
/// candidates. A two-sided job also records pairs with upper bound >= row_threshold[j] query_factor[i], as candidates
/// of the row.
///
/// A staged job, never two-sided, terminates early: before each of the last `checks` spans it checks what these can
/// still add, which is at most row_tail[j] query_tail[i] (Cauchy-Schwarz), and leaves out pairs that cannot become
/// candidates.
struct FilterJob {
  const std::uint8_t* const* queries;  // 4 groups bytes of each: codes plus FilterKernel::query_offset
  std::size_t query_count;             // a multiple of FilterKernel::query_multiple
  const float* query_lead;
  const float* query_slack;
  const float* threshold;

  /// For each panel and each group of 4 dimensions, the 4 codes of each of the kPanelRows rows in turn.
  const std::int8_t* rows;
  std::size_t groups;
  std::size_t panels;
  std::size_t span_groups;             // a span of 16-bit sums, see FilterKernel::most_span_groups
  const std::int16_t* span_weight;     // 1 unless the job is staged
  const std::int32_t* row_correction;  // panels x spans x kPanelRows: what the sums of a span start from
  const float* row_scale;
  const float* row_lead;
  const float* row_slack;
  std::uint32_t first_row;  // the number that candidates give to the first row

  std::size_t checks;
  std::size_t first_check;    // the first that is worth its time, of 0 to `checks`
  const float* row_tail;      // panels x checks x kPanelRows
  const float* query_tail;    // query_count x checks
  std::uint64_t* terminated;  // `checks` counters: pairs that a check ended are added

  /// Those of query i go to candidates[i] + candidate_count[i] and on, where there must be room for all rows of the
  /// job.
  RowCandidate* const* candidates;
  std::uint32_t* candidate_count;

  /// Of each panel only the blocks [block_begin, block_end), FilterKernel::block_rows rows each, take part.
  std::size_t block_begin, block_end;
  /// Null, or where the largest upper bound of query i in each block goes: that of the b-th block which takes part to
  /// block_bounds[i * block_stride + b]. Minus infinity where no row has a bound. Not for staged or two-sided jobs.
  float* block_bounds;
  std::size_t block_stride;

  /// Null unless the job is two-sided. Those of rows go to pair_candidates + *pair_count and on, where there must be
  /// room for all pairs of the job.
  const float* row_threshold;
  const float* query_factor;
  PairCandidate* pair_candidates;
  std::size_t* pair_count;
};

/// Rows of a panel.
inline constexpr std::size_t kPanelRows = 64;
/// floor(sqrt(2^15 - 1)): by Cauchy-Schwarz the product of two vectors of such norms fits into 16 bits.
inline constexpr int kMostSpanNorm = 181;

// The inner loops of the searches, for one instruction set each. The files of the kernels take and give plain pointers
// and use no inline function or template of any other header: the linker might keep their copy, made for one
// instruction set, for the whole program.

/// How bounds in levels move (BlockBounds): the value of a level, and then the level of a value.
struct LevelMove {
  float step, shift;       // value = level step + shift
  float least, per_score;  // level = (value - least) per_score + 1.01, cut off to whole numbers of 0 to 255
};

/// Loops over floats.
struct ScoreKernel {
  /// See exact_score() in neighbor_search.h.
  float (*exact_score)(const float* a, const float* b, std::size_t dimension);
  /// Writes the ascending indexes i < count of all scores[i] that are not below `threshold` (so NaN passes) to
  /// `passed`, which has room for `count`, and returns how many they are.
  std::size_t (*select_not_below)(const float* scores, std::size_t count, float threshold, std::uint32_t* passed);
  /// Adds the values of the levels to the bounds, infinity for level 255, and makes the levels those of the sums, which
  /// are not NaN.
  void (*move_levels)(std::uint8_t* levels, std::size_t count, const LevelMove& move, float* bounds);
};

/// What rounding to codes did to some values. The halves of a group of 4 are counted apart (FilterKernel).
struct CodeSums {
  double residual_square;   // |values - scale codes|^2
  std::int32_t sums[2];     // of the codes, a half
  std::int32_t squares[2];  // of their squares
};

/// Loops of the encoder, by which vectors become codes. Sums are in double unless said.
struct EncodeKernel {
  /// <scale x, v> and |scale x|^2.
  void (*measure)(const float* x, const float* v, std::size_t count, double scale, double* dot, double* square);
  /// rest = scale x - lead v, each value rounded to double and then to float; |rest|^2 and <rest, v>.
  void (*subtract)(const float* x, const float* v, std::size_t count, double scale, double lead, float* rest,
                   double* square, double* dot);
  /// The Walsh-Hadamard transform of n = 2^p values, in place, not scaled.
  void (*transform)(float* values, std::size_t n);
  /// The largest absolute value, and the sum of squares of each half of the groups.
  void (*measure_halves)(const float* values, std::size_t count, float* largest, double* squares);
  /// codes = values / scale, rounded, at most `levels`. What is left is measured, so how they are rounded does not
  /// matter for correctness.
  void (*round_to_codes)(const float* values, std::size_t count, double scale, int levels, std::int8_t* codes,
                         CodeSums* result);
  /// The largest absolute value.
  float (*largest)(const float* values, std::size_t count);
};

/// Products of codes of 8 bits, and what they ask of the codes.
struct FilterKernel {
  void (*filter)(const FilterJob& job);
  /// Codes lie in [-levels, levels]; those of queries are stored with query_offset added, which row_correction, here
  /// -query_offset times the sum of a row's codes, takes off again.
  int levels;
  int query_offset;
  /// Dimensions are filled up with zeros to a multiple of dimension_multiple, a multiple of 4; queries likewise.
  std::size_t dimension_multiple;
  std::size_t query_multiple;
  /// 0: sums are held in 32 bits, and there is one span. Otherwise in 16 bits over at most so many groups: the first
  /// two dimensions of each group and the last two are summed apart, each half with a correction of 16 bits (the first
  /// in the lower half), and the codes of each half of a span must have a norm of at most kMostSpanNorm in queries and
  /// in rows. So no complete sum overflows; what happens on the way does not matter, because it is arithmetic modulo
  /// 2^16.
  std::size_t most_span_groups;
  /// Rows that the kernel can filter by themselves, for any queries: a part of kPanelRows. 0: it filters whole panels,
  /// and the codes of all queries of a job follow each other. That is where products are so fast that leaving some out
  /// costs more than it saves.
  std::size_t block_rows;
  /// Tables of at least so many rows are staged: only worth it where most of the time goes into products.
  std::size_t least_staged_rows;
};

/// Records the candidates of query i, and of rows, among the rows first + l, l in the bits of `mask`, whose bounds are
/// bounds[l]. For the kernels, which need not be quick about it; compiled for any machine.
void record_candidates(const FilterJob& job, std::size_t i, std::size_t first, const float* bounds, std::uint64_t mask);

/// All kernels in use together. A further instruction set is one new file and one line in kernel_choice.cc.
struct Kernels {
  const char* name;
  const ScoreKernel* score;
  const EncodeKernel* encode;
  const FilterKernel* filter;
};

}  // namespace wordbridge
