#include "wordbridge/vectors/formats/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>
#include <utility>

#include "wordbridge/base/atomic_file.h"
#include "wordbridge/base/error.h"
#include "wordbridge/parallel/thread_pool.h"
#include "wordbridge/vectors/formats/compressed_stream.h"
#include "wordbridge/vectors/formats/row_screen.h"
#include "wordbridge/vectors/formats/text_row.h"

namespace wordbridge {

namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20;    // read and handed on at a time
constexpr std::size_t kPieceBytes = std::size_t{256} << 10;  // parsed by one thread at a time
constexpr std::size_t kPeekBytes = std::size_t{64} << 10;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct Header {
  std::uint64_t rows = 0;
  std::uint64_t dimension = 0;
};

/// A line of exactly two whole numbers.
std::optional<Header> parse_header(std::string_view line) {
  Header header;
  const char* next = line.data();
  const char* const end = next + line.size();
  for (std::uint64_t* number : {&header.rows, &header.dimension}) {
    while (next != end && is_field_blank(*next)) ++next;
    const auto [after, error] = std::from_chars(next, end, *number);
    if (error != std::errc() || (after != end && !is_field_blank(*after))) return std::nullopt;
    next = after;
  }
  while (next != end && is_field_blank(*next)) ++next;
  return next == end ? std::optional(header) : std::nullopt;
}

/// The lines at the start of a file; the last one may be cut.
std::vector<std::string_view> first_lines(std::string_view bytes, std::size_t count) {
  std::vector<std::string_view> lines;
  while (!bytes.empty() && lines.size() < count) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    lines.push_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return lines;
}

bool is_markup(std::string_view bytes) {
  const std::size_t start = bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return false;
  std::string head(bytes.substr(start, 16));
  std::ranges::transform(head, head.begin(), [](unsigned char c) { return c < 0x80 ? std::tolower(c) : c; });
  for (const std::string_view mark : {"<!doctype", "<html", "<?xml", "<head", "<error"})
    if (head.starts_with(mark)) return true;
  return false;
}

/// A run of whole lines and what was found in it.
struct Piece {
  std::string_view text;
  struct Row {
    std::uint64_t line;  // within the piece, from 0
    std::string_view word;
  };
  struct Damage {
    std::uint64_t line;
    std::string reason;
  };
  std::vector<Row> rows;
  std::vector<float> values;
  std::vector<Damage> damages;
  std::uint64_t lines = 0;
  bool carriage_returns = false;
};

void parse_piece(Piece& piece, std::size_t dimension) {
  std::string_view rest = piece.text;
  std::vector<float> values(dimension);
  while (!rest.empty()) {
    const void* found = std::memchr(rest.data(), '\n', rest.size());
    const std::size_t end =
        found == nullptr ? rest.size() : static_cast<std::size_t>(static_cast<const char*>(found) - rest.data());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    piece.carriage_returns |= !line.empty() && line.back() == '\r';
    TextRow row = parse_text_row(line, values);
    if (row.kind == TextRow::Kind::row) {
      piece.rows.push_back({piece.lines, row.word});
      piece.values.insert(piece.values.end(), values.begin(), values.end());
    } else if (row.kind == TextRow::Kind::damage) {
      piece.damages.push_back({piece.lines, std::move(row.reason)});
    }
    ++piece.lines;
  }
}

class TextSource final : public VectorSource {
 public:
  TextSource(std::unique_ptr<ByteStream> stream, const ReadOptions& options)
      : stream_(std::move(stream)), options_(options), screen_(summary_, options_) {
    summary_.path = stream_->path();
    summary_.compression = stream_->compression();
    read_start();
    summary_.dimension = dimension_;
  }

  std::size_t dimension() const override { return dimension_; }
  std::optional<std::uint64_t> promised_rows() const override {
    return header_ ? std::optional(header_->rows) : std::nullopt;
  }
  const ReadSummary& summary() const override { return summary_; }

  std::optional<VectorBlock> next() override {
    VectorBlock block;
    while (block.words.empty()) {
      if (screen_.full()) {
        summary_.stopped_early = !at_end_ || !buffer_.empty();
        return std::nullopt;
      }
      if (!fill()) {
        screen_.require_rows();
        return std::nullopt;
      }
      block = parse_buffer();
    }
    return block;
  }

 private:
  [[noreturn]] void fail(std::uint64_t line, std::string reason) const {
    throw InputError(summary_.path, line, std::move(reason));
  }

