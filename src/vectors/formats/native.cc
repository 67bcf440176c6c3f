#include "vectors/formats/native.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/atomic_file.h"
#include "base/wording.h"
#include "io/binary_reader.h"
#include "parallel/thread_pool.h"
#include "vectors/formats/native_layout.h"
#include "vectors/formats/row_screen.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// An open file of which all but words and rows is checked.
class NativeFile {
 public:
  enum class Table { in_memory, streamed };

  /// With Table::streamed the rows stay in the stream where that is possible: see table().
  NativeFile(ByteStream& stream, Table table) : reader_(stream) {
    std::array<char, sizeof(NativeHeader)> bytes{};
    reader_.read(bytes.data(), bytes.size(), "the header");
    header_ = parse_native_header(stream.path(), bytes);
    const auto remaining = reader_.remaining();
    if (remaining) check_size(*remaining);
    load(table);
    tail_.emplace(stream.path(), header_, std::string_view(tail_block_.data, tail_block_.bytes));
  }

  const NativeHeader& header() const { return header_; }
  const NativeTail& tail() const { return *tail_; }
  /// The rows; empty where they are still to be taken from reader().
  const MemoryBlock& table() const { return table_block_; }
  /// Whether the rows are those of the file itself, which must not be written to.
  bool is_mapped() const { return is_mapped_; }
  BinaryReader& reader() { return reader_; }

  bool intact(std::size_t block, const void* rows) const {
    const std::size_t bytes = header_.rows_of(block) * header_.dimension * sizeof(float);
    return xxh3(rows, bytes) == tail_->entry(block).table_checksum;
  }
  std::string damage(std::size_t block) const {
    const std::uint64_t first = std::uint64_t{header_.block_rows} * block;
    return fmt::format("rows {} to {} are damaged: their checksum does not match", first + 1,
                       first + header_.rows_of(block));
  }

 private:
  void check_size(std::uint64_t remaining) const {
    const std::uint64_t wanted = header_.file_bytes - sizeof(NativeHeader);
    if (remaining < wanted)
      reader_.fail(fmt::format("ends early: {} of its {} bytes are missing", wanted - remaining, header_.file_bytes));
    if (remaining > wanted)
      reader_.fail(counted(remaining - wanted, "byte follows", "bytes follow") + " the end of the data");
  }

  void load(Table table) {
    const std::uint64_t tail_bytes = header_.file_bytes - header_.table_end();
    if (const auto file = reader_.plain_file()) {
      auto tail = file->map(header_.table_end(), tail_bytes);
      std::optional<MemoryBlock> rows;
      if (table == Table::in_memory) rows = file->map(header_.table_offset, header_.table_bytes());
      if (tail && (rows || table == Table::streamed)) {
        tail_block_ = std::move(*tail);
        if (rows) table_block_ = std::move(*rows);
        is_mapped_ = rows.has_value();
        return;
      }
    }
    table_block_ = reader_.read_block(header_.table_bytes());
    tail_block_ = reader_.read_block(tail_bytes);
    if (!reader_.at_end()) reader_.fail("more bytes follow the end of the data");
  }

  BinaryReader reader_;
  NativeHeader header_;
  MemoryBlock table_block_, tail_block_;
  bool is_mapped_ = false;
  std::optional<NativeTail> tail_;
};

ReadSummary new_summary(const ByteStream& stream, const NativeHeader& header) {
  ReadSummary summary;
  summary.path = stream.path();
  summary.format = "wordbridge";
  summary.compression = stream.compression();
  summary.dimension = header.dimension;
  summary.header_rows = header.rows;
  summary.space = header.space;
  return summary;
}

class NativeSource : public VectorSource {
 public:
  NativeSource(std::unique_ptr<ByteStream> stream, const ReadOptions& options)
      : stream_(std::move(stream)),
        file_(*stream_, NativeFile::Table::streamed),
        summary_(new_summary(*stream_, file_.header())),
        screen_(summary_, options),
        stage_(reading_stage(stream_->path())) {}

  std::size_t dimension() const override { return file_.header().dimension; }
  std::optional<std::uint64_t> promised_rows() const override { return file_.header().rows; }
  const ReadSummary& summary() const override { return summary_; }

  std::optional<VectorBlock> next() override {
    VectorBlock block;
    while (block.words.empty() && next_block_ < file_.header().blocks() && !summary_.stopped_early) {
      if (screen_.full())
        summary_.stopped_early = true;
      else
        block = read(next_block_++);
    }
    stage_.update(next_block_, file_.header().blocks());
    if (!block.words.empty()) return block;
    screen_.require_rows();
    return std::nullopt;
  }

