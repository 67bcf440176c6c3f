#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wordbridge {

/// Of UTF-8; some programs put it before a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// What the first lines of a text file tell of it.
struct TextStart {
  struct Header {
    std::uint64_t rows = 0, dimension = 0;
  };

  bool byte_order_mark = false;
  std::optional<Header> header;
  std::size_t dimension = 0;
  bool final_blanks = false;  // the first row ends in a blank, as all rows of fastText do
  std::size_t bytes = 0;      // before the first row: byte order mark and header
};

/// Reads the start of a file: its first lines, two at least if it has as many. InputError where it holds nothing like
/// word vectors.
///
/// A first line of two whole numbers `n d` is a header, unless the next line is a word and one number and d is not 1:
/// then it is the row of the word n with one number. Without a header, the dimension is the commonest number of numbers
/// at the end of the first lines, at most 64, the larger of equally common ones: some words look like numbers, and some
/// rows are damaged, but not most.
TextStart recognize_text_start(const std::string& path, std::string_view text);

}  // namespace wordbridge
