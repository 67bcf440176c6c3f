#include "mapping/plain_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "io/byte_stream.h"
#include "io/lines.h"
#include "linalg/blas.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

// Far above any real matrix: what goes beyond is another kind of file.
constexpr std::size_t kMaxMatrixValues = std::size_t{1} << 28;

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::vector<std::string_view> split_fields(std::string_view text) {
  std::vector<std::string_view> fields;
  for (std::size_t i = 0; i < text.size();) {
    while (i < text.size() && is_blank(text[i])) ++i;
    const std::size_t begin = i;
    while (i < text.size() && !is_blank(text[i])) ++i;
    if (i > begin) fields.push_back(text.substr(begin, i - begin));
  }
  return fields;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The float nearest to the decimal number, as strtof; nothing for what is no finite number.
std::optional<float> parse_number(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return std::nullopt;
  // Out of range is too large or too small; the latter is a good number, zero or nearly so.
  if (error == std::errc::result_out_of_range)
    value = std::strtof(std::string(text).c_str(), nullptr);
  else if (error != std::errc())
    return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// Fit for a message of one line.
std::string shown(std::string_view field) {
  std::string text(field.substr(0, 24));
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 32 || c >= 127; }, '?');
  return field.size() > 24 ? text + "..." : text;
}

/// Takes a file line by line.
class Parser {
 public:
  Parser(std::string path, const PlainMatrixLayout& layout) : path_(std::move(path)), layout_(layout) {}

  void line(std::string_view text) {
    ++line_;
    if (line_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    const auto fields = split_fields(text);
    if (fields.empty() || fields.front().starts_with('#')) return;
    const bool first = first_line_ == 0;
    if (first) first_line_ = line_;
    if (!first || !take_header(fields)) add_row(fields);
  }

  Matrix finish() {
    if (first_line_ == 0) throw InputError(path_, 0, "there is no matrix in the file");
    if (header_ && (header_->rows != rows_ || header_->cols != cols_)) header_to_row();
    const Matrix matrix = Matrix::copy_of({values_.data(), rows_, cols_});
    return header_.has_value() == layout_.transpose ? transpose(matrix) : matrix;
  }

 private:
  struct Shape {
    std::uint64_t rows, cols;
  };

  bool take_header(const std::vector<std::string_view>& fields) {
    using Header = PlainMatrixLayout::Header;
    if (layout_.header == Header::absent) return false;
    const auto rows = fields.size() == 2 ? whole_number(fields[0]) : std::nullopt;
    const auto cols = fields.size() == 2 ? whole_number(fields[1]) : std::nullopt;
    if (rows && cols && *rows > 0 && *cols > 0) {
      header_ = Shape{*rows, *cols};
      return true;
    }
    if (layout_.header == Header::present)
      throw InputError(path_, line_, "a first line with the numbers of rows and columns is wanted");
    return false;
  }

  void add_row(const std::vector<std::string_view>& fields) {
    if (rows_ == 0) cols_ = fields.size();
    if (fields.size() != cols_)
      throw InputError(path_, line_, fmt::format("{} numbers where the row above has {}", fields.size(), cols_));
    if (values_.size() + cols_ > kMaxMatrixValues) throw InputError(path_, line_, "too long for a matrix");
    for (const std::string_view field : fields) {
      const auto value = parse_number(field);
      if (!value) throw InputError(path_, line_, fmt::format("'{}' is not a finite number", shown(field)));
      values_.push_back(*value);
    }
    ++rows_;
  }

  /// What follows is not what the first line says: either the file is damaged, or two whole numbers were the first row
  /// of a matrix of two columns.
  void header_to_row() {
    const bool may_be_row = layout_.header == PlainMatrixLayout::Header::detect && (rows_ == 0 || cols_ == 2);
    if (!may_be_row)
      throw InputError(
          path_, first_line_,
          fmt::format("the header says {} x {}, but {} x {} follow", header_->rows, header_->cols, rows_, cols_));
    const float row[2] = {static_cast<float>(header_->rows), static_cast<float>(header_->cols)};
    values_.insert(values_.begin(), std::begin(row), std::end(row));
    cols_ = 2;
    ++rows_;
    header_.reset();
  }

  std::string path_;
  PlainMatrixLayout layout_;
  std::uint64_t line_ = 0, first_line_ = 0;
  std::optional<Shape> header_;
  std::vector<float> values_;
  std::size_t rows_ = 0, cols_ = 0;
};

}  // namespace

Matrix parse_plain_matrix(std::string_view text, const std::string& path, const PlainMatrixLayout& layout) {
  Parser parser(path, layout);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.finish();
}

Matrix read_plain_matrix(const std::string& path, const PlainMatrixLayout& layout) {
  const auto stream = open_bytes(path);
  Parser parser(stream->path(), layout);
  LineReader lines(*stream, "a matrix");
  while (const auto line = lines.next()) parser.line(*line);
  return parser.finish();
}

std::string to_plain_text(ConstMatrixView w, const PlainMatrixLayout& layout) {
  const bool headered = layout.header != PlainMatrixLayout::Header::absent;
  const Matrix matrix = headered == layout.transpose ? transpose<float>(w) : Matrix::copy_of(w);
  std::string text;
  if (headered) text = fmt::format("{} {}\n", matrix.rows(), matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i) {
    for (const float value : matrix.row(i)) fmt::format_to(std::back_inserter(text), "{} ", value);
    text.back() = '\n';
  }
  return text;
}

}  // namespace wordbridge
