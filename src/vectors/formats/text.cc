#include "vectors/formats/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "io/binary_reader.h"
#include "io/lines.h"
#include "parallel/thread_pool.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/text_rows.h"
#include "vectors/row_blocks.h"
#include "wordbridge/error.h"

namespace wordbridge {

void TextIntake::begin(LineBlock& block) {
  summary_.path = stream_.path();
  summary_.compression = stream_.compression();
  if (block.text.empty() && block.failure != nullptr) std::rethrow_exception(block.failure);
  if (block.text.empty() && !block.damage.empty()) throw InputError(summary_.path, 1, block.damage);
  start_ = recognize_text_start(summary_.path, block.text);
  const std::string_view skipped = block.text.substr(0, start_.bytes);
  line_ = static_cast<std::uint64_t>(std::ranges::count(skipped, '\n'));
  block.text.remove_prefix(start_.bytes);
  summary_.format = start_.header ? "fastText text" : "GloVe text";
  summary_.no_header = !start_.header;
  summary_.byte_order_mark = start_.byte_order_mark;
  summary_.carriage_returns = skipped.find('\r') != std::string_view::npos;
  summary_.dimension = start_.dimension;
  if (start_.header) {
    summary_.header_rows = start_.header->rows;
    summary_.blank_lines = line_ > 0 ? line_ - 1 : 0;
    check_header(std::max<std::uint64_t>(line_, 1));
  }
  if (start_.dimension > kMaxDimension)
    throw InputError(
        summary_.path, std::max<std::uint64_t>(line_, 1),
        fmt::format("{} dimensions are more than the {} that are possible", start_.dimension, kMaxDimension));
}

/// A row takes a letter, and a blank and a digit for each number.
void TextIntake::check_header(std::uint64_t line) {
  const auto known_size = stream_.compression().empty() ? stream_.file_size() : std::nullopt;
  const std::uint64_t size = known_size.value_or(std::uint64_t{1} << 50);
  const std::uint64_t rows = start_.header->rows, dimension = start_.header->dimension;
  if (dimension <= size / 2 && rows <= size / (2 * dimension + 1) + 1) return;
  const InputError error(
      summary_.path, line,
      fmt::format("the header promises {} rows of dimension {}, more than the file can hold", rows, dimension));
  if (!options_.lenient) throw error;
  summary_.first_skipped = error.what();
}

void TextIntake::damaged(const std::string& reason, std::uint64_t rows) {
  const InputError error(summary_.path, line_, reason);
  if (!options_.lenient) throw error;
  if (summary_.first_skipped.empty()) summary_.first_skipped = error.what();
  summary_.skipped_rows += rows;
}

/// Why a complete last row that has no line break is not to be trusted; empty where it is. Usually its lack is
/// harmless. But where the header promises more rows, or, without a header, the rows before end in a blank, then the
/// file was cut, and nobody knows whether the last number is whole.
std::string TextIntake::cut_reason(std::string_view text) const {
  const std::uint64_t rows = line_ - summary_.blank_lines - 1;
  if (start_.header && rows < start_.header->rows)
    return fmt::format(
        "the file ends in the middle of a line, and {} of the {} rows that the header promises are missing",
        start_.header->rows - rows, start_.header->rows);
  if (!start_.header && start_.final_blanks && !is_field_blank(text.back()))
    return "the file ends in the middle of a line: the rows before end in a blank, this one does not";
  return {};
}

void TextIntake::take_row(const TextLines::Line& line, std::span<const float> values, const Keep& keep) {
  if (!keep(line.word, values)) {
    ++summary_.duplicates;
    return;
  }
  ++summary_.rows;
  summary_.zero_rows += line.zero;
  summary_.invalid_utf8 += line.invalid_utf8;
  summary_.spaced_words += line.spaced;
}

void TextIntake::take(const LineBlock& block, const TextLines& lines, const Keep& keep) {
  std::size_t row = 0, reason = 0, taken = 0;
  const std::size_t count = lines.lines().size();
  const bool unfinished = block.last && !block.text.empty() && block.text.back() != '\n';
  for (; taken < count && !full(); ++taken) {
    const TextLines::Line& line = lines.lines()[taken];
    ++line_;
    summary_.carriage_returns |= line.carriage_return;
    switch (line.kind) {
      case TextLines::Kind::row: {
        const std::string cut = unfinished && taken + 1 == count ? cut_reason(block.text) : std::string();
        if (cut.empty())
          take_row(line, lines.row(row++), keep);
        else
          damaged(cut);
        break;
      }
      case TextLines::Kind::no_word:
        ++summary_.empty_words;
        break;
      case TextLines::Kind::blank:
        ++summary_.blank_lines;
        break;
      case TextLines::Kind::damage:
        damaged(lines.reasons()[reason++]);
        break;
    }
  }
  if (full()) {
    summary_.stopped_early = taken < count || !block.last || !block.damage.empty() || block.failure != nullptr;
    return;
  }
  ++line_;  // the one that is not there
  if (block.failure != nullptr) {
    try {
      std::rethrow_exception(block.failure);
    } catch (const InputError& error) {
      throw InputError(error.path(), line_, error.reason());
    }
  }
  if (!block.damage.empty()) damaged(block.damage);
  --line_;
}

void TextIntake::end() const {
  if (summary_.rows > 0) return;
  throw InputError(summary_.path, 0,
                   summary_.first_skipped.empty() ? "holds no word vectors"
                                                  : "holds no usable word vectors; first: " + summary_.first_skipped);
}

namespace {

/// A block on its way from the file to the intake.
struct Parcel {
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t number = kNone;  // in the file
  LineBlock block;
  TextLines lines;
};

/// The file: blocks are read one after the other, by whatever thread has time.
class TextFile {
 public:
  TextFile(std::unique_ptr<ByteStream> stream, const ReadOptions& options)
      : blocks_(std::move(stream)), intake_(options, blocks_.stream()), stage_(reading_stage(path())) {
    blocks_.next(first_, 2);
    intake_.begin(first_);
  }

