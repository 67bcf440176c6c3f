#pragma once
#include <string>
#include <string_view>

namespace wordbridge {

// How words that hold anything are shown and written: the one home of escaping.

/// Whether line breaks and tabs are the text's own layout, or come from a word.
enum class Layout { kept, escaped };

/// Control characters (U+0000 to U+001F, U+007F, U+0080 to U+009F, and stray bytes 80 to 9F) as `\t`, `\n`, `\r` or
/// `\xNN`, byte by byte; all else stays. For terminals, which obey such characters, and for messages of one line.
std::string escape_controls(std::string_view text, Layout layout);

/// A field of a tab-separated line: a backslash as `\\`, control characters as above, a blank at either end as `\x20`,
/// a `#` at its beginning before a blank as `\x23` (such lines are comments). A field that holds none of these stays as
/// it is. unescape_field() gives the same bytes back.
std::string escape_field(std::string_view field);
/// Undoes escape_field(). What is no escape stays, a single backslash before another letter for instance.
std::string unescape_field(std::string_view field);

/// Whether a CSV cell that a spreadsheet takes for a formula gets an apostrophe before it, by which it is text there,
/// but no longer the same bytes.
enum class Formulas { kept, disarmed };

/// A cell of comma-separated values (RFC 4180): in quotes where it holds a quote, a comma or a line break, or begins
/// with `=`, `+`, `-`, `@`, a tab or a carriage return without being a number or that sign alone.
std::string csv_cell(std::string_view text, Formulas formulas = Formulas::kept);

}  // namespace wordbridge
