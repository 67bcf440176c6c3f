#include "evaluation/parallel_sentences.h"

#include <fmt/format.h>
#include <utf8proc.h>

#include <unordered_set>

#include "base/checksum.h"
#include "base/wording.h"
#include "evaluation/fields.h"
#include "io/byte_stream.h"
#include "io/lines.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

enum class CharacterKind { letter, joiner, blank, other };

CharacterKind kind_of(utf8proc_int32_t codepoint) {
  if (codepoint == '\'' || codepoint == '-' || codepoint == 0x2019 || codepoint == 0x2010) return CharacterKind::joiner;
  switch (utf8proc_category(codepoint)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return CharacterKind::letter;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
      return CharacterKind::blank;
    default:
      return CharacterKind::other;
  }
}

struct Character {
  std::string_view bytes;
  CharacterKind kind;
};

std::vector<Character> characters_of(std::string_view sentence) {
  std::vector<Character> characters;
  while (!sentence.empty()) {
    utf8proc_int32_t codepoint = 0;
    const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(sentence.data()),
                                                    static_cast<utf8proc_ssize_t>(sentence.size()), &codepoint);
    const std::size_t length = bytes > 0 ? static_cast<std::size_t>(bytes) : 1;
    characters.push_back({sentence.substr(0, length), bytes > 0 ? kind_of(codepoint) : CharacterKind::letter});
    // Vocabularies have the marks of typewriters.
    if (bytes > 0 && codepoint == 0x2019) characters.back().bytes = "'";
    if (bytes > 0 && codepoint == 0x2010) characters.back().bytes = "-";
    sentence.remove_prefix(length);
  }
  return characters;
}

/// Whether a sentence did not come before, by 64 bits of its bytes.
bool is_new(std::unordered_set<std::uint64_t>& seen, std::string_view sentence) {
  return seen.insert(xxh3(sentence.data(), sentence.size())).second;
}

}  // namespace

Tokenization parse_tokenization(std::string_view name) {
  if (name == "words") return Tokenization::words;
  if (name == "blanks") return Tokenization::blanks;
  throw UsageError(fmt::format("tokenization '{}': words or blanks is wanted", name));
}

std::vector<std::string> tokenize(std::string_view sentence, Tokenization tokenization) {
  std::vector<std::string> words;
  if (tokenization == Tokenization::blanks) {
    for (const std::string_view word : split_at_blanks(sentence)) words.emplace_back(word);
    return words;
  }
  const std::vector<Character> characters = characters_of(sentence);
  bool within = false;  // a word that the next letter belongs to
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const auto [bytes, kind] = characters[i];
    const bool joins = kind == CharacterKind::joiner && within && i + 1 < characters.size() &&
                       characters[i + 1].kind == CharacterKind::letter;
    if (kind == CharacterKind::letter || joins) {
      if (!within) words.emplace_back();
      words.back() += bytes;
      within = true;
      continue;
    }
    within = false;
    if (kind != CharacterKind::blank) words.emplace_back(bytes);
  }
  return words;
}

ParallelSentences read_parallel_sentences(const std::string& source, const std::string& target) {
  const auto source_stream = open_bytes(source), target_stream = open_bytes(target);
  LineReader source_lines(*source_stream, "sentences"), target_lines(*target_stream, "sentences");
  ParallelSentences sentences;
  std::unordered_set<std::uint64_t> seen_sources, seen_targets;
  for (;;) {
    const auto one = source_lines.next(), other = target_lines.next();
    if (one.has_value() != other.has_value()) {
      const std::string& longer = one ? source : target;
      throw InputError(longer, sentences.lines + 1,
                       fmt::format("{} has only {}: each line is to be the translation of the other file's",
                                   one ? target : source, counted(sentences.lines, "line")));
    }
    if (!one) break;
    ++sentences.lines;
    const std::string_view from = trim(*one), to = trim(*other);
    if (from.empty() || to.empty()) {
      ++sentences.empty;
      continue;
    }
    const bool new_source = is_new(seen_sources, from), new_target = is_new(seen_targets, to);
    if (!new_source || !new_target) {
      ++sentences.repeated;
      continue;
    }
    sentences.source.emplace_back(from);
    sentences.target.emplace_back(to);
  }
  if (sentences.size() == 0) throw InputError(source, 0, "holds no sentences");
  return sentences;
}

}  // namespace wordbridge
