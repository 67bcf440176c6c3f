#include "evaluation/relevance_judgements.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/escaped_text.h"
#include "evaluation/fields.h"
#include "io/lines.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

std::optional<double> grade_in(std::string_view field) {
  double value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(value)) return std::nullopt;
  return std::max(value, 0.0);
}

/// Reads line after line; the first judgement shows the layout of all.
class JudgementReader {
 public:
  JudgementReader(ByteStream& stream, bool lenient) : lines_(stream, "a list of judgements"), lenient_(lenient) {
    result_.path = stream.path();
  }

  RelevanceJudgements read() {
    while (const auto line = lines_.next()) {
      const std::string reason = add(*line);
      if (reason.empty()) continue;
      InputError error(result_.path, lines_.number(), reason);
      if (!lenient_) throw error;
      if (result_.skipped_lines++ == 0) result_.first_skipped = error.what();
    }
    if (result_.judgements.empty()) throw InputError(result_.path, 0, "no judgement in it");
    return std::move(result_);
  }

 private:
  /// The reason why the line is no judgement, where it is none and nothing else either.
  std::string add(std::string_view line) {
    if (line.find('\0') != std::string_view::npos) return "a NUL byte: not a text file in UTF-8";
    const std::string_view text = trim(line);
    if (text.empty() || text.front() == '#') return {};
    if (separator_ == '\0') separator_ = text.find('\t') != std::string_view::npos ? '\t' : ' ';
    const auto fields = separator_ == ' ' ? split_at_blanks(text) : split_at(text, separator_);
    const bool first = std::exchange(first_, false);
    if (columns_ == 0) {
      if (fields.size() < 2 || fields.size() > 4) return "query, item and grade are wanted, or TREC's four columns";
      if (fields.size() > 2 && !grade_in(fields.back())) return first ? "" : "no grade in the last column";
      columns_ = fields.size();
    }
    if (fields.size() != columns_)
      return fmt::format("{} columns, where lines before have {}", fields.size(), columns_);
    const std::string_view query = fields.front(), item = fields[columns_ == 4 ? 2 : 1];
    if (query.empty() || item.empty()) return "a query and an item are wanted";
    const auto grade = columns_ == 2 ? std::optional<double>(1) : grade_in(fields.back());
    if (!grade) return "no grade in the last column";
    RelevanceJudgements::Judgement judgement{unescape_field(query), unescape_field(item), *grade};
    if (known_.emplace(judgement.query, judgement.item).second)
      result_.judgements.push_back(std::move(judgement));
    else
      ++result_.repeated;
    return {};
  }

  LineReader lines_;
  bool lenient_;
  char separator_ = '\0';    // not known yet
  std::size_t columns_ = 0;  // not known yet
  bool first_ = true;        // no line but comments was seen
  std::set<std::pair<std::string, std::string>> known_;
  RelevanceJudgements result_;
};

}  // namespace

RelevanceJudgements read_relevance_judgements(ByteStream& stream, bool lenient) {
  return JudgementReader(stream, lenient).read();
}

RelevanceJudgements read_relevance_judgements(const std::string& path, bool lenient) {
  const auto stream = open_bytes(path);
  return read_relevance_judgements(*stream, lenient);
}

}  // namespace wordbridge
