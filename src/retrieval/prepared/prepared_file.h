#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/section_file.h"
#include "search/int8/int8_table.h"
#include "space/mapped_rows.h"
#include "space/table_search.h"
#include "wordbridge/common_space.h"
#include "wordbridge/prepared_space.h"

namespace wordbridge {

// The sections of a .wbspace file (docs/file-formats.md, "Prepared spaces").

inline constexpr SectionFormat kPreparedFormat = {{'\x89', 'W', 'B', 'S', 'P', 'C', '\r', '\n'}, 1, ".wbspace"};

/// The section of one side, as "source.words".
std::string section_of(Side side, std::string_view part);

/// What a file says of itself: the section "about", a JSON object.
struct PreparedAbout {
  struct OfSide {
    std::string name;  // of the file that the vectors came from
    std::uint64_t words = 0;
    std::uint64_t listed = 0;       // nearest words in the list of each
    double largest = 0, least = 0;  // lengths of its vectors (RowLengths), but for
    std::uint64_t zeros = 0;        // zero rows
  };
  std::string program;  // the version that wrote it
  std::uint64_t dimension = 0;
  MappedRows::Type rows = MappedRows::Type::float32;
  std::string criterion;
  std::uint64_t neighbors = 0;
  OfSide source, target;

  const OfSide& of(Side side) const { return side == Side::source ? source : target; }
  std::string to_json() const;
  /// InputError where the text is none, or says what cannot be.
  static PreparedAbout parse(const SectionFile& file);
};

/// Writes a vocabulary, and shows one where it lies.
void write_vocabulary(SectionWriter& writer, Side side, const Vocabulary& vocabulary);
Vocabulary read_vocabulary(const SectionFile& file, Side side, std::size_t words);

/// Writes an index of 8-bit codes as the search wants it, and loads it.
void write_index(SectionWriter& writer, Side side, const Int8Table& index);
/// Empty where there is none whose codes these kernels can read. The function that it gives throws InputError for
/// damage; `rows` outlive what it returns.
TableSearch::LoadIndex load_index(const SectionFile& file, Side side, const UnitRows& rows, const Kernels& kernels);

}  // namespace wordbridge
