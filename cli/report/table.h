#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/escaped_text.h"

namespace wordbridge {

/// A small table for people: a row of headings, rows of cells, each column left- or right-aligned.
struct Table {
  enum class Align { left, right };
  struct Column {
    std::string heading;
    Align align = Align::right;
  };

  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // a cell for each column

  /// Columns padded with blanks by the width that letters take on a terminal; a rule below the headings. Ends with a
  /// newline.
  std::string to_text() const;
  /// A pipe table of Markdown.
  std::string to_markdown() const;
  /// Comma-separated values as in RFC 4180, but lines end with a newline only; the headings come first.
  std::string to_csv(Formulas formulas = Formulas::kept) const;
  /// A tabular environment with the rules of the package booktabs.
  std::string to_latex() const;
  /// A row and a column.
  using Cell = std::pair<std::size_t, std::size_t>;
  /// A table element; the cells of `best` in bold.
  std::string to_html(const std::vector<Cell>& best = {}) const;
};

/// The text as it may stand in HTML, between tags or within a quoted attribute.
std::string escape_html(std::string_view text);

}  // namespace wordbridge