  /// Byte order mark, header, dimension; nothing is parsed yet.
  void read_start() {
    std::string_view bytes = stream_->peek(kPeekBytes);
    if (bytes.starts_with(kByteOrderMark)) {
      summary_.byte_order_mark = true;
      skip(kByteOrderMark.size());
      bytes = stream_->peek(kPeekBytes);
    }
    if (bytes.empty()) fail(0, "the file is empty");
    if (is_markup(bytes)) fail(1, "this is an HTML or XML page, not vectors");
    const auto lines = first_lines(bytes, 12);
    header_ = parse_header(lines[0]);
    // `2 300` may also be the word 2 with a vector of one dimension; then the next row has as many numbers as it.
    if (header_ && lines.size() > 1 && trailing_numbers(lines[1]) == 1 && header_->dimension != 1) header_.reset();
    summary_.format = header_ ? "fastText text" : "GloVe text";
    summary_.no_header = !header_;
    if (header_) {
      dimension_ = header_->dimension;
      summary_.header_rows = header_->rows;
      line_ = 1;
      skip(std::min(lines[0].size() + 1, bytes.size()));
      check_header();
    } else {
      dimension_ = guess_dimension(lines, bytes);
      if (dimension_ == 0) fail(1, "no row of a word and numbers at the start of the file");
    }
  }

  void check_header() const {
    if (header_->dimension == 0) fail(1, "the header says dimension 0");
    if (options_.lenient && header_->dimension <= (std::uint64_t{1} << 20)) return;
    // A row takes a letter and at least a blank and a digit for each number.
    const auto size = summary_.compression.empty() ? stream_->file_size() : std::nullopt;
    const std::uint64_t largest = size ? *size : std::uint64_t{1} << 50;
    if (header_->dimension > largest / 2 || header_->rows > largest / (2 * header_->dimension + 1) + 1)
      fail(1, fmt::format("the header promises {} rows of dimension {}, more than the file can hold", header_->rows,
                          header_->dimension));
  }

  /// The commonest number of trailing numbers among the first whole rows, the larger one of two: a word may look like
  /// numbers, and a row may be damaged, but not most of them.
  std::size_t guess_dimension(const std::vector<std::string_view>& lines, std::string_view bytes) const {
    std::map<std::size_t, int> rows_of;
    for (const std::string_view line : lines) {
      const bool cut = line.data() + line.size() == bytes.data() + bytes.size() && bytes.size() == kPeekBytes;
      if (cut && line.data() == bytes.data())
        fail(1, "the first line is too long for a row of numbers without a header");
      const std::size_t numbers = trailing_numbers(line);
      if (numbers > 0 && !cut) ++rows_of[numbers];
    }
    const auto commonest =
        std::ranges::max_element(rows_of, {}, [](const auto& entry) { return std::pair(entry.second, entry.first); });
    return commonest == rows_of.end() ? 0 : commonest->first;
  }

  void skip(std::size_t bytes) {
    std::string taken(bytes, '\0');
    stream_->read(taken.data(), bytes);
  }

  /// Whole lines in buffer_; what follows the last line break waits in rest_. False at the end.
  bool fill() {
    buffer_ = std::move(rest_);
    rest_.clear();
    while (!at_end_) {
      const std::size_t before = buffer_.size();
      buffer_.resize(before + kBlockBytes);
      std::size_t got = 0;
      while (got < kBlockBytes && !at_end_) {
        const std::size_t bytes = stream_->read(buffer_.data() + before + got, kBlockBytes - got);
        at_end_ = bytes == 0;
        got += bytes;
      }
      buffer_.resize(before + got);
      if (options_.progress != nullptr)
        options_.progress->update(summary_.path, stream_->file_position(), stream_->file_size().value_or(0), "");
      const std::size_t last = at_end_ ? std::string::npos : buffer_.rfind('\n');
      if (last == std::string::npos) continue;  // at the end, or a line longer than a block
      rest_ = buffer_.substr(last + 1);
      buffer_.resize(last + 1);
      break;
    }
    if (buffer_.empty() && options_.progress != nullptr) options_.progress->finish(summary_.path);
    return !buffer_.empty();
  }

  /// Cuts the buffer into pieces at line ends, parses them side by side and takes up what they found in order.
  VectorBlock parse_buffer() {
    std::vector<Piece> pieces;
    for (std::string_view text = buffer_; !text.empty();) {
      std::size_t end = text.size() <= kPieceBytes ? text.size() : text.find('\n', kPieceBytes);
      end = end == std::string_view::npos ? text.size() : std::min(end + 1, text.size());
      pieces.emplace_back().text = text.substr(0, end);
      text.remove_prefix(end);
    }
    ThreadPool::shared().for_chunks(
        pieces.size(), 1, [&](std::size_t piece, std::size_t, int) { parse_piece(pieces[piece], dimension_); });
    std::size_t rows = 0;
    for (const Piece& piece : pieces) rows += piece.rows.size();
    VectorBlock block;
    block.words.reserve(rows);
    block.rows = Matrix::uninitialized(rows, dimension_);
    for (const Piece& piece : pieces) take(piece, block);
    block.rows.truncate_rows(block.words.size());
    return block;
  }

  void take(const Piece& piece, VectorBlock& block) {
    if (screen_.full()) return;
    summary_.carriage_returns |= piece.carriage_returns;
    auto damage = piece.damages.begin();
    for (std::size_t r = 0; r < piece.rows.size() && !screen_.full(); ++r) {
      for (; damage != piece.damages.end() && damage->line < piece.rows[r].line; ++damage) damaged(*damage);
      const std::uint64_t line = line_ + piece.rows[r].line + 1;
      check_cut(piece, line);
      const std::span<const float> values(piece.values.data() + r * dimension_, dimension_);
      if (!screen_.keep(line, piece.rows[r].word, values)) continue;
      std::ranges::copy(values, block.rows.row(block.words.size()).begin());
      block.words.emplace_back(piece.rows[r].word);
    }
    if (!screen_.full())
      for (; damage != piece.damages.end(); ++damage) damaged(*damage);
    line_ += piece.lines;
  }

