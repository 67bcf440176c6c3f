#include <fmt/format.h>

#include <cassert>
#include <charconv>

#include "base/atomic_file.h"
#include "io/compressed_stream.h"
#include "parallel/thread_pool.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/text.h"
#include "vectors/formats/text_rows.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kRowsAtOnce = 256;  // formatted by one thread

/// True where a reader gets this word back from a line of its own.
bool comes_back(std::string_view word, std::string_view line, std::size_t dimension) {
  if (word.empty() || word.find_first_of("\r\n") != std::string_view::npos) return false;
  if (word.find_first_of(" \t") == std::string_view::npos) return true;
  std::vector<float> values(dimension);
  return parse_text_row(line, values).word == word;
}

void append_row(std::string_view word, std::span<const float> values, std::string& text) {
  text += word;
  char digits[32];
  for (const float value : values) {
    text += ' ';
    text.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
  }
}

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
    assert(words.size() == rows.rows() && (rows.rows() == 0 || rows.cols() == dimension_));
    std::vector<std::string> pieces((words.size() + kRowsAtOnce - 1) / kRowsAtOnce);
    ThreadPool::current().for_chunks(words.size(), kRowsAtOnce, [&](std::size_t begin, std::size_t end, int) {
      std::string& piece = pieces[begin / kRowsAtOnce];
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
    const std::size_t begin = out.size();
    append_row(word, values, out);
    if (!comes_back(word, std::string_view(out).substr(begin), dimension_))
      throw InputError(file_.path(), 0, fmt::format("the word {} cannot be written as text", quoted_word(word)));
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

std::unique_ptr<VectorSink> create_text(const std::string& path, std::size_t dimension,
                                        std::optional<std::uint64_t> expected_rows) {
  return std::make_unique<TextSink>(path, dimension, expected_rows);
}

}  // namespace wordbridge
