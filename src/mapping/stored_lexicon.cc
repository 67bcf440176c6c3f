#include "mapping/stored_lexicon.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "base/escaped_text.h"
#include "io/compressed_stream.h"

namespace wordbridge {

namespace {

// What distinct pairs shrink to is a tenth at the least; more is a forged stream that grows without end.
constexpr std::size_t kMostGrowth = 100;
constexpr std::size_t kMostOfSmall = 1 << 16;

[[noreturn]] void refuse_lexicon(const std::string& what) { throw std::runtime_error("the lexicon: " + what); }

std::string lexicon_text(std::string_view bytes) {
  const std::size_t most = kMostOfSmall + kMostGrowth * bytes.size();
  const auto input = [&bytes](char* buffer, std::size_t wanted) {
    const std::size_t taken = std::min(wanted, bytes.size());
    std::memcpy(buffer, bytes.data(), taken);
    bytes.remove_prefix(taken);
    return taken;
  };
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::string text;
  try {
    const auto stream = make_decompressor(Compression::zstd, input, "lexicon");
    for (std::size_t got = kPiece; got > 0;) {
      if (text.size() > most) refuse_lexicon("it is compressed more than a lexicon can be");
      text.resize(text.size() + kPiece);
      got = stream->read(text.data() + text.size() - kPiece, kPiece);
      text.resize(text.size() - kPiece + got);
    }
  } catch (const InputError& error) {
    refuse_lexicon(error.reason());
  }
  return text;
}

StoredLexicon::Pair parse_pair(std::string_view line) {
  const std::size_t first = line.find('\t');
  if (first == std::string_view::npos) refuse_lexicon("a line without a tab");
  const std::size_t second = std::min(line.find('\t', first + 1), line.size());
  StoredLexicon::Pair pair{unescape_field(line.substr(0, first)),
                           unescape_field(line.substr(first + 1, second - first - 1))};
  if (pair.source.empty() || pair.target.empty()) refuse_lexicon("a pair without a word");
  if (second == line.size()) return pair;
  const std::string_view text = line.substr(second + 1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), pair.weight);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(pair.weight) || pair.weight <= 0)
    refuse_lexicon("a weight that is no number above 0");
  return pair;
}

}  // namespace

StoredLexicon StoredLexicon::swapped() const {
  StoredLexicon result = *this;
  for (Pair& pair : result.pairs) std::swap(pair.source, pair.target);
  return result;
}

std::string to_compressed(const StoredLexicon& lexicon) {
  std::string bytes, text;
  const auto stream = make_compressor(Compression::zstd, [&](std::string_view piece) { bytes += piece; });
  for (const StoredLexicon::Pair& pair : lexicon.pairs) {
    text = escape_field(pair.source) + '\t' + escape_field(pair.target);
    if (pair.weight != 1) text += fmt::format("\t{}", pair.weight);
    stream->write(text += '\n');
  }
  stream->finish();
  return bytes;
}

StoredLexicon parse_stored_lexicon(std::string_view compressed, std::size_t pairs) {
  const std::string text = lexicon_text(compressed);
  StoredLexicon lexicon;
  std::unordered_set<std::string> seen;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) refuse_lexicon("its last line has no end");
    StoredLexicon::Pair pair = parse_pair(rest.substr(0, end));
    if (!seen.insert(fmt::format("{}\n{}{}", pair.source.size(), pair.source, pair.target)).second)
      refuse_lexicon("a pair that comes twice");
    lexicon.pairs.push_back(std::move(pair));
    rest.remove_prefix(end + 1);
  }
  if (lexicon.pairs.size() != pairs)
    refuse_lexicon(fmt::format("{} pairs where the header says {}", lexicon.pairs.size(), pairs));
  return lexicon;
}

}  // namespace wordbridge
