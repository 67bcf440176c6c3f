#include "wordbridge/vectors/formats/word_list.h"

#include <fmt/format.h>

#include <string_view>

#include "wordbridge/base/error.h"
#include "wordbridge/vectors/formats/binary_reader.h"
#include "wordbridge/vectors/formats/text_start.h"

namespace wordbridge {

WordList read_word_list(const std::string& path) {
  const auto stream = open_bytes(path);
  BinaryReader reader(*stream);
  WordList list;
  if (reader.peek(kByteOrderMark.size()) == kByteOrderMark) {
    list.byte_order_mark = true;
    std::string mark(kByteOrderMark);
    reader.read(mark.data(), mark.size(), "the byte order mark");
  }
  while (!reader.at_end()) {
    auto word = reader.read_word('\n');
    if (!word) {  // the last line may lack its end
      word = std::string(reader.peek(kMaxWordBytes + 1));
      if (word->size() > kMaxWordBytes)
        throw InputError(path, list.words.size() + 1, fmt::format("a line of more than {} bytes", kMaxWordBytes));
      reader.read(word->data(), word->size(), "the last line");
    }
    if (word->ends_with('\r')) {
      list.carriage_returns = true;
      word->pop_back();
    }
    list.words.push_back(std::move(*word));
  }
  return list;
}

}  // namespace wordbridge
