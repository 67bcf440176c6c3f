#include "lexicon/romanization.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace wordbridge {

namespace {

struct Close {
  void operator()(UTransliterator* transliterator) const { utrans_close(transliterator); }
};
using Transliterator = std::unique_ptr<UTransliterator, Close>;

/// Opening one reads rules for a while, and none may be used by two threads at once.
UTransliterator* transliterator_of_thread() {
  thread_local const Transliterator own = [] {
    static const std::u16string kRules = u"Any-Latin; Latin-ASCII; Lower";
    UErrorCode error = U_ZERO_ERROR;
    Transliterator opened(utrans_openU(kRules.data(), static_cast<std::int32_t>(kRules.size()), UTRANS_FORWARD, nullptr,
                                       0, nullptr, &error));
    return U_SUCCESS(error) ? std::move(opened) : nullptr;
  }();
  return own.get();
}

bool is_latin_letter(char32_t letter) {
  if (letter < 0x250) return true;
  if (letter > 0x10FFFF) return true;  // no character at all
  UErrorCode error = U_ZERO_ERROR;
  const UScriptCode script = uscript_getScript(static_cast<UChar32>(letter), &error);
  return U_FAILURE(error) || script == USCRIPT_LATIN || script == USCRIPT_COMMON || script == USCRIPT_INHERITED;
}

}  // namespace

bool is_latin(std::u32string_view letters) { return std::ranges::all_of(letters, is_latin_letter); }

std::u32string romanized(std::u32string_view letters) {
  UTransliterator* const transliterator = is_latin(letters) ? nullptr : transliterator_of_thread();
  if (transliterator == nullptr) return std::u32string(letters);
  std::vector<UChar> text;
  for (const char32_t letter : letters) {
    if (letter > 0x10FFFF) return std::u32string(letters);
    UChar units[2];
    std::int32_t count = 0;
    U16_APPEND_UNSAFE(units, count, static_cast<UChar32>(letter));
    text.insert(text.end(), units, units + count);
  }
  constexpr std::size_t kMostUnits = 16;  // that a letter becomes
  auto length = static_cast<std::int32_t>(text.size()), limit = length;
  text.resize(text.size() * kMostUnits);
  UErrorCode error = U_ZERO_ERROR;
  utrans_transUChars(transliterator, text.data(), &length, static_cast<std::int32_t>(text.size()), 0, &limit, &error);
  if (U_FAILURE(error)) return std::u32string(letters);
  std::u32string result;
  for (std::int32_t at = 0; at < length;) {
    UChar32 letter = 0;
    U16_NEXT(text.data(), at, length, letter);
    if (letter != U' ') result.push_back(static_cast<char32_t>(letter));
  }
  return result;
}

}  // namespace wordbridge
