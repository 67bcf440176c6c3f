#include "vectors/formats/word2vec_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/atomic_file.h"
#include "io/binary_reader.h"
#include "io/compressed_stream.h"
#include "vectors/formats/row_screen.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kLongestHeader = 128;

struct Header {
  std::uint64_t rows = 0;
  std::uint64_t dimension = 0;
  std::size_t bytes = 0;  // with the line break
};

void skip_blanks(std::string_view& text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\r')) text.remove_prefix(1);
}

std::optional<std::uint64_t> take_number(std::string_view& text) {
  skip_blanks(text);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

/// The line `count dimension`.
std::optional<Header> parse_first_line(std::string_view first_bytes) {
  const std::size_t end = first_bytes.substr(0, kLongestHeader).find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view line = first_bytes.substr(0, end);
  const auto rows = take_number(line);
  const auto dimension = take_number(line);
  skip_blanks(line);
  if (!rows || !dimension || !line.empty()) return std::nullopt;
  return Header{*rows, *dimension, end + 1};
}

bool looks_numeric(std::string_view token) {
  return !token.empty() && token.find_first_not_of("0123456789+-.eEnaifNAIFty") == std::string_view::npos;
}

/// True where the line is a row of the text format: it ends in `dimension` tokens made of the letters of numbers. Of a
/// line that the sample cuts off, the last few will do.
bool is_text_row(std::string_view line, bool complete, std::uint64_t dimension) {
  constexpr std::string_view kBlanks = " \t\r";
  if (!complete) line = line.substr(0, line.find_last_of(kBlanks) + 1);  // the last token may be cut
  for (std::uint64_t left = complete ? dimension : std::min<std::uint64_t>(dimension, 16); left > 0; --left) {
    line = line.substr(0, line.find_last_not_of(kBlanks) + 1);
    const std::size_t blank = line.find_last_of(kBlanks);
    if (blank == std::string_view::npos || !looks_numeric(line.substr(blank + 1))) return false;
    line = line.substr(0, blank);
  }
  return true;
}

/// True for bytes that no text holds: control bytes, or bytes that are not UTF-8.
bool holds_binary(std::string_view bytes) {
  std::size_t continuation = 0;
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7f) return true;
    const bool continues = (byte & 0xC0) == 0x80;
    if (continues != (continuation > 0)) return true;
    if (continues)
      --continuation;
    else if (byte >= 0xF8)
      return true;
    else if (byte >= 0xC0)
      continuation = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
  }
  return false;
}

class Word2vecBinarySource : public VectorSource {
 public:
  Word2vecBinarySource(std::unique_ptr<ByteStream> stream, const ReadOptions& options)
      : stream_(std::move(stream)),
        reader_(*stream_),
        options_(options),
        screen_(summary_, options),
        stage_(reading_stage(stream_->path())) {
    summary_.path = stream_->path();
    summary_.format = "word2vec binary";
    summary_.compression = stream_->compression();
    read_header();
  }

  std::size_t dimension() const override { return header_.dimension; }
  std::optional<std::uint64_t> promised_rows() const override { return header_.rows; }
  const ReadSummary& summary() const override { return summary_; }

  std::optional<VectorBlock> next() override {
    const std::size_t wanted = rows_of_block(dimension());
    VectorBlock block{{}, Matrix::uninitialized(wanted, dimension())};
    try {
      while (!done_ && block.words.size() < wanted) read_row(block);
    } catch (const CompressedStreamError& error) {
      screen_.damaged_file(error.reason(), 1);  // throws the same again, unless lenient
      done_ = true;
    }
    block.rows.truncate_rows(block.words.size());
    stage_.update(stream_->file_position(), stream_->file_size().value_or(0));
    if (!block.words.empty()) return block;
    screen_.require_rows();
    return std::nullopt;
  }

 private:
  void read_header() {
    const auto header = parse_first_line(reader_.peek(kLongestHeader));
    if (!header) reader_.fail("does not begin with a line `count dimension`");
    header_ = *header;
    std::string line(header_.bytes, '\0');
    reader_.read(line.data(), line.size(), "the header");
    summary_.header_rows = header_.rows;
    summary_.dimension = header_.dimension;
    if (header_.dimension == 0 || header_.dimension > kMaxDimension)
      reader_.fail(fmt::format("the header gives dimension {}", header_.dimension));
    // A row takes at least the space after its word and its numbers.
    const std::uint64_t least = 1 + header_.dimension * sizeof(float);
    const auto remaining = reader_.remaining();
    if (!options_.lenient && remaining && header_.rows > *remaining / least)
      reader_.fail(fmt::format("the header promises {} rows of dimension {}, the file can hold {} at most",
                               header_.rows, header_.dimension, *remaining / least));
  }