  void damaged(const Piece::Damage& damage) {
    const InputError error(summary_.path, line_ + damage.line + 1, damage.reason);
    if (!options_.lenient) throw error;
    if (summary_.skipped_rows++ == 0) summary_.first_skipped = error.what();
  }

  /// A last line without a line break is common and harmless, unless the header promises rows after it: then the file
  /// was cut, and nobody knows whether its last number is whole.
  void check_cut(const Piece& piece, std::uint64_t line) const {
    const bool last_line = at_end_ && rest_.empty() &&
                           piece.text.data() + piece.text.size() == buffer_.data() + buffer_.size() &&
                           line == line_ + piece.lines && buffer_.back() != '\n';
    if (last_line && header_ && line - 1 < header_->rows && !options_.lenient)
      fail(line,
           fmt::format(
               "the file ends in the middle of a line, and {} of the {} rows that the header promises are missing",
               header_->rows - (line - 1), header_->rows));
  }

  std::unique_ptr<ByteStream> stream_;
  ReadOptions options_;
  ReadSummary summary_;
  RowScreen screen_;
  std::optional<Header> header_;
  std::size_t dimension_ = 0;
  std::uint64_t line_ = 0;  // lines taken up so far
  std::string buffer_, rest_;
  bool at_end_ = false;
};

class TextSink final : public VectorSink {
 public:
  TextSink(const std::string& path, std::size_t dimension, std::optional<std::uint64_t> expected_rows)
      : file_(path),
        compression_(compression_of_path(path)),
        dimension_(dimension),
        promised_(expected_rows.value_or(0)) {
    const std::string first = encoded(header(promised_));
    header_bytes_ = first.size();
    file_.write(first);
    if (compression_ != Compression::none)
      compressor_ = make_compressor(compression_, [this](std::string_view bytes) { file_.write(bytes); });
  }

  void write(const std::vector<std::string>& words, ConstMatrixView rows) override {
    constexpr std::size_t kChunk = 256;
    std::vector<std::string> pieces((words.size() + kChunk - 1) / kChunk);
    ThreadPool::shared().for_chunks(words.size(), kChunk, [&](std::size_t begin, std::size_t end, int) {
      std::string& piece = pieces[begin / kChunk];
      for (std::size_t i = begin; i < end; ++i) format_row(words[i], rows.row(i), piece);
    });
    for (const std::string& piece : pieces) {
      if (compressor_ != nullptr)
        compressor_->write(piece);
      else
        file_.write(piece);
    }
    rows_ += words.size();
  }

  void finish() override {
    if (compressor_ != nullptr) compressor_->finish();
    if (rows_ != promised_) mend_header();
    file_.commit();
  }

 private:
  std::string header(std::uint64_t rows) const { return fmt::format("{} {}\n", rows, dimension_); }

  /// The text as it stands in the file: a compressed stream of its own, which every reader joins with the next.
  std::string encoded(std::string_view text) const {
    if (compression_ == Compression::none) return std::string(text);
    std::string bytes;
    const auto compressor = make_compressor(compression_, [&](std::string_view piece) { bytes += piece; });
    compressor->write(text);
    compressor->finish();
    return bytes;
  }

  /// The right count instead of the promised one. A shorter header is filled up, with blanks or empty streams.
  void mend_header() {
    std::string text = header(rows_);
    if (compression_ == Compression::none && text.size() < header_bytes_)
      text.insert(text.size() - 1, header_bytes_ - text.size(), ' ');
    std::string bytes = encoded(text);
    while (bytes.size() < header_bytes_) bytes += encoded("");
    file_.splice(0, header_bytes_, bytes);
  }

  void format_row(const std::string& word, std::span<const float> values, std::string& out) const {
    if (word.empty() || word.find_first_of("\r\n") != std::string::npos)
      throw InputError(file_.path(), 0, fmt::format("the word {} cannot be written as text", quoted_word(word)));
    out += word;
    char digits[32];
    for (const float value : values) {
      out += ' ';
      out.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
    }
    out += '\n';
  }

  AtomicFile file_;
  Compression compression_;
  std::size_t dimension_;
  std::uint64_t promised_, rows_ = 0;
  std::size_t header_bytes_ = 0;
  std::unique_ptr<Compressor> compressor_;
};

}  // namespace

std::unique_ptr<VectorSource> open_text(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  return std::make_unique<TextSource>(std::move(stream), options);
}

std::unique_ptr<VectorSink> create_text(const std::string& path, std::size_t dimension,
                                        std::optional<std::uint64_t> expected_rows) {
  return std::make_unique<TextSink>(path, dimension, expected_rows);
}

}  // namespace wordbridge
