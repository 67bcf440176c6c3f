#include "vectors/formats/item_table.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/wording.h"
#include "io/lines.h"
#include "linalg/blas.h"
#include "vectors/formats/npy.h"
#include "vectors/formats/number_table.h"
#include "vectors/formats/row_screen.h"
#include "vectors/formats/safetensors.h"
#include "vectors/formats/word_list.h"
#include "vectors/row_blocks.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::string_view kSafetensors = "safetensors";

/// The tensor that the format names; nullopt if it does not name safetensors.
std::optional<std::string> tensor_of_format(std::string_view format) {
  if (format == kSafetensors) return "";
  if (format.starts_with("safetensors:")) return std::string(format.substr(kSafetensors.size() + 1));
  return std::nullopt;
}

NumberTable read_table_header(BinaryReader& reader, const ReadOptions& options) {
  if (const auto raw = parse_raw_format(options.format)) return raw_table(*raw, reader);
  if (const auto tensor = tensor_of_format(options.format)) return read_safetensors_header(reader, *tensor);
  if (!options.format.empty())
    throw UsageError(
        fmt::format("format '{}': raw:TYPE:DIMENSION (as raw:f16:1024), safetensors or safetensors:NAME "
                    "is wanted; all other formats are recognized",
                    options.format));
  if (looks_like_safetensors(reader.peek(16))) return read_safetensors_header(reader, "");
  return read_npy_header(reader);
}

/// The list of names that lies beside a table; empty where there is none.
std::string list_beside(std::string_view path) {
  for (const std::string_view extension : {".gz", ".zst", ".xz", ".bz2"})
    if (path.ends_with(extension)) path.remove_suffix(extension.size());
  for (const std::string_view extension : {".npy", ".safetensors", ".f32", ".f16"})
    if (path.ends_with(extension)) {
      path.remove_suffix(extension.size());
      break;
    }
  const std::string stem(path);
  std::error_code ignored;
  for (const char* list : {".vocab", ".txt", ".vocab.txt"})
    if (std::filesystem::exists(stem + list, ignored)) return stem + list;
  return {};
}

/// A table that is being read, or was looked at.
struct OpenTable {
  OpenTable(std::unique_ptr<ByteStream> bytes, const ReadOptions& options)
      : stream(std::move(bytes)), reader(*stream), table(read_table_header(reader, options)) {}

  /// What the size of the file tells, where it is known.
  void check_size() const {
    const auto left = reader.remaining();
    if (!left) return;
    const std::uint64_t bytes = table.bytes_before + table.data_bytes();
    const std::string what = fmt::format("the table of {} x {} numbers", table.rows, table.cols);
    reader.require(bytes, what);
    if (table.ends_file && *left > bytes)
      reader.fail(fmt::format("{} {}", counted(*left - bytes, "byte follows", "bytes follow"), what));
  }
  /// What a file of unknown length shows only when all is read.
  void check_end() {
    if (table.ends_file && !table.fortran_order && !reader.remaining() && !reader.at_end())
      reader.fail(fmt::format("more bytes follow the table of {} x {} numbers", table.rows, table.cols));
  }

  std::unique_ptr<ByteStream> stream;
  BinaryReader reader;
  NumberTable table;
};

/// A table that was written here knows its words. Somebody who names a list takes it as it is.
void check_pair(const OpenTable& opened, const WordList& list) {
  if (opened.table.words_digest && list.digest() != *opened.table.words_digest)
    opened.reader.fail(
        fmt::format("{} does not hold the words that were written with this table: one of the two was "
                    "replaced without the other, or changed (name the vocabulary file to use it as it is)",
                    list.path()));
}

/// What EvenBlocks take as they are; fewer where rows are so long that these would fill the memory.
std::size_t rows_at_once(std::size_t dimension) {
  constexpr std::size_t kMostNumbers = std::size_t{16} << 20;
  return std::clamp<std::size_t>(kMostNumbers / dimension, 1, EvenBlocks::usual_rows(dimension));
}

class ItemTableSource : public VectorSource {
 public:
  /// `first` is the first file, opened already where it cannot be opened twice.
  ItemTableSource(std::string shown, std::vector<std::string> paths, std::unique_ptr<ByteStream> first,
                  const ReadOptions& options)
      : options_(options), screen_(summary_, options), stage_(reading_stage(shown)) {
    if (!options.vocabulary_path.empty() && !options.ids_path.empty())
      throw UsageError("rows are named by words or by ids: two lists are too many");
    summary_.path = shown_ = std::move(shown);
    const bool many = first == nullptr;
    if (many) {
      for (const std::string& path : paths) look_at(path, open_bytes(path));
    } else {
      look_at(paths.front(), std::move(first));
      kept_ = std::move(current_);
    }
    current_.reset();
    if (many) summary_.format += fmt::format(", {}", counted(files_.size(), "file"));
    if (!options.ids_path.empty())
      summary_.format += ", items";
    else if (options.vocabulary_path.empty() && files_.front().list.empty())
      summary_.format += ", numbered items";
    summary_.dimension = files_.front().table.cols;
    read_list();
    choose_rows();
    summary_.header_rows = end_ - next_;
    next_at_start_ = next_;
  }

