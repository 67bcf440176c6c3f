#include "vectors/formats/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/checksum.h"
#include "base/counted.h"
#include "io/binary_reader.h"
#include "vectors/formats/npy_header.h"
#include "vectors/formats/reading_stage.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/word_list.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// IEEE binary16: sign, 5 bits of exponent, 10 of fraction.
float from_half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const float fraction = static_cast<float>(bits & 1023);
  float value = 0;
  if (exponent == 0)
    value = std::ldexp(fraction, -24);
  else if (exponent < 31)
    value = std::ldexp(fraction + 1024, exponent - 25);
  else
    value = fraction == 0 ? HUGE_VALF : std::nanf("");
  return (bits & 0x8000) != 0 ? -value : value;
}

template <class T>
T number_at(const char* bytes, bool big_endian) {
  std::array<char, sizeof(T)> copy;
  std::memcpy(copy.data(), bytes, sizeof(T));
  if (big_endian) std::reverse(copy.begin(), copy.end());
  return std::bit_cast<T>(copy);
}

/// One number of the file, rounded to float32; one too large becomes infinite, which is damage.
float decode(const char* bytes, const NpyHeader& header) {
  switch (header.number_bytes) {
    case 2:
      return from_half(number_at<std::uint16_t>(bytes, header.big_endian));
    case 4:
      return number_at<float>(bytes, header.big_endian);
    default:
      return static_cast<float>(number_at<double>(bytes, header.big_endian));
  }
}

/// x of x.npy, x.npy.gz and the like.
std::string stem_of(std::string_view path) {
  for (const std::string_view extension : {".gz", ".zst", ".xz", ".bz2"})
    if (path.ends_with(extension)) path.remove_suffix(extension.size());
  if (path.ends_with(".npy")) path.remove_suffix(4);
  return std::string(path);
}

std::string find_vocabulary(const std::string& path, const ReadOptions& options) {
  if (!options.vocabulary_path.empty()) return options.vocabulary_path;
  const std::string stem = stem_of(path);
  std::error_code ignored;
  for (const char* extension : {".vocab", ".txt", ".vocab.txt"})
    if (std::filesystem::exists(stem + extension, ignored)) return stem + extension;
  throw InputError(path, 0,
                   fmt::format("no words for this table: there is no {0}.vocab, {0}.txt or {0}.vocab.txt, and "
                               "no other vocabulary file was given",
                               stem));
}

/// Of a list of words: the first 64 bits of the SHA-256 of its lines.
class WordsDigest {
 public:
  void add(std::string_view word) {
    hash_.update(word);
    hash_.update("\n");
  }
  /// Ends the list.
  std::uint64_t value() {
    const Sha256::Digest digest = hash_.finish();
    std::uint64_t value = 0;
    std::memcpy(&value, digest.data(), sizeof(value));
    return value;
  }

 private:
  Sha256 hash_;
};

class NpySource : public VectorSource {
 public:
  NpySource(std::unique_ptr<ByteStream> stream, const ReadOptions& options)
      : stream_(std::move(stream)),
        reader_(*stream_),
        options_(options),
        header_(read_npy_header(reader_)),
        screen_(summary_, options),
        stage_(reading_stage(stream_->path())) {
    summary_.path = stream_->path();
    summary_.format = "NumPy";
    summary_.compression = stream_->compression();
    summary_.dimension = header_.cols;
    summary_.header_rows = header_.rows;
    check_size();
    read_words();
    if (header_.fortran_order) load_columns();
  }

  std::size_t dimension() const override { return header_.cols; }
  std::optional<std::uint64_t> promised_rows() const override { return header_.rows; }
  const ReadSummary& summary() const override { return summary_; }

  std::optional<VectorBlock> next() override {
    VectorBlock block;
    while (block.words.empty() && next_ < words_.size() && !summary_.stopped_early) block = read();
    stage_.update(next_, words_.size());
    if (!block.words.empty()) return block;
    if (!summary_.stopped_early) check_end();
    screen_.require_rows();
    return std::nullopt;
  }