 private:
  VectorBlock read(std::size_t number) {
    const NativeHeader& header = file_.header();
    const std::size_t rows = header.rows_of(number);
    VectorBlock block{{}, Matrix::uninitialized(rows, dimension())};
    const std::size_t bytes = rows * dimension() * sizeof(float);
    if (file_.table().bytes > 0)
      std::memcpy(block.rows.data(), file_.table().data + number * header.block_rows * dimension() * sizeof(float),
                  bytes);
    else
      file_.reader().read(block.rows.data(), bytes, "the table");
    const auto words = file_.tail().words(number);
    if (!words || !file_.intact(number, block.rows.data())) {
      screen_.damaged_file(file_.damage(number), rows);
      return {};
    }
    for (std::size_t i = 0; i < rows; ++i) {
      if (screen_.full()) {
        summary_.stopped_early = true;
        break;
      }
      const auto values = block.rows.row(i);
      if (!screen_.keep(number * header.block_rows + i + 1, (*words)[i], values)) continue;
      std::copy(values.begin(), values.end(), block.rows.row(block.words.size()).begin());
      block.words.emplace_back((*words)[i]);
    }
    block.rows.truncate_rows(block.words.size());
    return block;
  }

  std::unique_ptr<ByteStream> stream_;
  NativeFile file_;
  ReadSummary summary_;
  RowScreen screen_;
  Stage stage_;
  std::size_t next_block_ = 0;
};

/// Loads a whole table: from a mapped file into memory of its own, because a page that is written to where it is mapped
/// costs more than a copy, else in place. Rows that are set aside are closed up.
class NativeLoader {
 public:
  NativeLoader(ByteStream& stream, const ReadOptions& options)
      : file_(stream, NativeFile::Table::in_memory),
        options_(options),
        summary_(new_summary(stream, file_.header())),
        screen_(summary_, options),
        stage_(reading_stage(stream.path())),
        stored_(reinterpret_cast<float*>(file_.table().data), file_.header().rows, file_.header().dimension),
        table_(file_.is_mapped() ? Matrix::uninitialized(most_rows(), stored_.cols())
                                 : Matrix::adopt(stored_.data(), stored_.rows(), stored_.cols(), file_.table().owner)) {
  }

  WordVectors load() {
    const NativeHeader& header = file_.header();
    vocabulary_.reserve(most_rows());
    for (std::size_t begin = 0; begin < header.blocks() && !full();) {
      const std::size_t end = std::min(header.blocks(), begin + batch());
      std::vector<BlockCheck> checks(end - begin);
      ThreadPool::current().for_chunks(
          end - begin, 1, [&](std::size_t first, std::size_t, int) { checks[first] = check(begin + first); });
      for (; begin < end && !full(); ++begin) add_block(begin, checks[checks.size() - (end - begin)]);
      copy_kept();
      stage_.update(begin, header.blocks());
    }
    summary_.stopped_early = full() && next_row_ < header.rows;
    screen_.require_rows();
    table_.truncate_rows(vocabulary_.size());
    const bool as_stored = next_row_ == vocabulary_.size();
    std::string checksum = as_stored ? stored_checksum() : std::string();
    WordVectors vectors(std::move(vocabulary_), std::move(table_), std::move(summary_));
    vectors.set_content_checksum(std::move(checksum));
    return vectors;
  }

 private:
  bool full() const { return options_.max_words != 0 && vocabulary_.size() >= options_.max_words; }
  /// Blocks to check at once: what is still wanted, and no more than keeps progress moving.
  std::size_t batch() const {
    constexpr std::size_t kMost = 64;
    if (options_.max_words == 0) return kMost;
    const std::size_t wanted = options_.max_words - vocabulary_.size();
    return std::min(kMost, (wanted - 1) / file_.header().block_rows + 1);
  }
  std::size_t most_rows() const {
    const std::uint64_t rows = file_.header().rows;
    return options_.max_words != 0 ? std::min<std::uint64_t>(options_.max_words, rows) : rows;
  }

  /// What can be told of a block without the blocks before it.
  struct BlockCheck {
    bool intact = false;
    std::vector<RowValues> values;  // of each row
  };
  BlockCheck check(std::size_t block) const {
    const std::size_t begin = block * file_.header().block_rows, end = begin + file_.header().rows_of(block);
    BlockCheck result{file_.intact(block, stored_.row(begin).data()), {}};
    for (std::size_t i = begin; i < end && result.intact; ++i) result.values.push_back(values_of(stored_.row(i)));
    return result;
  }

  void add_block(std::size_t block, const BlockCheck& check) {
    const std::size_t rows = file_.header().rows_of(block);
    const auto words = file_.tail().words(block);
    if (!check.intact || !words) {
      screen_.damaged_file(file_.damage(block), rows);
      next_row_ += rows;
      return;
    }
    for (std::size_t i = 0; i < rows && !full(); ++i) {
      const std::size_t row = next_row_++;
      const std::string_view word = (*words)[i];
      // The first row of a word counts, if it is not damaged.
      const bool usable = !word.empty() && check.values[i] != RowValues::not_finite;
      if (usable ? !vocabulary_.add(word) : vocabulary_.contains(word)) {
        ++summary_.duplicates;
        continue;
      }
      if (screen_.keep(row + 1, word, check.values[i])) kept_.push_back(row);
    }
  }