  /// Reads the next block; false at the end.
  bool read(Parcel& parcel) {
    const std::lock_guard lock(mutex_);
    if (next_number_ == 0) {
      std::swap(parcel.block, first_);
    } else if (!blocks_.next(parcel.block)) {
      parcel.number = Parcel::kNone;
      return false;
    }
    parcel.number = next_number_++;
    return true;
  }
  /// For the thread that wants the file only, as Progress demands.
  void tell_progress() {
    const std::lock_guard lock(mutex_);
    stage_.update(blocks_.stream().file_position(), blocks_.stream().file_size().value_or(0));
  }
  void parse(Parcel& parcel) const { parcel.lines.parse(parcel.block.text, dimension()); }

  std::size_t dimension() const { return intake_.start().dimension; }
  const std::string& path() const { return blocks_.stream().path(); }
  TextIntake& intake() { return intake_; }
  const TextIntake& intake() const { return intake_; }
  /// Rows that may be expected: what the header says, as far as the file can hold it.
  std::size_t likely_rows() const {
    const auto& header = intake_.start().header;
    const auto size = blocks_.stream().compression().empty() ? blocks_.stream().file_size() : std::nullopt;
    if (!header || !size) return 0;
    return static_cast<std::size_t>(std::min(header->rows, *size / (2 * dimension() + 2)));
  }

 private:
  LineBlocks blocks_;
  TextIntake intake_;
  Stage stage_;
  std::mutex mutex_;
  LineBlock first_;
  std::uint64_t next_number_ = 0;
};

class TextSource final : public VectorSource {
 public:
  TextSource(std::unique_ptr<ByteStream> stream, const ReadOptions& options) : file_(std::move(stream), options) {}

  std::size_t dimension() const override { return file_.dimension(); }
  std::optional<std::uint64_t> promised_rows() const override {
    const auto& header = file_.intake().start().header;
    return header ? std::optional(header->rows) : std::nullopt;
  }
  const ReadSummary& summary() const override { return file_.intake().summary(); }

  std::optional<VectorBlock> next() override {
    while (!ended_) {
      read_parcels();
      VectorBlock block = take_parcels();
      if (!block.words.empty()) return block;
    }
    return std::nullopt;
  }

 private:
  /// Reads and parses two blocks for each thread.
  void read_parcels() {
    parcels_.resize(static_cast<std::size_t>(ThreadPool::current().size()) * 2);
    std::atomic<std::size_t> read = 0;
    ThreadPool::current().for_chunks(parcels_.size(), 1, [&](std::size_t i, std::size_t, int) {
      if (!file_.read(parcels_[i])) return;
      ++read;
      file_.parse(parcels_[i]);
    });
    file_.tell_progress();
    ended_ = read < parcels_.size();
    read_ = read;
    std::ranges::sort(parcels_, {}, &Parcel::number);  // those that were not read come last
  }

