#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace wordbridge {

/// Text as HTML in which addresses are links.
std::string linked_html(std::string_view text);

/// A page in one file, with nothing to be loaded: readable on a phone, in the dark and on paper.
class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  /// A heading of the given level; those of level 2 are listed in front of the first of them.
  void heading(int level, std::string_view text);
  /// Text; addresses in it (https://...) become links.
  void paragraph(std::string_view text);
  void list(const std::vector<std::string>& items);
  /// What a reader should see first: a number and what it is.
  void headline(std::string_view number, std::string_view text);
  /// A command to be typed.
  void command(std::string_view line);
  /// Markup as it is: a table, which scrolls within its box where it is too wide, or a figure.
  void table(std::string_view markup);
  void figure(std::string_view markup, std::string_view caption);
  /// Parts that stand beside each other where there is room.
  void begin_columns() { body_ += "<div class=\"columns\">\n"; }
  void end_columns() { body_ += "</div>\n"; }
  void begin_column() { body_ += "<div>\n"; }
  void end_column() { body_ += "</div>\n"; }

  std::string to_html() const;

 private:
  std::string title_, body_;
  std::size_t summary_ = 0;  // the end of what stands before the list of contents
  std::vector<std::string> contents_;
};

}  // namespace wordbridge
