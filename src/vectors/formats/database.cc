#include "vectors/formats/database.h"

#include <fmt/format.h>

#include <cassert>
#include <charconv>
#include <cstring>
#include <iterator>

#include "base/atomic_file.h"
#include "parallel/thread_pool.h"
#include "vectors/formats/row_screen.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kDatabaseRowsAtOnce = 256;  // formatted by one thread

/// As COPY's text format wants it.
void append_copied(std::string_view text, std::string& line) {
  for (const char c : text) switch (c) {
      case '\\':
        line += "\\\\";
        break;
      case '\t':
        line += "\\t";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      default:
        line += c;
    }
}

void append_quoted(std::string_view text, std::string& line) {
  line += '\'';
  for (const char c : text) line.append(c == '\'' ? 2 : 1, c);
  line += '\'';
}

void append_list(std::span<const float> values, std::string& line) {
  char digits[32];
  line += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) line += ',';
    line.append(digits, std::to_chars(digits, digits + sizeof(digits), values[i]).ptr);
  }
  line += ']';
}

void append_blob(std::span<const float> values, std::string& line) {
  constexpr char kDigits[] = "0123456789abcdef";
  line += "x'";
  for (const float value : values) {
    unsigned char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    for (const unsigned char byte : bytes) {
      line += kDigits[byte >> 4];
      line += kDigits[byte & 15];
    }
  }
  line += '\'';
}

class DatabaseSink final : public VectorSink {
 public:
  DatabaseSink(const std::string& path, bool script, std::size_t dimension)
      : file_(path), script_(script), dimension_(dimension) {
    if (script_)
      file_.write("BEGIN;\nCREATE TABLE words(word TEXT NOT NULL, rank INTEGER PRIMARY KEY, vector BLOB NOT NULL);\n");
  }

  void write(const std::vector<std::string>& words, ConstMatrixView rows) override {
    assert(words.size() == rows.rows() && (rows.rows() == 0 || rows.cols() == dimension_));
    std::vector<std::string> pieces((words.size() + kDatabaseRowsAtOnce - 1) / kDatabaseRowsAtOnce);
    ThreadPool::current().for_chunks(words.size(), kDatabaseRowsAtOnce, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i)
        append(words[i], rows_ + i + 1, rows.row(i), pieces[begin / kDatabaseRowsAtOnce]);
    });
    for (const std::string& piece : pieces) file_.write(piece);
    rows_ += words.size();
  }

  void finish() override {
    if (script_) file_.write("CREATE INDEX words_by_word ON words(word);\nCOMMIT;\n");
    file_.commit();
  }

 private:
  void append(const std::string& word, std::uint64_t rank, std::span<const float> values, std::string& out) const {
    if (word.find('\0') != std::string::npos || !valid_utf8(word))
      throw InputError(
          file_.path(), 0,
          fmt::format("cannot write row {}: the word {} is no text to a database", rank, quoted_word(word)));
    if (script_) {
      out += "INSERT INTO words VALUES(";
      append_quoted(word, out);
      fmt::format_to(std::back_inserter(out), ",{},", rank);
      append_blob(values, out);
      out += ");\n";
    } else {
      append_copied(word, out);
      fmt::format_to(std::back_inserter(out), "\t{}\t", rank);
      append_list(values, out);
      out += '\n';
    }
  }

  AtomicFile file_;
  bool script_;
  std::size_t dimension_;
  std::uint64_t rows_ = 0;
};

}  // namespace

std::unique_ptr<VectorSink> create_database(const std::string& path, VectorFormat format, std::size_t dimension) {
  return std::make_unique<DatabaseSink>(path, format == VectorFormat::sqlite, dimension);
}

}  // namespace wordbridge
