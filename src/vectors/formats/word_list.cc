#include "vectors/formats/word_list.h"

#include <fmt/format.h>

#include <string_view>

#include "io/binary_reader.h"
#include "io/line_reader.h"
#include "vectors/formats/text_start.h"
#include "wordbridge/error.h"

namespace wordbridge {

WordList read_word_list(const std::string& path) {
  const auto stream = open_bytes(path);
  WordList list;
  list.byte_order_mark = stream->peek(kByteOrderMark.size()) == kByteOrderMark;
  LineReader lines(*stream, "a list of words");
  while (auto line = lines.next()) {
    if (line->ends_with('\r')) {
      list.carriage_returns = true;
      line->remove_suffix(1);
    }
    if (line->size() > kMaxWordBytes)
      throw InputError(path, lines.number(), fmt::format("a line of more than {} bytes", kMaxWordBytes));
    list.words.emplace_back(*line);
  }
  return list;
}

}  // namespace wordbridge
