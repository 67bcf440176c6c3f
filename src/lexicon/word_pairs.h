#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/byte_stream.h"

namespace wordbridge {

/// How to read the pairs of a lexicon file.
struct WordPairOptions {
  bool swap_columns = false;    // the first word of a line is the target word
  bool drop_identical = false;  // leave out pairs whose two strings are equal
  bool lenient = false;         // skip and count lines that are no pair instead of failing
};

/// The pairs of a lexicon file as they are written, before any vocabulary is asked.
///
/// One pair a line. Where a line holds a tab, tabs separate: source word, target word and, in a line of three columns,
/// the pair's weight, a number from 0 up. Where there are more columns (as in an induced lexicon), those after the
/// words are ignored. So words with blanks inside ("New York") want tabs. Escapes in the words of such a line (`\t`,
/// `\n`, `\r`, `\\`, `\xNN`, as escape_field() writes them) are undone. Where there is no tab, blanks separate, and a
/// line of more than two words is an error, because nobody can tell where the first ends. A byte order mark, carriage
/// returns, blank lines and blanks around words are harmless. A line that begins with `#` is a comment, unless it is a
/// pair all the same, as in the MUSE dictionaries: two words of which the first is longer than the `#` itself
/// ("#the #der"), or a tab-separated pair without a blank after the `#` ("#<tab>#").
struct WordPairs {
  struct Pair {
    std::string source;
    std::string target;
    double weight = 1;  // what the pair counts for in training
    friend bool operator==(const Pair&, const Pair&) = default;
  };

  std::string path;                 // for messages
  std::vector<Pair> pairs;          // distinct, in file order
  std::uint64_t lines = 0;          // pairs in the file, these included:
  std::uint64_t duplicates = 0;     // pairs that came before, with whatever weight: set aside
  std::uint64_t identical = 0;      // pairs of two equal strings, dropped as asked
  std::uint64_t skipped_lines = 0;  // lines that are no pair
  std::string first_skipped;        // the error that the first of them would have been
};

/// A pair as a line of such a file, with its weight where that is not 1.
std::string to_line(const WordPairs::Pair& pair);

/// Throws InputError for a line that is no pair or has an invalid weight, and for a file without any pair.
WordPairs read_word_pairs(const std::string& path, const WordPairOptions& options = {});
WordPairs read_word_pairs(ByteStream& stream, const WordPairOptions& options = {});

/// Which of the pairs that were found are wanted, beside those that are known already.
enum class PairKind {
  all,
  fresh,      // "new": the source word is not in the known lexicon
  identical,  // two equal strings
  cognates,   // two strings that are written alike, and are not equal
};

/// "all", "new", "identical" or "cognates"; UsageError for anything else.
PairKind parse_pair_kind(std::string_view name);

/// Keeps the pairs of a kind that are not in a lexicon.
class PairFilter {
 public:
  /// Without a lexicon.
  explicit PairFilter(PairKind kind = PairKind::all) : kind_(kind) {}
  PairFilter(PairKind kind, const WordPairs& known);

  bool wants(std::string_view source, std::string_view target) const;
  bool knows(std::string_view source, std::string_view target) const;

 private:
  PairKind kind_;
  std::set<std::string, std::less<>> sources_;
  std::set<std::pair<std::string, std::string>> pairs_;
};

}  // namespace wordbridge