 private:
  void check_size() {
    const auto left = reader_.remaining();
    if (!left || options_.lenient) return;
    reader_.require(header_.data_bytes(), fmt::format("the table of {} x {} numbers", header_.rows, header_.cols));
    if (*left > header_.data_bytes())
      reader_.fail(fmt::format("{} the table of {} x {} numbers",
                               counted(*left - header_.data_bytes(), "byte follows", "bytes follow"), header_.rows,
                               header_.cols));
  }

  void read_words() {
    const std::string path = find_vocabulary(stream_->path(), options_);
    WordList list = read_word_list(path);
    summary_.byte_order_mark = list.byte_order_mark;
    summary_.carriage_returns = list.carriage_returns;
    words_ = std::move(list.words);
    check_pair(path);
    while (words_.size() > header_.rows && words_.back().empty()) words_.pop_back();  // blank lines at the end
    if (words_.size() == header_.rows) return;
    screen_.damaged_file(
        fmt::format("the table has {}, but {} has {}", counted(header_.rows, "row"), path,
                    counted(words_.size(), "word")),
        std::max<std::uint64_t>(header_.rows, words_.size()) - std::min<std::uint64_t>(header_.rows, words_.size()));
    words_.resize(std::min<std::uint64_t>(header_.rows, words_.size()));
  }

  /// A table that was written here knows its words. Somebody who names a list takes it as it is.
  void check_pair(const std::string& words_path) const {
    if (!header_.words_digest || !options_.vocabulary_path.empty()) return;
    WordsDigest digest;
    for (const std::string& word : words_) digest.add(word);
    if (digest.value() != *header_.words_digest)
      reader_.fail(
          fmt::format("{} does not hold the words that were written with this table: one of the two was "
                      "replaced without the other, or changed (name the vocabulary file to use it as it is)",
                      words_path));
  }

  void load_columns() {
    if (const auto file = reader_.plain_file())
      if (header_.data_bytes() <= file->size() - reader_.offset())
        if (auto mapped = file->map(reader_.offset(), header_.data_bytes())) columns_ = std::move(*mapped);
    if (columns_.data == nullptr) columns_ = reader_.read_block(header_.data_bytes());
  }

  /// Rows from next_ on as float32; those that the file lacks are cut off.
  void read_rows(Matrix& rows) {
    const std::size_t bytes = header_.number_bytes;
    if (header_.fortran_order) {
      for (std::size_t j = 0; j < rows.cols(); ++j)
        for (std::size_t i = 0; i < rows.rows(); ++i)
          rows(i, j) = decode(columns_.data + (j * header_.rows + next_ + i) * bytes, header_);
      return;
    }
    if (bytes == sizeof(float) && !header_.big_endian) {  // the numbers as they are
      const std::size_t got = reader_.read_some(rows.data(), rows.size() * bytes);
      rows.truncate_rows(got / (bytes * rows.cols()));
      return;
    }
    std::string raw(rows.size() * bytes, '\0');
    const std::size_t got = reader_.read_some(raw.data(), raw.size());
    rows.truncate_rows(got / (bytes * rows.cols()));
    for (std::size_t k = 0; k < rows.size(); ++k) rows.data()[k] = decode(raw.data() + k * bytes, header_);
  }

  VectorBlock read() {
    const std::size_t most = rows_of_block(dimension());
    VectorBlock block{{}, Matrix::uninitialized(std::min(most, words_.size() - next_), dimension())};
    const std::size_t wanted = block.rows.rows();
    read_rows(block.rows);
    const std::size_t count = block.rows.rows();
    for (std::size_t i = 0; i < count; ++i) {
      if (screen_.full()) {
        summary_.stopped_early = true;
        break;
      }
      const auto values = block.rows.row(i);
      if (!screen_.keep(next_ + i + 1, words_[next_ + i], values)) continue;
      if (i != block.words.size()) std::copy(values.begin(), values.end(), block.rows.row(block.words.size()).begin());
      block.words.push_back(std::move(words_[next_ + i]));
    }
    next_ += count;
    if (count < wanted && !summary_.stopped_early) {
      screen_.damaged_file(fmt::format("the file ends in row {} of {}", next_ + 1, header_.rows),
                           words_.size() - next_);
      words_.resize(next_);
    }
    if (screen_.full() && next_ < words_.size()) summary_.stopped_early = true;
    block.rows.truncate_rows(block.words.size());
    return block;
  }

