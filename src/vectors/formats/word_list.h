#pragma once
#include <string>
#include <vector>

namespace wordbridge {

/// The words of a vocabulary file: one a line, in the order of the table's rows.
struct WordList {
  std::vector<std::string> words;
  bool byte_order_mark = false;
  bool carriage_returns = false;
};

/// Reads such a file, also a compressed one. The whole line is the word, blanks included; a byte order mark and
/// carriage returns at the end of lines are taken off. InputError with the line for absurdly long ones.
WordList read_word_list(const std::string& path);

}  // namespace wordbridge
