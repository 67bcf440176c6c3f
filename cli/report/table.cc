#include "cli/report/table.h"

#include <utf8proc.h>

#include <algorithm>
#include <cassert>
#include <string_view>

#include "base/escaped_text.h"

namespace wordbridge {

namespace {

/// Columns that the text takes on a terminal; bytes that are not UTF-8 take one each.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    utf8proc_int32_t code_point = -1;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                    static_cast<utf8proc_ssize_t>(text.size()), &code_point);
    if (bytes <= 0) {
      ++width;
      text.remove_prefix(1);
    } else {
      width += static_cast<std::size_t>(std::max(0, utf8proc_charwidth(code_point)));
      text.remove_prefix(static_cast<std::size_t>(bytes));
    }
  }
  return width;
}

std::string pad(const std::string& text, std::size_t width, Table::Align align) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return align == Table::Align::right ? blanks + text : text + blanks;
}

/// A bar would end the cell.
std::string escape_markdown(const std::string& text) {
  std::string escaped;
  for (const char c : escape_controls(text, Layout::kept)) {
    if (c == '|' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

/// In quotes only where a reader would stumble otherwise.
std::string escape_latex(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\textbackslash{}";
    else if (c == '~')
      escaped += "\\textasciitilde{}";
    else if (c == '^')
      escaped += "\\textasciicircum{}";
    else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos)
      escaped += std::string("\\") + c;
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace

std::string Table::to_text() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::size_t width = width_of(columns[i].heading);
    for (const auto& row : rows) {
      assert(row.size() == columns.size());
      width = std::max(width, width_of(row[i]));
    }
    widths.push_back(width);
  }
  std::string text;
  const auto add_line = [&](const auto& cell) {
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) line += (i == 0 ? "" : "  ") + cell(i);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  };
  add_line([&](std::size_t i) { return pad(columns[i].heading, widths[i], columns[i].align); });
  add_line([&](std::size_t i) { return std::string(widths[i], '-'); });
  for (const auto& row : rows) add_line([&](std::size_t i) { return pad(row[i], widths[i], columns[i].align); });
  return text;
}

std::string Table::to_markdown() const {
  std::string text = "|";
  for (const Column& column : columns) text += ' ' + escape_markdown(column.heading) + " |";
  text += "\n|";
  for (const Column& column : columns) text += column.align == Align::right ? "---:|" : "---|";
  text += '\n';
  for (const auto& row : rows) {
    text += '|';
    for (const std::string& cell : row) text += ' ' + escape_markdown(cell) + " |";
    text += '\n';
  }
  return text;
}

std::string Table::to_csv(Formulas formulas) const {
  std::string text;
  const auto add_line = [&](const auto& cell) {
    for (std::size_t i = 0; i < columns.size(); ++i) text += (i == 0 ? "" : ",") + csv_cell(cell(i), formulas);
    text += '\n';
  };
  add_line([&](std::size_t i) { return columns[i].heading; });
  for (const auto& row : rows) add_line([&](std::size_t i) { return row[i]; });
  return text;
}

std::string Table::to_latex() const {
  std::string text = "\\begin{tabular}{";
  for (const Column& column : columns) text += column.align == Align::right ? 'r' : 'l';
  text += "}\n\\toprule\n";
  const auto add_line = [&](const auto& cell) {
    for (std::size_t i = 0; i < columns.size(); ++i) text += (i == 0 ? "" : " & ") + escape_latex(cell(i));
    text += " \\\\\n";
  };
  add_line([&](std::size_t i) { return columns[i].heading; });
  text += "\\midrule\n";
  for (const auto& row : rows) add_line([&](std::size_t i) { return row[i]; });
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string Table::to_html(const std::vector<Cell>& best) const {
  const auto cell = [&](std::size_t i, const std::string& content, const char* tag, const char* extra) {
    const char* align = columns[i].align == Align::left ? " class=\"left\"" : "";
    return std::string("<") + tag + extra + align + ">" + content + "</" + tag + ">";
  };
  std::string text = "<table>\n<thead><tr>";
  for (std::size_t i = 0; i < columns.size(); ++i)
    text += cell(i, escape_html(columns[i].heading), "th", " scope=\"col\"");
  text += "</tr></thead>\n<tbody>\n";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    text += "<tr>";
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::string content = escape_html(rows[row][i]);
      if (std::ranges::count(best, Cell(row, i)) > 0) content = "<b>" + content + "</b>";
      text += i == 0 ? cell(i, content, "th", " scope=\"row\"") : cell(i, content, "td", "");
    }
    text += "</tr>\n";
  }
  return text + "</tbody>\n</table>\n";
}

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&')
      escaped += "&amp;";
    else if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  }
  return escaped;
}

}  // namespace wordbridge