  /// What a file of unknown length shows only now.
  void check_end() {
    if (!header_.fortran_order && !options_.lenient && !reader_.at_end())
      reader_.fail(fmt::format("more bytes follow the table of {} x {} numbers", header_.rows, header_.cols));
  }

  std::unique_ptr<ByteStream> stream_;
  BinaryReader reader_;
  ReadOptions options_;
  ReadSummary summary_;
  NpyHeader header_;
  RowScreen screen_;
  Stage stage_;
  std::vector<std::string> words_;
  MemoryBlock columns_;   // the whole table, where it is in Fortran order
  std::size_t next_ = 0;  // rows read so far
};

/// Of words beside a table; a pipe has none, and is refused before anything is written.
std::string words_path(const std::string& path) {
  return (path.ends_with(".npy") ? path.substr(0, path.size() - 4) : path) + ".vocab";
}

class NpySink : public VectorSink {
 public:
  NpySink(const std::string& path, std::size_t dimension, std::optional<std::uint64_t> expected_rows)
      : table_(path), words_(words_path(path)), dimension_(dimension) {
    if (table_.is_stream())
      throw UsageError(table_.path() + ": NumPy vectors are two files, a table and its words, which cannot go into a " +
                       "pipe; text, word2vec binary and .wbvec can");
    table_.write(make_npy_header(expected_rows.value_or(0), dimension));
  }

  void write(const std::vector<std::string>& words, ConstMatrixView rows) override {
    for (std::size_t i = 0; i < words.size(); ++i) {
      ++rows_;
      check(words[i]);
      words_.write(words[i]);
      words_.write("\n");
      digest_.add(words[i]);
      table_.write(rows.row(i).data(), dimension_ * sizeof(float));
    }
  }

  /// Two names cannot appear at once. Both files are complete on the disk before the first gets its name; between the
  /// two, the table is there with the digest of words that are not yet, which the reader notices.
  void finish() override {
    const std::string header = make_npy_header(rows_, dimension_, digest_.value());
    table_.overwrite(0, header.data(), header.size());
    table_.sync();
    words_.sync();
    table_.commit();
    words_.commit();
  }

 private:
  void check(const std::string& word) const {
    const char* reason = nullptr;
    if (word.empty()) reason = "is empty";
    if (word.find('\n') != std::string::npos) reason = "holds a line break";
    if (word.ends_with('\r')) reason = "ends in a carriage return";
    if (rows_ == 1 && word.starts_with("\xEF\xBB\xBF")) reason = "begins with a byte order mark";
    if (word.size() > kMaxWordBytes) reason = "is too long";
    if (reason != nullptr)
      throw InputError(words_.path(), 0,
                       fmt::format("cannot write row {}: the word {} {}, which a list with one word a line cannot "
                                   "represent",
                                   rows_, quoted_word(word), reason));
  }

  AtomicFile table_, words_;
  WordsDigest digest_;
  std::size_t dimension_;
  std::uint64_t rows_ = 0;
};

}  // namespace

bool looks_like_npy(std::string_view first_bytes) { return first_bytes.starts_with("\x93NUMPY"); }

std::unique_ptr<VectorSource> open_npy(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  return std::make_unique<NpySource>(std::move(stream), options);
}

std::unique_ptr<VectorSink> create_npy(const std::string& path, std::size_t dimension,
                                       std::optional<std::uint64_t> expected_rows) {
  return std::make_unique<NpySink>(path, dimension, expected_rows);
}

}  // namespace wordbridge