  /// Reads one row into the block, or sets done_.
  void read_row(VectorBlock& block) {
    skip_line_breaks();
    if (reader_.at_end()) return finish();
    if (screen_.full()) {
      summary_.stopped_early = done_ = true;
      return;
    }
    ++row_;
    auto word = reader_.read_word(' ');
    if (!word) {
      // Without the end of the word there is no way to find the next row.
      screen_.damaged(row_, "",
                      reader_.peek(kMaxWordBytes + 1).size() > kMaxWordBytes
                          ? fmt::format("no space ends the word within {} bytes", kMaxWordBytes)
                          : "the file ends in the word");
      done_ = true;
      return;
    }
    const auto values = block.rows.row(block.words.size());
    if (reader_.read_some(values.data(), values.size_bytes()) < values.size_bytes()) {
      screen_.damaged(row_, *word, "the file ends in the vector");
      done_ = true;
      return;
    }
    if (word->find('\n') != std::string::npos)
      screen_.damaged(row_, *word, "the word holds a line break");
    else if (screen_.keep(row_, *word, values))
      block.words.push_back(std::move(*word));
  }

  /// The line break after a vector; before the first word there is none, but it does no harm.
  void skip_line_breaks() {
    char line_break = 0;
    while (reader_.peek(1) == "\n") reader_.read_some(&line_break, 1);
  }

  void finish() {
    done_ = true;
    if (row_ < header_.rows)
      screen_.damaged_file(fmt::format("the header promises {} rows, the file ends after {}", header_.rows, row_));
  }

  std::unique_ptr<ByteStream> stream_;
  BinaryReader reader_;
  ReadOptions options_;
  ReadSummary summary_;
  RowScreen screen_;
  Stage stage_;
  Header header_;
  std::uint64_t row_ = 0;  // rows met so far, kept or not
  bool done_ = false;
};

class Word2vecBinarySink : public VectorSink {
 public:
  Word2vecBinarySink(const std::string& path, std::size_t dimension, std::optional<std::uint64_t> expected_rows)
      : file_(path), dimension_(dimension), count_(expected_rows ? fmt::format("{}", *expected_rows) : kUnknownCount) {
    file_.write(count_ + fmt::format(" {}\n", dimension));
  }

  void write(const std::vector<std::string>& words, ConstMatrixView rows) override {
    for (std::size_t i = 0; i < words.size(); ++i) {
      ++rows_;
      if (words[i].empty() || words[i].find_first_of(" \n") != std::string::npos)
        throw InputError(file_.path(), 0,
                         fmt::format("cannot write row {}: {}, which word2vec binary cannot represent; text, .npy and "
                                     ".wbvec can",
                                     rows_, describe(words[i])));
      file_.write(words[i]);
      file_.write(" ");
      file_.write(rows.row(i).data(), dimension_ * sizeof(float));
      file_.write("\n");
    }
  }

  void finish() override {
    // The count keeps its width, with leading zeros: every reader takes it for the same number.
    const std::string count = fmt::format("{:0{}}", rows_, count_.size());
    if (count.size() == count_.size())
      file_.overwrite(0, count.data(), count.size());
    else
      file_.splice(0, count_.size(), count);
    file_.commit();
  }

 private:
  static std::string describe(const std::string& word) {
    if (word.empty()) return "the word is empty";
    return fmt::format("the word {} holds a {}", quoted_word(word),
                       word.find(' ') != std::string::npos ? "space" : "line break");
  }

  // Room for any count that memory of today can hold.
  static constexpr const char* kUnknownCount = "0000000000";

  AtomicFile file_;
  std::size_t dimension_;
  std::string count_;  // as it stands in the file
  std::uint64_t rows_ = 0;
};

}  // namespace

bool looks_like_word2vec_binary(std::string_view first_bytes) {
  const auto header = parse_first_line(first_bytes);
  if (!header || header->dimension == 0) return false;
  std::string_view body = first_bytes.substr(header->bytes);
  const std::size_t end = body.find('\n');
  if (is_text_row(body.substr(0, end), end != std::string_view::npos || first_bytes.size() < 65536, header->dimension))
    return false;
  // Not a clean row of text: some hundred bytes of numbers nearly always hold bytes that no text has.
  body.remove_prefix(std::min(body.size(), body.find(' ')));
  return holds_binary(body.substr(0, 512));
}

std::unique_ptr<VectorSource> open_word2vec_binary(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  return std::make_unique<Word2vecBinarySource>(std::move(stream), options);
}

std::unique_ptr<VectorSink> create_word2vec_binary(const std::string& path, std::size_t dimension,
                                                   std::optional<std::uint64_t> expected_rows) {
  return std::make_unique<Word2vecBinarySink>(path, dimension, expected_rows);
}

}  // namespace wordbridge
