#include "lexicon/word_pairs.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "base/escaped_text.h"
#include "base/option_text.h"
#include "base/wording.h"
#include "io/lines.h"
#include "lexicon/spelling.h"
#include "wordbridge/error.h"
#include "wordbridge/vocabulary.h"

namespace wordbridge {

namespace {

constexpr std::string_view kBlanks = " \r";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

/// The first two words of a line, and how many there are.
struct Words {
  std::string_view first, second;
  std::size_t count = 0;
};

Words split_at_blanks(std::string_view line) {
  Words words;
  for (std::size_t begin = line.find_first_not_of(kBlanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    ++words.count;
    if (words.count == 1) words.first = line.substr(begin, end - begin);
    if (words.count == 2) words.second = line.substr(begin, end - begin);
    begin = line.find_first_not_of(kBlanks, end);
  }
  return words;
}

/// What a line holds: a pair, nothing (a comment, a blank line), or something that is neither.
struct ParsedLine {
  std::string source, target, error;
  double weight = 1;

  bool is_pair() const { return !source.empty(); }
};

/// The weight that a third column gives; nullopt if it is none.
std::optional<double> parse_weight(std::string_view text) {
  double weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(weight) || weight < 0)
    return std::nullopt;
  return weight;
}

ParsedLine parse_tabbed(std::string_view line, std::size_t tab) {
  if (line.starts_with("# ")) return {};
  const std::string_view rest = line.substr(tab + 1);
  const std::string_view source = trim(line.substr(0, tab));
  const std::size_t second_tab = std::min(rest.find('\t'), rest.size());
  const std::string_view target = trim(rest.substr(0, second_tab));
  if (source.empty()) return {{}, {}, "no source word before the tab"};
  if (target.empty()) return {{}, {}, "no target word after the tab"};
  ParsedLine parsed{unescape_field(source), unescape_field(target), {}};
  if (second_tab == rest.size()) return parsed;
  const std::string_view third = rest.substr(second_tab + 1);
  if (third.find('\t') != std::string_view::npos) return parsed;
  const std::optional<double> weight = parse_weight(trim(third));
  if (!weight)
    return {{}, {}, fmt::format("'{}' is no weight: the third of three columns holds numbers from 0 up", trim(third))};
  parsed.weight = *weight;
  return parsed;
}

ParsedLine parse_blank_separated(std::string_view line) {
  const Words words = split_at_blanks(line);
  if (line.front() == '#' && (words.count != 2 || words.first == "#")) return {};
  if (words.count == 1) return {{}, {}, "one word only: a source word and a target word are wanted"};
  if (words.count > 2)
    return {
        {},
        {},
        fmt::format("{} words separated by blanks: a source word and a target word are wanted ({})", words.count,
                    words.count > 20 ? "is this a file of vectors?" : "with a tab between them if they hold blanks")};
  return {std::string(words.first), std::string(words.second), {}};
}

ParsedLine parse_line(std::string_view line) {
  if (line.find('\0') != std::string_view::npos) return {{}, {}, "a NUL byte: not a text file in UTF-8"};
  // A tab at the end separates nothing; one at the beginning says that the source word is missing.
  line = trim(line.substr(0, line.find_last_not_of(" \r\t") + 1));
  if (line.empty()) return {};
  const std::size_t tab = line.find('\t');
  return tab == std::string_view::npos ? parse_blank_separated(line) : parse_tabbed(line, tab);
}

}  // namespace

std::string to_line(const WordPairs::Pair& pair) {
  std::string line = escape_field(pair.source) + '\t' + escape_field(pair.target);
  if (pair.weight != 1) line += fmt::format("\t{}", pair.weight);
  return line + '\n';
}

WordPairs read_word_pairs(ByteStream& stream, const WordPairOptions& options) {
  WordPairs result;
  result.path = stream.path();
  Vocabulary seen;  // the length of the source word, and both words, which may hold any bytes
  std::string key;
  LineReader lines(stream, "a lexicon");
  while (const std::optional<std::string_view> line = lines.next()) {
    ParsedLine parsed = parse_line(*line);
    if (!parsed.error.empty()) {
      InputError error(result.path, lines.number(), parsed.error);
      if (!options.lenient) throw error;
      if (result.skipped_lines++ == 0) result.first_skipped = error.what();
    }
    if (!parsed.is_pair()) continue;
    ++result.lines;
    if (options.swap_columns) std::swap(parsed.source, parsed.target);
    if (options.drop_identical && parsed.source == parsed.target) {
      ++result.identical;
      continue;
    }
    key.assign(std::to_string(parsed.source.size())).append("\n").append(parsed.source).append(parsed.target);
    if (seen.add(key))
      result.pairs.push_back({std::move(parsed.source), std::move(parsed.target), parsed.weight});
    else
      ++result.duplicates;
  }
  if (result.pairs.empty()) {
    std::string reason = "no pair of words in it";
    if (result.identical > 0)
      reason += fmt::format(" but {} of two equal words, to be dropped", counted(result.identical, "pair"));
    if (result.skipped_lines > 0)
      reason += fmt::format("; {} skipped, first: {}", counted(result.skipped_lines, "line"), result.first_skipped);
    throw InputError(result.path, 0, reason);
  }
  return result;
}

WordPairs read_word_pairs(const std::string& path, const WordPairOptions& options) {
  const std::unique_ptr<ByteStream> stream = open_bytes(path);
  return read_word_pairs(*stream, options);
}

namespace {

constexpr double kCognates = 0.6;  // least spelling_similarity()

}  // namespace

PairKind parse_pair_kind(std::string_view name) {
  if (name == "all") return PairKind::all;
  if (name == "new") return PairKind::fresh;
  if (name == "identical") return PairKind::identical;
  if (name == "cognates") return PairKind::cognates;
  throw UsageError("pairs " + none_of(name, {"all", "new", "identical", "cognates"}));
}

PairFilter::PairFilter(PairKind kind, const WordPairs& known) : kind_(kind) {
  for (const WordPairs::Pair& pair : known.pairs) {
    sources_.insert(pair.source);
    pairs_.insert({pair.source, pair.target});
  }
}

bool PairFilter::knows(std::string_view source, std::string_view target) const {
  return !pairs_.empty() && pairs_.contains({std::string(source), std::string(target)});
}

bool PairFilter::wants(std::string_view source, std::string_view target) const {
  if (knows(source, target)) return false;
  switch (kind_) {
    case PairKind::all:
      break;
    case PairKind::fresh:
      return !sources_.contains(source);
    case PairKind::identical:
      return source == target;
    case PairKind::cognates:
      return source != target && spelling_similarity(source, target) >= kCognates;
  }
  return true;
}

}  // namespace wordbridge
