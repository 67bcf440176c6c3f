#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "base/escaped_text.h"
#include "io/byte_stream.h"
#include "lexicon/word_pairs.h"
#include "mapping/mapping_format.h"
#include "studio/api.h"
#include "wordbridge/error.h"

namespace wordbridge::studio {

namespace {

constexpr std::size_t kMostTextBytes = 2000;  // of a word, or the name of an author
constexpr std::size_t kMostImported = 200'000;
const std::array<std::string, 4> kOrders = {"use", "probability", "frequency", "disputed"};
const std::array<std::string, 3> kFormats = {"tsv", "csv", "json"};
const std::array<std::string, 2> kWhat = {"all", "accepted"};

ReviewQueue::Order parse_order(const std::string& name) {
  using Order = ReviewQueue::Order;
  return name == "probability" ? Order::probability
         : name == "frequency" ? Order::frequency
         : name == "disputed"  ? Order::disputed
                               : Order::use;
}

/// A text of a body that is there and not too long. JSON holds UTF-8 only.
std::string take_text(const Json& body, const char* name, bool may_be_empty = false) {
  const Json* found = body.find(name);
  if (found == nullptr || !found->is_string()) throw HttpError(400, fmt::format("'{}' must be a text", name));
  if (found->text().size() > kMostTextBytes) throw HttpError(400, fmt::format("'{}' is too long", name));
  if (found->text().empty() && !may_be_empty) throw HttpError(400, fmt::format("'{}' is empty", name));
  return found->text();
}

void refuse_others(const Json& body, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : body.items())
    if (std::ranges::count(known, name) == 0) throw HttpError(400, "the body has a member that is not known here");
}

/// Text that came with a request, as a file.
class TextStream final : public ByteStream {
 public:
  TextStream(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {}
  std::size_t read(char* buffer, std::size_t bytes) override {
    const std::size_t length = std::min(bytes, text_.size() - position_);
    std::memcpy(buffer, text_.data() + position_, length);
    position_ += length;
    return length;
  }
  std::string_view peek(std::size_t bytes) override { return std::string_view(text_).substr(position_, bytes); }
  std::uint64_t file_position() const override { return position_; }
  std::optional<std::uint64_t> file_size() const override { return text_.size(); }
  std::string compression() const override { return {}; }
  const std::string& path() const override { return name_; }

 private:
  std::string text_, name_;
  std::size_t position_ = 0;
};

/// A pair of a dictionary that is given out.
struct GivenPair {
  std::string source, target, how;
};

std::string pairs_text(const std::vector<GivenPair>& pairs, const std::string& format) {
  if (format == "json") {
    Json list = Json::array();
    for (const GivenPair& pair : pairs)
      list.push_back({{"source", pair.source}, {"target", pair.target}, {"how", pair.how}});
    return list.dump(1) + "\n";
  }
  const bool csv = format == "csv";
  std::string text = csv ? "source,target,how\n" : "# source\ttarget\n";
  for (const GivenPair& pair : pairs)
    text += csv ? fmt::format("{},{},{}\n", csv_cell(pair.source, Formulas::disarmed),
                              csv_cell(pair.target, Formulas::disarmed), pair.how)
                : fmt::format("{}\t{}\n", escape_field(pair.source), escape_field(pair.target));
  return text;
}

Json record_json(const MappingRecord& record, std::uint64_t current) {
  Json json = {{"id", record.id},
               {"name", record.name},
               {"state", record.state},
               {"time", record.time},
               {"current", static_cast<std::uint64_t>(record.id) == current},
               {"facts", record.facts}};
  json["facts"].erase("checksum");
  json["facts"].erase("learned_from");
  return json;
}

}  // namespace

Response Api::review(Request& request) {
  const ReviewQueue::Order order = parse_order(request.choice("order", kOrders));
  const std::size_t first = request.number("first", 0, 0, UINT32_MAX);
  const std::size_t count = request.number("count", 20, 1, 1000);
  request.end();
  const auto queue = studio_.queue();
  const ReviewQueue::Page page =
      studio_.look_at_verdicts([&](const Verdicts& verdicts) { return queue->page(order, first, count, verdicts); });
  const Vocabulary &words = queue->bench().space().vocabulary(Side::source),
                   &targets = queue->bench().space().vocabulary(Side::target);
  Json suggestions = Json::array();
  for (const Suggestion& suggestion : page.suggestions) {
    Json candidates = Json::array();
    for (const auto& [id, score] : suggestion.candidates)
      candidates.push_back({{"word", targets[id]}, {"id", id}, {"score", score}});
    suggestions.push_back({{"word", words[suggestion.source]},
                           {"id", suggestion.source},
                           {"rank", suggestion.source + 1},
                           {"probability", suggestion.probability},
                           {"disputed", suggestion.disputed},
                           {"candidates", std::move(candidates)}});
  }
  return Response::json({{"open", page.open},
                         {"complete", page.complete},
                         {"mapping", queue->bench().mapping()},
                         {"suggestions", std::move(suggestions)}});
}

Response Api::decisions(Request& request) {
  const auto before = static_cast<std::int64_t>(request.number("before", 0, 0, INT64_MAX));
  const std::size_t count = request.number("count", 100, 1, 10'000);
  request.end();
  Json list = Json::array();
  for (const Decision& decision : studio_.project()->decisions(before, count)) list.push_back(decision.to_json());
  const Json counts = studio_.look_at_verdicts([](const Verdicts& verdicts) {
    return Json{{"accepted", verdicts.accepted().size()},
                {"rejected", verdicts.rejected().size()},
                {"skipped", verdicts.skipped()}};
  });
  return Response::json({{"decisions", std::move(list)}, {"standing", counts}});
}

Response Api::decide(Request& request) {
  request.end();
  const Json body = request.object();
  refuse_others(body, {"source", "target", "verdict", "author"});
  Decision decision;
  const auto verdict = parse_verdict(take_text(body, "verdict"));
  if (!verdict) throw HttpError(400, "'verdict' must be accepted, rejected or skipped");
  decision.verdict = *verdict;
  decision.source = take_text(body, "source");
  if (*verdict != Verdict::skipped) decision.target = take_text(body, "target");
  decision.author = body.contains("author") ? take_text(body, "author") : studio_.settings().author;
  decision.mapping = static_cast<std::int64_t>(studio_.bench()->mapping());
  return Response::json(studio_.decide(std::move(decision)).to_json(), 201);
}

Response Api::undo(Request& request, const std::string& id) {
  request.end();
  if (request.method() != Request::Method::remove) throw HttpError(405, "this is not a method of this path");
  if (studio_.read_only()) throw HttpError(403, "this server has no project: it only reads");
  const auto undone = studio_.undo(parse_id(id));
  if (!undone) throw HttpError(404, "there is no decision of this number that stands");
  return Response::json(undone->to_json());
}

Response Api::import_pairs(Request& request) {
  request.end();
  const Json body = request.object();
  refuse_others(body, {"name", "text", "verdict", "author"});
  const Json* text = body.find("text");
  if (text == nullptr || !text->is_string()) throw HttpError(400, "'text' must be a text");
  const std::string name = body.contains("name") ? take_text(body, "name") : "the lexicon";
  const auto verdict = parse_verdict(body.value("verdict", "accepted"));
  if (!verdict || *verdict == Verdict::skipped) throw HttpError(400, "'verdict' must be accepted or rejected");
  TextStream stream(text->text(), name);
  WordPairs pairs;
  try {
    pairs = read_word_pairs(stream);
  } catch (const InputError& error) {
    throw HttpError(400, error.what());
  }
  if (pairs.pairs.size() > kMostImported)
    throw HttpError(413, fmt::format("there are more than {} pairs", kMostImported));
  const std::string author = body.contains("author") ? take_text(body, "author") : studio_.settings().author;
  std::vector<Decision> decisions;
  for (WordPairs::Pair& pair : pairs.pairs) {
    if (!is_utf8(pair.source) || !is_utf8(pair.target)) throw HttpError(400, name + ": is not UTF-8");
    decisions.push_back(
        {.source = std::move(pair.source), .target = std::move(pair.target), .verdict = *verdict, .author = author});
  }
  const std::size_t all = decisions.size(), added = studio_.decide_all(std::move(decisions));
  return Response::json({{"pairs", all}, {"added", added}}, 201);
}

Response Api::export_pairs(Request& request) {
  const std::string format = request.choice("format", kFormats), what = request.choice("what", kWhat);
  request.end();
  std::vector<GivenPair> pairs;
  studio_.look_at_verdicts([&](const Verdicts& verdicts) {
    if (what == "all")
      for (const auto& [source, targets] : studio_.lexicon().pairs())
        for (const std::string& target : targets)
          if (!verdicts.rejected(source, target) && !verdicts.accepted(source, target))
            pairs.push_back({source, target, "lexicon"});
    for (const auto& [source, targets] : verdicts.accepted().pairs())
      for (const std::string& target : targets) pairs.push_back({source, target, "accepted"});
  });
  std::ranges::stable_sort(pairs, {}, &GivenPair::source);
  Response response;
  response.type = format == "json"  ? "application/json"
                  : format == "csv" ? "text/csv; charset=utf-8"
                                    : "text/tab-separated-values; charset=utf-8";
  response.file_name = "dictionary." + format;
  response.body = std::make_shared<const std::string>(pairs_text(pairs, format));
  return response;
}

Response Api::train(Request& request) {
  request.end();
  refuse_others(request.object(), {});
  if (!studio_.can_train())
    throw HttpError(409, "a mapping and the vectors that it was learned from are needed to learn another");
  if (studio_.jobs().busy("train")) throw HttpError(409, "a training is under way");
  const std::size_t accepted =
      studio_.look_at_verdicts([](const Verdicts& verdicts) { return verdicts.accepted().size(); });
  if (!studio_.data().lexicon && accepted == 0)
    throw HttpError(409, "there is nothing to learn from: accept some pairs, or open the studio with --lexicon");
  const auto id = studio_.train();
  if (!id) throw HttpError(429, "too many jobs are waiting");
  return Response::json({{"job", *id}}, 202);
}

Response Api::mappings(Request& request) {
  request.end();
  const std::uint64_t current = studio_.bench()->mapping();
  Json list = Json::array();
  for (const MappingRecord& record : studio_.mappings()) list.push_back(record_json(record, current));
  return Response::json({{"mappings", std::move(list)}});
}

Response Api::mapping(Request& request, const std::string& text) {
  request.end();
  const std::int64_t id = parse_id(text);
  if (request.method() == Request::Method::remove) throw HttpError(405, "this is not a method of this path");
  if (request.method() == Request::Method::get) {
    const auto mapping = studio_.mapping(id);
    if (!mapping) throw HttpError(404, "there is no mapping of this number");
    Response response;
    response.type = "application/octet-stream";
    response.file_name = fmt::format("mapping-{}.wbmap", id);
    response.body = std::make_shared<const std::string>(mapping_bytes(*mapping));
    return response;
  }
  if (studio_.read_only()) throw HttpError(403, "this server has no project: it only reads");
  const Json body = request.object();
  refuse_others(body, {"action"});
  const std::string action = take_text(body, "action");
  if (action != "keep" && action != "drop") throw HttpError(400, "'action' must be keep or drop");
  const auto record = studio_.project()->mapping(id);
  if (!record) throw HttpError(404, "there is no mapping of this number");
  if (action == "keep") {
    studio_.use_mapping(id);
    if (record->state != "given") studio_.project()->set_state(id, "kept");
  } else {
    if (static_cast<std::uint64_t>(id) == studio_.bench()->mapping())
      throw HttpError(409, "the mapping at hand cannot be dropped");
    if (record->state == "given") throw HttpError(409, "a mapping that was given cannot be dropped");
    studio_.project()->set_state(id, "dropped");
  }
  return Response::json(record_json(*studio_.project()->mapping(id), studio_.bench()->mapping()));
}

Response Api::compare(Request& request) {
  const auto first = static_cast<std::int64_t>(request.number("first", 0, 1, INT64_MAX));
  const auto second = static_cast<std::int64_t>(request.number("second", 0, 1, INT64_MAX));
  request.end();
  if (first == 0 || second == 0) throw HttpError(400, "'first' and 'second' are the numbers of two mappings");
  return Response::json(studio_.compare(first, second));
}

}  // namespace wordbridge::studio