  VectorBlock take_parcels() {
    std::size_t rows = 0;
    for (std::size_t i = 0; i < read_; ++i) rows += parcels_[i].lines.rows();
    VectorBlock block;
    block.words.reserve(rows);
    block.rows = Matrix::uninitialized(rows, dimension());
    TextIntake& intake = file_.intake();
    for (std::size_t i = 0; i < read_ && !intake.full(); ++i)
      intake.take(parcels_[i].block, parcels_[i].lines, [&](std::string_view word, std::span<const float> values) {
        std::ranges::copy(values, block.rows.data() + block.words.size() * dimension());
        block.words.emplace_back(word);
        return true;
      });
    block.rows.truncate_rows(block.words.size());
    if (intake.full()) ended_ = true;
    if (ended_) intake.end();
    return block;
  }

  TextFile file_;
  std::vector<Parcel> parcels_;
  std::size_t read_ = 0;  // of them
  bool ended_ = false;
};

/// Reads a whole file: each thread reads a block, parses it, and hands it in; blocks are taken up in their order, by
/// whichever thread hands in the next one.
class WholeTextReader {
 public:
  WholeTextReader(std::unique_ptr<ByteStream> stream, const ReadOptions& options)
      : file_(std::move(stream), options), table_(file_.dimension()) {
    const std::size_t likely = file_.likely_rows();
    const std::size_t rows = options.max_words == 0 ? likely : std::min(likely, options.max_words);
    vocabulary_.reserve(rows);
    table_.reserve(rows);
  }

  WordVectors read() {
    ThreadPool& pool = ThreadPool::current();
    most_parcels_ = static_cast<std::size_t>(pool.size()) + 2;
    pool.for_chunks(static_cast<std::size_t>(pool.size()), 1, [&](std::size_t, std::size_t, int worker) {
      try {
        work(worker);
      } catch (...) {
        stop();
        throw;
      }
    });
    file_.tell_progress();
    file_.intake().end();
    return {std::move(vocabulary_), table_.take(), file_.intake().summary()};
  }

 private:
  void work(int worker) {
    while (auto parcel = empty_parcel()) {
      if (!file_.read(*parcel)) {
        stop();
        return;
      }
      if (worker == 0) file_.tell_progress();
      file_.parse(*parcel);
      hand_in(std::move(parcel));
    }
  }

  /// A parcel to be filled, once there are not too many on the way; nothing where no more are wanted.
  std::unique_ptr<Parcel> empty_parcel() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || parcels_ < most_parcels_; });
    if (stopped_) return nullptr;
    ++parcels_;
    if (empty_.empty()) return std::make_unique<Parcel>();
    auto parcel = std::move(empty_.back());
    empty_.pop_back();
    return parcel;
  }

  void hand_in(std::unique_ptr<Parcel> parcel) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(parcel->number, std::move(parcel));
    while (!waiting_.empty() && waiting_.begin()->first == next_number_ && !file_.intake().full()) {
      auto next = std::move(waiting_.extract(waiting_.begin()).mapped());
      take(*next);
      ++next_number_;
      --parcels_;
      empty_.push_back(std::move(next));
    }
    if (file_.intake().full()) stopped_ = true;
    changed_.notify_all();
  }

  void take(const Parcel& parcel) {
    file_.intake().take(parcel.block, parcel.lines, [&](std::string_view word, std::span<const float> values) {
      if (!vocabulary_.add(word)) return false;
      table_.append(values);
      return true;
    });
  }

  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }

  TextFile file_;
  std::mutex mutex_;  // for all that follows
  std::condition_variable changed_;
  std::size_t most_parcels_ = 0;
  std::size_t parcels_ = 0;  // on the way
  bool stopped_ = false;
  std::vector<std::unique_ptr<Parcel>> empty_;
  std::map<std::uint64_t, std::unique_ptr<Parcel>> waiting_;
  std::uint64_t next_number_ = 0;
  Vocabulary vocabulary_;
  GrowingTable table_;
};

}  // namespace

std::unique_ptr<VectorSource> open_text(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  return std::make_unique<TextSource>(std::move(stream), options);
}

WordVectors read_text(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  return WholeTextReader(std::move(stream), options).read();
}

}  // namespace wordbridge
