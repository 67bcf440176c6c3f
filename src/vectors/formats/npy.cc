#include "vectors/formats/npy.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/atomic_file.h"
#include "base/resumable_file.h"
#include "base/wording.h"
#include "io/binary_reader.h"
#include "parallel/thread_pool.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/word_list.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::string_view kNpyMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeaderBytes = 65536;  // NumPy's own are some hundred bytes
constexpr std::uint64_t kDigestMark = 0x57, kRowIdsMark = 0x58;
constexpr std::size_t kMarkBits = 8, kDigestBits = 64;

/// What the header's Python dictionary says.
struct Dictionary {
  std::optional<std::string> description;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
};

/// A parser for the one kind of Python literal that the header may hold. Each function takes what it is named after
/// from the front of the text, or nothing.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  /// The whole text, or nullopt if it is not a dictionary of description, order and shape.
  std::optional<Dictionary> dictionary() {
    Dictionary found;
    if (!take("{")) return std::nullopt;
    while (!take("}")) {
      const auto key = string();
      if (!key || !take(":")) return std::nullopt;
      if (*key == "descr")
        found.description = description();
      else if (*key == "fortran_order")
        found.fortran_order = boolean();
      else if (*key == "shape")
        found.shape = shape();
      else
        return std::nullopt;
      if (!take(",") && peek() != '}') return std::nullopt;
    }
    skip_blanks();
    if (!text_.empty() || !found.description || !found.fortran_order || !found.shape) return std::nullopt;
    return found;
  }

 private:
  void skip_blanks() { text_.remove_prefix(std::min(text_.size(), text_.find_first_not_of(" \t\r\n"))); }
  char peek() {
    skip_blanks();
    return text_.empty() ? '\0' : text_.front();
  }
  bool take(std::string_view token) {
    skip_blanks();
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  std::optional<std::string> string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') return std::nullopt;
    const std::size_t end = text_.find(quote, 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }
  /// A string; for records, a list, of which it is enough to know that it is one.
  std::optional<std::string> description() {
    if (peek() != '[') return string();
    std::size_t end = 0;
    int depth = 0;
    do {
      if (text_[end] == '[') ++depth;
      if (text_[end] == ']') --depth;
    } while (++end < text_.size() && depth > 0);
    std::string list(text_.substr(0, end));
    text_.remove_prefix(end);
    return list;
  }
  std::optional<bool> boolean() {
    if (take("True")) return true;
    if (take("False")) return false;
    return std::nullopt;
  }
  std::optional<std::vector<std::uint64_t>> shape() {
    std::vector<std::uint64_t> sizes;
    if (!take("(")) return std::nullopt;
    while (!take(")")) {
      skip_blanks();
      std::uint64_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc()) return std::nullopt;
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      take("L");  // Python 2 wrote long numbers so
      sizes.push_back(size);
      if (!take(",") && peek() != ')') return std::nullopt;
    }
    return sizes;
  }

  std::string_view text_;
};

/// The bytes of a number and their order; fails for what is no floating-point number.
void set_type(NumberTable& table, const std::string& description, const BinaryReader& reader) {
  const std::string type = description.size() == 3 ? description.substr(1) : "";
  const char order = description.empty() ? '\0' : description.front();
  if ((order != '<' && order != '>' && order != '=') || (type != "f2" && type != "f4" && type != "f8"))
    reader.fail(
        fmt::format("holds an array of type {}; floating-point numbers of 16, 32 or 64 bits are wanted", description));
  table.type.kind = type == "f2"   ? NumberType::Kind::float16
                    : type == "f4" ? NumberType::Kind::float32
                                   : NumberType::Kind::float64;
  table.type.big_endian = order == '>';
}

void append_bits(std::string& blanks, std::uint64_t value, std::size_t bits) {
  for (std::size_t i = bits; i-- > 0;) blanks += (value >> i & 1) != 0 ? '\t' : ' ';
}

std::uint64_t bits_of(std::string_view blanks) {
  std::uint64_t value = 0;
  for (const char blank : blanks) value = value << 1 | (blank == '\t' ? 1 : 0);
  return value;
}

/// What make_npy_header() left in the blanks at the end of the header; nothing in headers of others.
void find_mark(std::string_view text, NumberTable& table) {
  if (text.size() <= kMarkBits + kDigestBits || text.back() != '\n') return;
  text.remove_suffix(1);
  const std::string_view blanks = text.substr(text.size() - kMarkBits - kDigestBits);
  if (blanks.find_first_not_of(" \t") != std::string_view::npos) return;
  const std::uint64_t mark = bits_of(blanks.substr(0, kMarkBits));
  if (mark == kDigestMark) table.words_digest = bits_of(blanks.substr(kMarkBits));
  table.row_ids = mark == kRowIdsMark;
}

}  // namespace

NumberTable read_npy_header(BinaryReader& reader) {
  std::string magic(kNpyMagic.size(), '\0');
  reader.read(magic.data(), magic.size(), "the header");
  if (magic != kNpyMagic) reader.fail("does not begin like a .npy file");
  const auto version = reader.read<std::uint8_t>("the header");
  reader.read<std::uint8_t>("the header");  // the minor version, 0 so far
  if (version < 1 || version > 3) reader.fail(fmt::format("is a .npy file of version {}; 1 to 3 can be read", version));
  const std::uint64_t bytes =
      version == 1 ? reader.read<std::uint16_t>("the header") : reader.read<std::uint32_t>("the header");
  if (bytes > kMaxHeaderBytes) reader.fail(fmt::format("the header is said to have {} bytes", bytes));
  std::string text(bytes, '\0');
  reader.read(text.data(), text.size(), "the header");
  const auto dictionary = HeaderParser(text).dictionary();
  if (!dictionary) reader.fail("the header is no dictionary of 'descr', 'fortran_order' and 'shape'");
  NumberTable table{.format = "NumPy"};
  find_mark(text, table);
  set_type(table, *dictionary->description, reader);
  table.fortran_order = *dictionary->fortran_order;
  const auto& shape = *dictionary->shape;
  if (shape.size() != 2)
    reader.fail(fmt::format("holds an array of {}; word vectors are a table of 2", counted(shape.size(), "dimension")));
  table.rows = shape[0];
  table.cols = shape[1];
  if (table.cols == 0 || table.cols > kMaxDimension || table.rows > kMostTableRows)
    reader.fail(fmt::format("holds a table of {} x {} numbers, which cannot be", table.rows, table.cols));
  return table;
}

std::string make_npy_header(const NumberTable& table) {
  std::string header(kNpyMagic);
  header += {'\1', '\0', static_cast<char>(kNpyHeaderBytes - kNpyMagic.size() - 4), '\0'};
  header += fmt::format("{{'descr': '<f{}', 'fortran_order': False, 'shape': ({}, {}), }}", table.type.bytes(),
                        table.rows, table.cols);
  assert(header.size() + kMarkBits + kDigestBits < kNpyHeaderBytes);
  header.resize(kNpyHeaderBytes - 1 - kMarkBits - kDigestBits, ' ');
  append_bits(header, table.words_digest ? kDigestMark : table.row_ids ? kRowIdsMark : 0, kMarkBits);
  append_bits(header, table.words_digest.value_or(0), kDigestBits);
  return header + '\n';
}

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
