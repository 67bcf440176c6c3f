#include "lexicon/spelling.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>
#include <utf8proc.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/checksum.h"
#include "parallel/thread_pool.h"
#include "vectors/letter_case.h"

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

namespace {

constexpr char32_t kFirstMark = 0x300, kLastMark = 0x36F;
constexpr char32_t kBeyondUnicode = 0x110000;  // bytes that are not UTF-8 come here
constexpr std::size_t kMostParts = 32;         // of a decomposed letter; Unicode has 18 at most

void append_decomposed(utf8proc_int32_t letter, std::u32string& letters) {
  if (letter < 0x80) {
    letters.push_back(static_cast<char32_t>(letter));
    return;
  }
  utf8proc_int32_t parts[kMostParts];
  int last_class = 0;
  const utf8proc_ssize_t count = utf8proc_decompose_char(letter, parts, kMostParts, UTF8PROC_DECOMPOSE, &last_class);
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto part = static_cast<char32_t>(parts[i]);
    if (part < kFirstMark || part > kLastMark) letters.push_back(part);
  }
}

}  // namespace

std::u32string normalized_spelling(std::string_view word) {
  const std::string lower = to_lower(word);
  std::u32string letters;
  letters.reserve(lower.size());
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(lower.data());
  for (std::size_t at = 0; at < lower.size();) {
    utf8proc_int32_t letter = -1;
    const utf8proc_ssize_t taken =
        utf8proc_iterate(bytes + at, static_cast<utf8proc_ssize_t>(lower.size() - at), &letter);
    if (taken > 0)
      append_decomposed(letter, letters);
    else
      letters.push_back(kBeyondUnicode + bytes[at]);
    at += taken > 0 ? static_cast<std::size_t>(taken) : 1;
  }
  return romanized(letters);
}

SpellingTable::SpellingTable(const Vocabulary& vocabulary) {
  constexpr std::size_t kChunk = 4096;
  const std::size_t size = vocabulary.size();
  struct Made {
    std::u32string letters;
    std::vector<std::uint64_t> starts;
  };
  const auto made = std::make_shared<Made>();
  std::vector<std::u32string> blocks((size + kChunk - 1) / kChunk);
  std::vector<std::uint64_t>& starts = made->starts;
  starts.assign(size + 1, 0);
  ThreadPool::current().for_chunks(size, kChunk, [&](std::size_t begin, std::size_t end, int) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::u32string letters = normalized_spelling(vocabulary[i]);
      starts[i + 1] = letters.size();
      blocks[begin / kChunk] += letters;
    }
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  made->letters.reserve(starts.back());
  for (const std::u32string& block : blocks) made->letters += block;
  letters_ = made->letters;
  starts_ = starts;
  owner_ = made;
}

std::size_t slow_edit_distance(std::u32string_view a, std::u32string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // distances of the first i letters of a to each beginning of b
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

/// Myers (1999), in Hyyrö's form: bit i of a number stands for letter i of a; `up` and `down` say where the distance of
/// the letters before, to the letters of b so far, grows or shrinks by one.
std::size_t edit_distance(std::u32string_view a, std::u32string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  if (a.empty() || a.size() > 64) return a.empty() ? b.size() : slow_edit_distance(a, b);
  std::uint64_t up = ~std::uint64_t{0}, down = 0;
  std::size_t distance = a.size();
  const std::uint64_t last = std::uint64_t{1} << (a.size() - 1);
  for (const char32_t letter : b) {
    std::uint64_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) equal |= std::uint64_t{a[i] == letter} << i;
    const std::uint64_t zero = (((equal & up) + up) ^ up) | equal | down;  // the diagonal does not grow
    std::uint64_t right_up = down | ~(zero | up), right_down = up & zero;
    if (right_up & last) ++distance;
    if (right_down & last) --distance;
    right_up = right_up << 1 | 1;
    right_down <<= 1;
    up = right_down | ~(zero | right_up);
    down = right_up & zero;
  }
  return distance;
}

double edit_similarity(std::u32string_view a, std::u32string_view b) {
  const std::size_t longer = std::max(a.size(), b.size());
  if (longer == 0) return 1;
  return 1 - static_cast<double>(edit_distance(a, b)) / static_cast<double>(longer);
}

double spelling_similarity(std::string_view a, std::string_view b) {
  return edit_similarity(normalized_spelling(a), normalized_spelling(b));
}

std::size_t common_prefix(std::u32string_view a, std::u32string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

namespace {

constexpr std::size_t kFewestLetters = 3;

bool is_word(std::string_view word, std::u32string_view letters) {
  return letters.size() >= kFewestLetters && letter_case(word) != LetterCase::no_letters;
}

/// Of the word, and of the word without each of its letters: two words at distance 1 share one.
std::vector<std::uint64_t> keys_of(std::u32string_view letters) {
  std::vector<std::uint64_t> keys;
  for (std::size_t left_out = 0; left_out <= letters.size(); ++left_out) {
    std::u32string text(letters);
    if (left_out < letters.size()) text.erase(left_out, 1);
    keys.push_back(xxh3(text.data(), text.size() * sizeof(char32_t)));
  }
  return keys;
}

bool look_alike(std::u32string_view a, std::u32string_view b) {
  if (a == b) return true;
  const auto [least, most] = std::minmax({a.size(), b.size()});
  return most >= kLettersOfLookAlikes && most - least <= 1 && edit_distance(a, b) <= 1;
}

}  // namespace

LookAlikes::LookAlikes(const Vocabulary& vocabulary, std::size_t count) : vocabulary_(vocabulary) {
  for (std::size_t i = 0; i < std::min(count, vocabulary.size()); ++i) {
    const auto id = static_cast<WordId>(i);
    const auto letters = normalized_spelling(vocabulary[id]);
    if (!is_word(vocabulary[id], letters)) continue;
    for (const std::uint64_t key : keys_of(letters)) entries_.push_back({key, id});
  }
  std::ranges::sort(entries_, {}, [](const Entry& entry) { return std::pair(entry.key, entry.word); });
}

std::vector<WordId> LookAlikes::find(std::string_view word) const {
  const auto letters = normalized_spelling(word);
  std::vector<WordId> found;
  if (!is_word(word, letters)) return found;
  for (const std::uint64_t key : keys_of(letters)) {
    for (auto at = std::ranges::lower_bound(entries_, key, {}, &Entry::key); at != entries_.end() && at->key == key;
         ++at)
      found.push_back(at->word);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::erase_if(found, [&](WordId id) { return !look_alike(letters, normalized_spelling(vocabulary_[id])); });
  return found;
}

}  // namespace wordbridge