  /// The rows whose words were added last.
  void copy_kept() {
    const std::size_t place = vocabulary_.size() - kept_.size();
    const auto copy = [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i)
        if (const float* row = stored_.row(kept_[i]).data(); row != table_.row(place + i).data())
          std::copy_n(row, table_.cols(), table_.row(place + i).data());
    };
    if (file_.is_mapped())
      ThreadPool::current().for_chunks(kept_.size(), 1024, copy);
    else
      copy(0, kept_.size(), 0);  // in order: a row may be another's new place
    kept_.clear();
  }

  /// From the stored digests of whole blocks; only a last block that is used in part is hashed.
  std::string stored_checksum() const {
    const std::size_t block_rows = file_.header().block_rows;
    const std::size_t rows = table_.rows();
    std::vector<Sha256::Digest> digests;
    for (std::size_t begin = 0; begin < rows; begin += block_rows) {
      const std::size_t block = begin / block_rows;
      if (rows - begin >= file_.header().rows_of(block)) {
        digests.push_back(file_.tail().entry(block).content_digest);
        continue;
      }
      std::vector<std::string_view> words;
      for (std::size_t i = begin; i < rows; ++i) words.push_back(vocabulary_[i]);
      digests.push_back(content_block_digest(words, table_.view().slice(begin, rows)));
    }
    return content_checksum_of_blocks(rows, table_.cols(), digests);
  }

  NativeFile file_;
  ReadOptions options_;
  ReadSummary summary_;
  RowScreen screen_;
  Stage stage_;
  Vocabulary vocabulary_;
  MatrixView stored_;  // all rows of the file
  Matrix table_;
  std::size_t next_row_ = 0;       // rows of the file that were looked at
  std::vector<std::size_t> kept_;  // those that are still to be copied
};

class NativeSink : public VectorSink {
 public:
  NativeSink(const std::string& path, std::size_t dimension, std::uint64_t space)
      : file_(path), space_(space), block_(Matrix::uninitialized(kContentBlockRows, dimension)) {
    const NativeHeader placeholder;
    file_.write(&placeholder, sizeof(placeholder));
  }

  void write(const std::vector<std::string>& words, ConstMatrixView rows) override {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i].size() > kMaxWordBytes)
        throw InputError(
            file_.path(), 0,
            fmt::format("cannot write row {}: the word {} has {} bytes, more than {}", rows_ + block_words_.size() + 1,
                        quoted_word(words[i]), words[i].size(), kMaxWordBytes));
      std::copy_n(rows.row(i).data(), block_.cols(), block_.row(block_words_.size()).data());
      block_words_.push_back(words[i]);
      if (block_words_.size() == kContentBlockRows) end_block();
    }
  }

  void finish() override {
    if (!block_words_.empty()) end_block();
    pad();
    file_.write(words_);
    pad();
    file_.write(index_.data(), index_.size() * sizeof(NativeEntry));
    const NativeHeader header = make_native_header(rows_, block_.cols(), words_.size(), index_, space_);
    file_.overwrite(0, &header, sizeof(header));
    file_.commit();
  }

 private:
  void end_block() {
    const ConstMatrixView rows = block_.view().slice(0, block_words_.size());
    const std::size_t bytes = rows.rows() * rows.cols() * sizeof(float);
    const std::vector<std::string_view> words(block_words_.begin(), block_words_.end());
    NativeEntry entry;
    entry.words_begin = words_.size();
    for (const std::string_view word : words) append_native_word(words_, word);
    entry.words_bytes = words_.size() - entry.words_begin;
    entry.table_checksum = xxh3(rows.data(), bytes);
    entry.words_checksum = xxh3(words_.data() + entry.words_begin, entry.words_bytes);
    entry.content_digest = content_block_digest(words, rows);
    index_.push_back(entry);
    file_.write(rows.data(), bytes);
    rows_ += rows.rows();
    block_words_.clear();
  }

  void pad() { file_.write(std::string(native_aligned(file_.size()) - file_.size(), '\0')); }

  AtomicFile file_;
  std::uint64_t space_;
  Matrix block_;  // the block being filled
  std::vector<std::string> block_words_;
  std::string words_;  // of all blocks before, as they are stored
  std::vector<NativeEntry> index_;
  std::uint64_t rows_ = 0;
};

}  // namespace

bool looks_like_native(std::string_view first_bytes) {
  return first_bytes.starts_with(std::string_view(kNativeMagic.data(), kNativeMagic.size()));
}

std::unique_ptr<VectorSource> open_native(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  return std::make_unique<NativeSource>(std::move(stream), options);
}

WordVectors read_native(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  return NativeLoader(*stream, options).load();
}

std::unique_ptr<VectorSink> create_native(const std::string& path, std::size_t dimension,
                                          std::optional<std::uint64_t> /*expected_rows*/, std::uint64_t space) {
  return std::make_unique<NativeSink>(path, dimension, space);
}

}  // namespace wordbridge
