#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace wordbridge {

/// The pairs that a mapping was learned from, as words: what a user has told the program. Those whose words the vectors
/// do not have are among them.
struct StoredLexicon {
  struct Pair {
    std::string source, target;
    double weight = 1;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  std::vector<Pair> pairs;  // distinct

  StoredLexicon swapped() const;
  friend bool operator==(const StoredLexicon&, const StoredLexicon&) = default;
};

/// No mapping holds a longer one, compressed.
constexpr std::size_t kMostStoredLexiconBytes = std::size_t{1} << 28;

/// As files hold it ("Mapping files" in docs/file-formats.md): a line for each pair, compressed (zstd). Bytes come back
/// as they were.
std::string to_compressed(const StoredLexicon& lexicon);

/// The inverse. std::runtime_error, saying what is wrong, for what is none: damage, other lines than pairs, a pair that
/// comes twice, another number of pairs than expected. Memory stays in proportion to the bytes given.
StoredLexicon parse_stored_lexicon(std::string_view compressed, std::size_t pairs);

}  // namespace wordbridge