  std::size_t dimension() const override { return summary_.dimension; }
  std::optional<std::uint64_t> promised_rows() const override { return end_ - next_at_start_; }
  const ReadSummary& summary() const override { return summary_; }

  std::optional<VectorBlock> next() override {
    VectorBlock block;
    while (block.words.empty() && next_ < end_ && !summary_.stopped_early) block = read();
    stage_.update(next_ - next_at_start_, end_ - next_at_start_);
    if (!block.words.empty()) return block;
    if (!summary_.stopped_early && current_ && next_ == rows_ && !options_.lenient) current_->check_end();
    screen_.require_rows();
    return std::nullopt;
  }

 private:
  struct File {
    std::string path;
    NumberTable table;
    std::string list;               // beside it; empty: none
    std::uint64_t first = 0, rows;  // of all rows; those that have names
  };

  /// Before any row is read: what the header, the size and the list of a file tell.
  void look_at(const std::string& path, std::unique_ptr<ByteStream> stream) {
    current_ = std::make_unique<OpenTable>(std::move(stream), options_);
    if (!options_.lenient) current_->check_size();
    File file{.path = path, .table = current_->table, .list = {}, .first = rows_, .rows = current_->table.rows};
    if (files_.empty()) {
      summary_.format = file.table.format;
      summary_.compression = current_->stream->compression();
    } else if (file.table.cols != files_.front().table.cols) {
      current_->reader.fail(fmt::format("has {} numbers a row, but {} has {}", file.table.cols, files_.front().path,
                                        files_.front().table.cols));
    }
    const bool named = !options_.vocabulary_path.empty() || !options_.ids_path.empty();
    if (!named && !options_.row_ids && !file.table.row_ids) look_beside(file);
    rows_ += file.rows;
    files_.push_back(std::move(file));
  }

  void look_beside(File& file) {
    file.list = list_beside(file.path);
    if (!files_.empty() && file.list.empty() != files_.front().list.empty())
      throw InputError(shown_, 0,
                       fmt::format("a list of words lies beside {}, but not beside {}",
                                   file.list.empty() ? files_.front().path : file.path,
                                   file.list.empty() ? file.path : files_.front().path));
    if (file.list.empty() && file.table.words_digest)
      throw InputError(file.path, 0,
                       "the words that were written with this table are missing: there is no list of them beside it, "
                       "and none was given");
    if (file.list.empty()) return;
    names_ = std::make_unique<WordList>(file.list);
    check_pair(*current_, *names_);
    file.rows = named_rows(file.table.rows);
  }

  /// How many of so many rows the list names; damage where it is another number.
  std::uint64_t named_rows(std::uint64_t rows) {
    summary_.byte_order_mark |= names_->byte_order_mark();
    summary_.carriage_returns |= names_->carriage_returns();
    const std::uint64_t names = std::max(names_->filled_size(), std::min(names_->size(), rows));
    if (names == rows) return rows;
    screen_.damaged_file(fmt::format("the table has {}, but {} has {}", counted(rows, "row"), names_->path(),
                                     counted(names, options_.ids_path.empty() ? "word" : "id")),
                         std::max(rows, names) - std::min(rows, names));
    return std::min(rows, names);
  }

  /// One list for all files.
  void read_list() {
    const std::string& path = options_.ids_path.empty() ? options_.vocabulary_path : options_.ids_path;
    if (path.empty()) return;
    names_ = std::make_unique<WordList>(path);
    rows_ = named_rows(rows_);
  }

  /// The rows of the part, without those that are not wanted any more.
  void choose_rows() {
    const auto [number, of] = options_.part;
    if (number < 1 || number > of) throw UsageError(fmt::format("there is no part {} of {}", number, of));
    const std::uint64_t units = (rows_ + kProductRows - 1) / kProductRows;
    if (of > 1 && units < of)
      throw UsageError(fmt::format("{}: {} parts are too many for {}; each has {} or more", shown_, of,
                                   counted(rows_, "row"), kProductRows));
    next_ = units * (number - 1) / of * kProductRows;
    end_ = std::min<std::uint64_t>(rows_, units * number / of * kProductRows);
    if (options_.start_row > end_ - next_)
      throw UsageError(fmt::format("{}: has only {}", shown_, counted(end_ - next_, "row")));
    next_ += options_.start_row;
    const bool one_list = !options_.vocabulary_path.empty() || !options_.ids_path.empty();
    if (one_list) pass_over_names(next_);
  }

