#include "vectors/formats/npy.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/resumable_file.h"
#include "io/binary_reader.h"
#include "parallel/thread_pool.h"
#include "vectors/formats/npy_header.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/word_list.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// Of words beside a table; a pipe has none, and is refused before anything is written.
std::string words_path(const std::string& path) {
  for (const std::string_view extension : {".npy", ".f32", ".f16"})
    if (path.ends_with(extension)) return path.substr(0, path.size() - extension.size()) + ".vocab";
  return path + ".vocab";
}

/// A table of numbers, with a header or without, and its words where they are not the numbers of rows.
class NumberTableSink : public VectorSink {
 public:
  NumberTableSink(const std::string& path, bool header, NumberTable table, const TableWriting& writing)
      : path_(path), header_(header), table_(std::move(table)) {
    table_.row_ids = writing.row_ids;
    assert(writing.row_ids || writing.resume_key.empty());
    if (writing.resume_key.empty())
      file_.emplace(path);
    else
      open_kept(writing.resume_key);
    if (!writing.row_ids) words_.emplace(words_path(path));
    if (words_ && file_->is_stream())
      throw UsageError(file_->path() + ": numbers and their words are two files, a table and a list, which cannot go " +
                       "into a pipe; text, word2vec binary and .wbvec can");
    if (header_ && kept_rows_ == 0) put(make_npy_header(table_));
    table_.rows = kept_rows_;
  }

  std::uint64_t kept_rows() const override { return kept_rows_; }

  void write(const std::vector<std::string>& words, ConstMatrixView rows) override {
    for (const std::string& word : words) {
      ++table_.rows;
      if (words_)
        add_word(word);
      else
        check_id(word);
    }
    write_numbers(rows);
    if (kept_) kept_->keep_now_and_then();
  }

  /// Two names cannot appear at once. Both files are complete on the disk before the first gets its name; between the
  /// two, the table is there with the digest of words that are not yet, which the reader notices.
  void finish() override {
    if (words_) table_.words_digest = digest_.value();
    const std::string header = header_ ? make_npy_header(table_) : "";
    if (kept_) {
      kept_->overwrite(0, header);
      kept_->commit();
      return;
    }
    file_->overwrite(0, header.data(), header.size());
    file_->sync();
    if (words_) words_->sync();
    file_->commit();
    if (words_) words_->commit();
  }

 private:
  void open_kept(const std::string& key) {
    kept_.emplace(path_, key);
    const std::uint64_t header = header_ ? kNpyHeaderBytes : 0, row = table_.row_bytes();
    if (kept_->size() <= header || (kept_->size() - header) % row != 0) kept_->restart();
    if (kept_->size() > 0) kept_rows_ = (kept_->size() - header) / row;
  }

  void put(const void* data, std::size_t bytes) {
    if (kept_)
      kept_->write(data, bytes);
    else
      file_->write(data, bytes);
  }
  void put(std::string_view text) { put(text.data(), text.size()); }

  void add_word(const std::string& word) {
    check(word);
    words_->write(word);
    words_->write("\n");
    digest_.add(word);
  }

  void check(const std::string& word) const {
    const char* reason = nullptr;
    if (word.empty()) reason = "is empty";
    if (word.find('\n') != std::string::npos) reason = "holds a line break";
    if (word.ends_with('\r')) reason = "ends in a carriage return";
    if (table_.rows == 1 && word.starts_with("\xEF\xBB\xBF")) reason = "begins with a byte order mark";
    if (word.size() > kMaxWordBytes) reason = "is too long";
    if (reason != nullptr)
      throw InputError(words_->path(), 0,
                       fmt::format("cannot write row {}: the word {} {}, which a list with one word a line cannot "
                                   "represent",
                                   table_.rows, quoted_word(word), reason));
  }

  /// The numbers of the rows of a part begin anywhere, but leave no gaps.
  void check_id(const std::string& id) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    const bool is_number = error == std::errc() && end == id.data() + id.size();
    if (table_.rows == kept_rows_ + 1) first_id_ = number - kept_rows_;
    if (!is_number || number != first_id_ + table_.rows - 1)
      throw InputError(
          path_, 0,
          fmt::format("cannot write row {}: it is row {} of the input, because damaged rows were left out, "
                      "and would change its number; give ids, or write text or .wbvec",
                      table_.rows, id));
  }

  void write_numbers(ConstMatrixView rows) {
    if (table_.type.kind == NumberType::Kind::float32) {
      if (rows.stride() == rows.cols()) return put(rows.data(), rows.rows() * rows.cols() * sizeof(float));
      for (std::size_t i = 0; i < rows.rows(); ++i) put(rows.row(i).data(), rows.cols() * sizeof(float));
      return;
    }
    halves_.resize(rows.rows() * rows.cols());
    ThreadPool::current().for_chunks(
        rows.rows(), 65536 / rows.cols() + 1, [&](std::size_t begin, std::size_t end, int) {
          for (std::size_t i = begin; i < end; ++i)
            if (!encode_float16(rows.row(i), halves_.data() + i * rows.cols()))
              throw InputError(path_, 0,
                               fmt::format("cannot write row {}: it has numbers that are too large for float16",
                                           table_.rows - rows.rows() + i + 1));
        });
    put(halves_.data(), halves_.size() * sizeof(std::uint16_t));
  }

  std::string path_;
  std::optional<AtomicFile> file_;
  std::optional<ResumableFile> kept_;  // in its place, where the work may go on later
  std::uint64_t kept_rows_ = 0;
  bool header_;
  NumberTable table_;
  std::optional<AtomicFile> words_;
  WordsDigest digest_;
  std::uint64_t first_id_ = 0;
  std::vector<std::uint16_t> halves_;
};

}  // namespace

bool looks_like_npy(std::string_view first_bytes) { return first_bytes.starts_with("\x93NUMPY"); }

std::unique_ptr<VectorSink> create_number_table(const std::string& path, VectorFormat format, std::size_t dimension,
                                                std::optional<std::uint64_t> expected_rows,
                                                const TableWriting& writing) {
  NumberTable table{.rows = expected_rows.value_or(0), .cols = dimension};
  if (format == VectorFormat::npy_float16 || format == VectorFormat::raw_float16)
    table.type.kind = NumberType::Kind::float16;
  const bool header = format == VectorFormat::npy || format == VectorFormat::npy_float16;
  return std::make_unique<NumberTableSink>(path, header, std::move(table), writing);
}

}  // namespace wordbridge
