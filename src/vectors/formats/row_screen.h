#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "wordbridge/context.h"
#include "wordbridge/formats.h"

namespace wordbridge {

/// What the reading of a file is called: "reading en.vec".
inline std::string reading_stage(std::string_view path) {
  return "reading " + std::string(path.substr(path.rfind('/') + 1));
}

/// What the values of a row are: all zero, or with NaN or infinity among them.
enum class RowValues : std::uint8_t { usual, zero, not_finite };
RowValues values_of(std::span<const float> row);

/// What every reader of a binary format does with a row: keeps it, sets it aside or finds it damaged, and counts that
/// in the summary. Rows count from 1 in messages.
class RowScreen {
 public:
  /// The summary outlives the screen.
  RowScreen(ReadSummary& summary, const ReadOptions& options) : summary_(summary), options_(options) {}

  /// True where the row is to be passed on. A row without a word is set aside; one that holds NaN or infinity is
  /// damaged.
  bool keep(std::uint64_t row, std::string_view word, RowValues values);
  bool keep(std::uint64_t row, std::string_view word, std::span<const float> values) {
    return keep(row, word, values_of(values));
  }
  /// Damage to one row: InputError, or counted where the options are lenient.
  void damaged(std::uint64_t row, std::string_view word, std::string_view reason);
  /// Damage that costs `rows` rows (0 where they were never there): InputError, or counted where the options are
  /// lenient.
  void damaged_file(std::string_view reason, std::uint64_t rows = 0);
  /// True once max_words rows were passed on.
  bool full() const { return options_.max_words != 0 && summary_.rows >= options_.max_words; }
  /// To be called at the end: a file without a single vector is damaged, lenient or not.
  void require_rows() const;

 private:
  ReadSummary& summary_;
  ReadOptions options_;
};

bool valid_utf8(std::string_view word);
/// True where the word holds U+0020, U+00A0, U+3000 or a tab.
bool has_blank(std::string_view word);

/// The word in quotes for one-line messages: control bytes as \xNN, cut where it is long.
std::string quoted_word(std::string_view word);

}  // namespace wordbridge