  void pass_over_names(std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) names_->next();
  }

  /// Makes the file current that holds the next row, with the names beside it.
  File& open_file() {
    File& file = *std::ranges::find_if(files_, [&](const File& one) { return next_ < one.first + one.rows; });
    if (&file == file_) return file;
    if (current_ && !options_.lenient) current_->check_end();
    reader_.reset();
    if (kept_)
      current_ = std::move(kept_);
    else
      current_ = std::make_unique<OpenTable>(open_bytes(file.path), options_);
    if (current_->table.cols != dimension() || current_->table.rows != file.table.rows)
      current_->reader.fail("changed while it was read");
    reader_.emplace(current_->reader, current_->table);
    if (!file.list.empty()) {
      if (files_.size() > 1) names_ = std::make_unique<WordList>(file.list);
      pass_over_names(next_ - file.first);
    }
    file_ = &file;
    return file;
  }

  VectorBlock read() {
    File& file = open_file();
    const std::uint64_t last = std::min(end_, file.first + file.rows);
    const std::size_t wanted = std::min<std::uint64_t>(rows_at_once(dimension()), last - next_);
    VectorBlock block{{}, Matrix::uninitialized(wanted, dimension())};
    const std::size_t count = reader_->read(next_ - file.first, block.rows, values_);
    reader_->will_need(next_ - file.first + count, std::min<std::uint64_t>(wanted, last - next_ - count));
    summary_.path = file.path;  // for messages about its rows
    for (std::size_t i = 0; i < count; ++i) {
      if (screen_.full()) {
        summary_.stopped_early = true;
        break;
      }
      std::string name = names_ ? names_->next() : std::to_string(next_ + i);
      if (!screen_.keep(next_ - file.first + i + 1, name, values_[i])) continue;
      if (i != block.words.size()) std::ranges::copy(block.rows.row(i), block.rows.row(block.words.size()).begin());
      block.words.push_back(std::move(name));
    }
    next_ += count;
    if (count < wanted && !summary_.stopped_early) {
      screen_.damaged_file(fmt::format("the file ends in row {} of {}", next_ - file.first + 1, file.table.rows),
                           last - next_);
      pass_over_names(names_ ? last - next_ : 0);
      next_ = last;
    }
    summary_.path = shown_;
    if (screen_.full() && next_ < end_) summary_.stopped_early = true;
    block.rows.truncate_rows(block.words.size());
    return block;
  }

  ReadOptions options_;
  ReadSummary summary_;
  RowScreen screen_;
  Stage stage_;
  std::string shown_;
  std::vector<File> files_;
  std::uint64_t rows_ = 0;                                // of all files
  std::uint64_t next_ = 0, end_ = 0, next_at_start_ = 0;  // among them
  std::unique_ptr<WordList> names_;  // of all rows, or of the current file; none: rows are numbered
  std::unique_ptr<OpenTable> current_, kept_;
  std::optional<NumberTableReader> reader_;  // of the current file
  const File* file_ = nullptr;
  std::vector<RowValues> values_;
};

}  // namespace

bool is_item_table(std::string_view first_bytes, const ReadOptions& options) {
  return !options.format.empty() || looks_like_npy(first_bytes) || looks_like_safetensors(first_bytes);
}

std::unique_ptr<VectorSource> open_item_table(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  const std::string path = stream->path();
  return std::make_unique<ItemTableSource>(path, std::vector{path}, std::move(stream), options);
}

bool names_many_files(const std::string& path) {
  if (!path.starts_with('@') && path.find_first_of("*?[") == std::string::npos) return false;
  std::error_code ignored;
  return !std::filesystem::exists(path, ignored);
}

std::vector<std::string> files_of_table(const std::string& path) {
  std::vector<std::string> files;
  if (path.starts_with('@')) {
    const std::string list = path.substr(1);
    const auto stream = open_bytes(list);
    LineReader lines(*stream, "a list of files");
    while (auto line = lines.next()) {
      if (line->ends_with('\r')) line->remove_suffix(1);
      if (!line->empty()) files.push_back(std::filesystem::path(list).parent_path() / *line);
    }
    if (files.empty()) throw InputError(list, 0, "names no files");
    return files;
  }
  glob_t found{};
  const int error = ::glob(path.c_str(), GLOB_NOSORT, nullptr, &found);
  if (error == 0) files.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  ::globfree(&found);
  if (files.empty()) throw InputError(path, 0, "no file has such a name");
  std::ranges::sort(files);
  return files;
}

std::unique_ptr<VectorSource> open_item_tables(const std::string& path, const ReadOptions& options) {
  std::vector<std::string> files = files_of_table(path);
  for (const std::string& file : files)
    if (!is_item_table(open_bytes(file)->peek(64), options))
      throw InputError(file, 0,
                       "many files are one table where they are .npy, safetensors or raw numbers; this is none");
  return std::make_unique<ItemTableSource>(path, std::move(files), nullptr, options);
}

}  // namespace wordbridge
