// Any text is either a matrix or an InputError; a matrix that is written comes back as it was.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "mapping/plain_matrix.h"
#include "wordbridge/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const auto header :
       {wordbridge::PlainMatrixLayout::Header::detect, wordbridge::PlainMatrixLayout::Header::absent})
    try {
      const wordbridge::Matrix w = wordbridge::parse_plain_matrix(text, "input", {.header = header});
      const wordbridge::PlainMatrixLayout layout{.header = wordbridge::PlainMatrixLayout::Header::present};
      const wordbridge::Matrix back =
          wordbridge::parse_plain_matrix(wordbridge::to_plain_text(w, layout), "written", layout);
      const bool same = back.rows() == w.rows() && back.cols() == w.cols() &&
                        std::memcmp(back.data(), w.data(), w.size() * sizeof(float)) == 0;
      if (!same) std::abort();
    } catch (const wordbridge::InputError&) {
    }
  return 0;
}
