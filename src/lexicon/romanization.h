#pragma once
#include <string>
#include <string_view>

namespace wordbridge {

/// Whether all letters are Latin, or no letters of any script: digits, punctuation, marks.
bool is_latin(std::u32string_view letters);

/// Letters of other scripts by Latin ones without marks, in lower case, as ICU transliterates them: "москва" is
/// "moskva", "αθήνα" is "athena", "東京" is "dong jing" without the blank. Latin letters stay as they are, and so does
/// what ICU does not know.
std::u32string romanized(std::u32string_view letters);

}  // namespace wordbridge
