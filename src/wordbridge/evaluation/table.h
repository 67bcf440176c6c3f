#pragma once
#include <string>
#include <vector>

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
};

}  // namespace wordbridge
