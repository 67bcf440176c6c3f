#pragma once
#include <string>
#include <string_view>

#include "wordbridge/matrix.h"

namespace wordbridge {

// Maps as other tools keep them: a text file, one row a line, numbers separated by blanks. Two conventions are in use
// and only the first line tells them apart: with a line `rows columns` on top the file holds W (x goes to W x), without
// it Wᵀ (a row x goes to x M, M = Wᵀ).

/// How a plain-text matrix is laid out.
struct PlainMatrixLayout {
  enum class Header { detect, present, absent };
  Header header = Header::detect;  // detect is for reading; writing takes it as present
  bool transpose = false;          // the other orientation than the header, or its absence, says
};

/// Reads W (d_t x d_s) from a plain or compressed file, `-` is standard input. A first line of two whole numbers counts
/// as the header where as many rows and columns follow. Lines that are empty or begin with # are passed over.
/// InputError for anything that is not a matrix of finite numbers.
Matrix read_plain_matrix(const std::string& path, const PlainMatrixLayout& layout = {});
/// The same from the text of a whole file; `path` is for messages.
Matrix parse_plain_matrix(std::string_view text, const std::string& path, const PlainMatrixLayout& layout = {});

/// The text of W: reading it with the same layout gives the same bits.
std::string to_plain_text(ConstMatrixView w, const PlainMatrixLayout& layout = {});

}  // namespace wordbridge
