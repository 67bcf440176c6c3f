#include "studio/api.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>

#include "cli/paths.h"
#include "lexicon/word_lookup.h"
#include "retrieval/criterion_registry.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"
#include "wordbridge/version.h"

namespace wordbridge::studio {

namespace {

using Method = Request::Method;

constexpr std::size_t kMostWords = 1000;      // of a request
constexpr std::size_t kMostCount = 1000;      // of answers for a word
constexpr std::size_t kMostListed = 500'000;  // words of a list
constexpr std::size_t kUsualHubWords = 20'000;
const std::array<std::string, 2> kSides = {"source", "target"};
const std::array<std::string, 3> kCases = {"title", "lower", "exact"};
const std::array<std::string, 2> kMaps = {"pca", "umap"};

Side side_of(const std::string& name) { return name == "target" ? Side::target : Side::source; }
Side take_side(Request& request, std::string_view name = "side") { return side_of(request.choice(name, kSides)); }

std::vector<std::string> take_words(Request& request) {
  std::vector<std::string> words = request.texts("word");
  if (words.empty()) throw HttpError(400, "'word' is missing");
  if (words.size() > kMostWords) throw HttpError(400, fmt::format("there are more than {} words", kMostWords));
  return words;
}

std::string take_criterion(Request& request, const Bench& bench, Side side) {
  std::vector<std::string> choices = bench.criteria(side);
  // What goes with the mapping comes first, as in the program.
  const auto own = std::ranges::find(choices, bench.space().criterion());
  if (own != choices.end())
    std::rotate(choices.begin(), own, own + 1);
  else if (const auto csls = std::ranges::find(choices, "csls"); csls != choices.end())
    std::rotate(choices.begin(), csls, csls + 1);
  return request.choice("criterion", choices);
}

Json words_json(const std::vector<Translations::Candidate>& candidates) {
  Json list = Json::array();
  for (const auto& candidate : candidates)
    list.push_back({{"word", candidate.word}, {"id", candidate.id}, {"score", candidate.score}});
  return list;
}

/// What is to be seen of a word on one page.
class WordPage {
 public:
  WordPage(Studio& studio, Bench& bench, Side side, std::string query, std::size_t count)
      : studio_(studio), bench_(bench), side_(side), query_(std::move(query)), count_(count) {}

  Json json();

 private:
  void rank();
  void add_candidate(const Translations::Candidate& candidate);
  void judge(Json& page);
  void look_back();
  std::vector<float> vector() const;

  Studio& studio_;
  Bench& bench_;
  Side side_;
  std::string query_;
  std::size_t count_;
  std::vector<std::pair<std::string, Translations>> lists_;  // by criterion
  std::vector<WordId> candidates_;                           // of all lists, each once
  std::map<WordId, Json> facts_;
};

void WordPage::add_candidate(const Translations::Candidate& candidate) {
  Json& facts = facts_[candidate.id];
  if (!facts.is_null()) return;
  candidates_.push_back(candidate.id);
  facts = Json{{"word", candidate.word}, {"id", candidate.id}};
}

void WordPage::rank() {
  const std::vector<std::string> criteria = bench_.criteria(side_);
  for (const char* name : {"nn", "csls", "rerank"}) {
    if (std::ranges::count(criteria, name) == 0) continue;
    const Bench::Asking asking{.criterion = name, .side = side_};
    Translations found = std::move(bench_.translate(asking, std::span(&query_, 1), count_).front());
    for (const auto& candidate : found.candidates) {
      add_candidate(candidate);
      if (candidate.p_translation) facts_[candidate.id]["translation"] = *candidate.p_translation;
    }
    if (std::string_view(name) == "rerank")
      for (const auto& explained : bench_.explain(asking, found)) {
        Json reasons = Json::array();
        for (const auto& reason : explained.reasons)
          reasons.push_back(
              {{"feature", reason.feature}, {"value", reason.value}, {"contribution", reason.contribution}});
        Json& facts = facts_[explained.target];
        if (facts.is_null()) continue;
        facts["probability"] = explained.probability;
        facts["reasons"] = std::move(reasons);
      }
    lists_.emplace_back(name, std::move(found));
  }
}

std::vector<float> WordPage::vector() const {
  const Translations& one = lists_.front().second;
  if (const auto id = bench_.space().vocabulary(side_).find(one.word); id && !one.word.empty()) {
    const auto row = bench_.space().table(side_).row(*id);
    return {row.begin(), row.end()};
  }
  return bench_.space().subword_vector(tidied_word(query_), side_).value_or(std::vector<float>());
}

void WordPage::judge(Json& page) {
  const std::vector<float> row = vector();
  if (row.empty()) return;
  double own = 0;
  const auto scores = bench_.scores(side_, row, candidates_, &own);
  const auto chosen = bench_.chosen(other(side_));
  page["penalty"] = own;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    Json& facts = facts_[candidates_[i]];
    facts["cosine"] = scores[i].cosine;
    facts["penalty"] = scores[i].penalty;
    facts["csls"] = scores[i].csls;
    if (chosen) facts["chosen"] = (*chosen)[candidates_[i]];
  }
}

/// What the first candidates would be translated to.
void WordPage::look_back() {
  constexpr std::size_t kLooked = 40;
  std::vector<std::string> words;
  for (const WordId id : candidates_)
    if (words.size() < kLooked) words.push_back(facts_[id].at("word").text());
  if (words.empty()) return;
  const Bench::Asking back{.criterion = "csls", .side = other(side_), .case_policy = CasePolicy::exact};
  const auto answers = bench_.translate(back, words, 1);
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (!answers[i].candidates.empty()) facts_[candidates_[i]]["back"] = answers[i].candidates.front().word;
}

Json WordPage::json() {
  rank();
  const Translations& one = lists_.front().second;
  const Vocabulary& own = bench_.space().vocabulary(side_);
  const bool in_vocabulary = one.origin == Translations::Origin::vocabulary;
  Json page = {{"query", query_},
               {"word", one.word},
               {"side", name_of(side_)},
               {"origin", in_vocabulary                                  ? "vocabulary"
                          : one.origin == Translations::Origin::subwords ? "subwords"
                                                                         : "unknown"}};
  if (const auto id = own.find(one.word); id && in_vocabulary) {
    page["id"] = *id;
    page["rank"] = *id + 1;
    if (const auto chosen = bench_.chosen(side_)) page["chosen"] = (*chosen)[*id];
  }
  judge(page);
  look_back();
  const std::string& word = one.word.empty() ? query_ : one.word;
  Json known = Json::array();
  for (const std::string& translation : studio_.lexicon().of(side_, word))
    known.push_back({{"word", translation}, {"how", "lexicon"}});
  studio_.look_at_verdicts([&](const Verdicts& verdicts) {
    for (const std::string& translation : verdicts.accepted().of(side_, word))
      known.push_back({{"word", translation}, {"how", "accepted"}});
    for (const std::string& translation : verdicts.rejected().of(side_, word))
      known.push_back({{"word", translation}, {"how", "rejected"}});
  });
  page["known"] = std::move(known);
  Json lists = Json::array();
  for (const auto& [criterion, found] : lists_)
    lists.push_back({{"criterion", criterion}, {"candidates", words_json(found.candidates)}});
  page["lists"] = std::move(lists);
  Json candidates = Json::array();
  for (const WordId id : candidates_) candidates.push_back(std::move(facts_[id]));
  page["candidates"] = std::move(candidates);
  return page;
}

}  // namespace

std::int64_t parse_id(const std::string& text) {
  std::int64_t id = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
  if (error != std::errc() || end != text.data() + text.size() || id < 1)
    throw HttpError(404, "there is nothing of this number");
  return id;
}

Response Response::json(const Json& json, int status) {
  Response response;
  response.status = status;
  response.body = std::make_shared<const std::string>(json.dump() + "\n");
  return response;
}

Response Response::error(int status, const std::string& reason) {
  return json({{"error", {{"status", status}, {"reason", reason}}}}, status);
}

Response Api::answer(Request request) {
  try {
    return dispatch(request);
  } catch (const HttpError& error) {
    return Response::error(error.status(), error.what());
  } catch (const UsageError& error) {
    return Response::error(400, error.what());
  } catch (const Cancelled&) {
    return Response::error(503, "the studio is ending");
  } catch (const std::bad_alloc&) {
    return Response::error(503, "out of memory");
  } catch (const JsonError& error) {
    return Response::error(400, fmt::format("the body is not as it should be: {}", error.what()));
  } catch (const std::exception& error) {
    return Response::error(500, error.what());
  }
}

Response Api::dispatch(Request& request) {
  using Handler = Response (Api::*)(Request&);
  struct Endpoint {
    std::string_view path;
    Method method;
    Handler handler;
    bool needs_project = false;
  };
  static constexpr Endpoint kEndpoints[] = {
      {"/info", Method::get, &Api::info},
      {"/words", Method::get, &Api::words},
      {"/word", Method::get, &Api::word},
      {"/translate", Method::get, &Api::translate},
      {"/neighbors", Method::get, &Api::neighbors},
      {"/hubs", Method::get, &Api::hubs},
      {"/map", Method::get, &Api::map},
      {"/map", Method::post, &Api::make_map},
      {"/jobs", Method::get, &Api::jobs},
      {"/events", Method::get, &Api::events},
      {"/mappings", Method::get, &Api::mappings},
      {"/compare", Method::get, &Api::compare},
      {"/review", Method::get, &Api::review, true},
      {"/decisions", Method::get, &Api::decisions, true},
      {"/decisions", Method::post, &Api::decide, true},
      {"/import", Method::post, &Api::import_pairs, true},
      {"/export", Method::get, &Api::export_pairs, true},
      {"/train", Method::post, &Api::train, true},
  };
  const auto path = request.below(kRoot);
  if (!path) throw HttpError(404, "there is nothing here; /api/v1/openapi.json says what there is");
  bool is_path = false;
  for (const Endpoint& endpoint : kEndpoints) {
    if (endpoint.path != *path) continue;
    is_path = true;
    if (endpoint.method != request.method()) continue;
    if (endpoint.needs_project && studio_.read_only())
      throw HttpError(403, "this server has no project: it only reads");
    return (this->*endpoint.handler)(request);
  }
  const std::string root(kRoot);
  if (const auto id = request.below(root + "/jobs/")) return job(request, *id);
  if (const auto id = request.below(root + "/mappings/")) return mapping(request, *id);
  if (const auto id = request.below(root + "/decisions/")) return undo(request, *id);
  if (is_path) throw HttpError(405, "this is not a method of this path");
  throw HttpError(404, "there is nothing here; /api/v1/openapi.json says what there is");
}

Response Api::info(Request& request) {
  request.end();
  const std::shared_ptr<Bench> bench = studio_.bench();
  const CommonSpace& space = bench->space();
  const auto side = [&](Side which, const std::string& name) {
    return Json{{"name", name}, {"words", space.size(which)}, {"criteria", bench->criteria(which)}};
  };
  return Response::json({{"version", version()},
                         {"read_only", studio_.read_only()},
                         {"source", side(Side::source, studio_.data().source_name)},
                         {"target", side(Side::target, studio_.data().target_name)},
                         {"dimension", space.dimension()},
                         {"mapping", bench->mapping()},
                         {"criterion", space.criterion()},
                         {"lexicon", studio_.lexicon().size()},
                         {"project", studio_.read_only() ? std::string() : cli::file_name(studio_.project()->path())},
                         {"author", studio_.settings().author},
                         {"can_train", studio_.can_train()},
                         {"before", studio_.data().source != nullptr && studio_.data().mapping.has_value()},
                         {"warm", bench->chosen(Side::target) != nullptr}});
}

Response Api::words(Request& request) {
  const Side side = take_side(request);
  const std::shared_ptr<Bench> bench = studio_.bench();
  const Vocabulary& vocabulary = bench->space().vocabulary(side);
  Json list = Json::array();
  if (request.has("prefix")) {
    const std::string prefix = request.text("prefix");
    const std::size_t count = request.number("count", 20, 1, kMostCount);
    request.end();
    for (const WordId id : bench->prefixes(side).find(prefix, count))
      list.push_back({{"word", vocabulary[id]}, {"id", id}});
    return Response::json({{"words", std::move(list)}});
  }
  const std::size_t first = request.number("first", 0, 0, UINT32_MAX);
  const std::size_t count = request.number("count", 1000, 1, kMostListed);
  request.end();
  for (std::size_t id = first; id < std::min(first + count, vocabulary.size()); ++id) list.push_back(vocabulary[id]);
  return Response::json({{"first", first}, {"words", std::move(list)}});
}

Response Api::word(Request& request) {
  const std::string word = request.text("word");
  const Side side = take_side(request);
  const std::size_t count = request.number("count", 10, 1, 100);
  request.end();
  const std::shared_ptr<Bench> bench = studio_.bench();
  return Response::json(WordPage(studio_, *bench, side, word, count).json());
}

Response Api::translate(Request& request) {
  const std::shared_ptr<Bench> bench = studio_.bench();
  const std::vector<std::string> words = take_words(request);
  Bench::Asking asking;
  asking.side = take_side(request);
  asking.criterion = take_criterion(request, *bench, asking.side);
  asking.case_policy = parse_case_policy(request.choice("case", kCases));
  asking.ignore_known = false;  // as the program does
  const std::size_t count = request.number("count", 5, 1, kMostCount);
  const bool explained = request.flag("explain");
  request.end();
  if (explained && asking.criterion != "rerank") throw HttpError(400, "'explain' needs criterion=rerank");
  Response response;
  response.body = bench->translations_text(asking, words, count, explained);
  return response;
}

Response Api::neighbors(Request& request) {
  const std::vector<std::string> words = take_words(request);
  const Side side = take_side(request);
  const Side among = request.has("among") ? take_side(request, "among") : side;
  const CasePolicy case_policy = parse_case_policy(request.choice("case", kCases));
  const std::size_t count = request.number("count", 10, 1, kMostCount);
  request.end();
  Response response;
  response.body = studio_.bench()->neighbors_text(words, side, among, case_policy, count);
  return response;
}

Response Api::hubs(Request& request) {
  const std::shared_ptr<Bench> bench = studio_.bench();
  Bench::Asking asking;
  asking.side = take_side(request);
  // What looks at vectors alone: nobody re-ranks for a whole vocabulary.
  std::vector<std::string> criteria = vector_criterion_names();
  std::stable_partition(criteria.begin(), criteria.end(), [](const std::string& name) { return name == "csls"; });
  asking.criterion = request.choice("criterion", criteria);
  const std::size_t count = request.number("count", 20, 1, 100);
  const std::size_t most_words = request.number("words", kUsualHubWords, 1, kMostListed);
  request.end();
  const auto hubness = bench->hubs(asking, count, most_words);
  const Vocabulary &asked = bench->space().vocabulary(other(asking.side)),
                   &asks = bench->space().vocabulary(asking.side);
  Json hubs = Json::array();
  for (const Hubness::Hub& hub : hubness->hubs) {
    Json chosen_by = Json::array();
    for (const WordId id : hub.chosen_by) chosen_by.push_back(asks[id]);
    hubs.push_back({{"word", asked[hub.target]},
                    {"id", hub.target},
                    {"chosen", hub.occurrences},
                    {"chosen_by", std::move(chosen_by)}});
  }
  Json histogram = Json::array();
  for (std::size_t bin = 0; bin < hubness->histogram.size(); ++bin)
    histogram.push_back({{"chosen", histogram_label(bin)}, {"words", hubness->histogram[bin]}});
  return Response::json({{"criterion", hubness->criterion},
                         {"side", name_of(other(asking.side))},
                         {"k", hubness->k},
                         {"asked_by", hubness->queries},
                         {"words", hubness->targets},
                         {"skewness", hubness->skewness},
                         {"never", hubness->never},
                         {"hubs", std::move(hubs)},
                         {"histogram", std::move(histogram)}});
}

Response Api::map(Request& request) {
  const std::string kind = request.choice("kind", kMaps);
  const std::size_t words = request.number("words", 10'000, 1, kMostListed);
  request.end();
  Response response;
  response.type = "application/octet-stream";
  response.body = studio_.map(kind, words);
  if (response.body == nullptr) throw HttpError(404, "this map is not made yet: POST /api/v1/map makes it");
  return response;
}

Response Api::make_map(Request& request) {
  request.end();
  const Json body = request.object();
  const auto words = body.value<std::size_t>("words", 10'000);
  if (words == 0 || 2 * words > kMostUmapWords)
    throw HttpError(400, fmt::format("'words' must be from 1 to {}", kMostUmapWords / 2));
  if (studio_.map("umap", words) != nullptr) return Response::json({{"job", 0}});
  const auto id = studio_.make_map(words);
  if (!id) throw HttpError(429, "too many jobs are waiting");
  return Response::json({{"job", *id}}, 202);
}

Response Api::jobs(Request& request) {
  request.end();
  Json list = Json::array();
  for (const Jobs::Status& status : studio_.jobs().all()) list.push_back(status.to_json());
  return Response::json({{"jobs", std::move(list)}});
}

Response Api::job(Request& request, const std::string& id) {
  request.end();
  const auto number = static_cast<std::uint64_t>(parse_id(id));
  if (request.method() == Method::post) throw HttpError(405, "this is not a method of this path");
  if (request.method() == Method::remove && !studio_.jobs().cancel(number))
    throw HttpError(404, "there is no job of this number that could be cancelled");
  const auto status = studio_.jobs().status(number);
  if (!status) throw HttpError(404, "there is no job of this number");
  return Response::json(status->to_json());
}

Response Api::events(Request& request) {
  request.end();
  Response response;
  response.type = "text/event-stream";
  response.listener = studio_.events().listen();
  if (response.listener == nullptr) throw HttpError(503, "too many listen already");
  return response;
}

}  // namespace wordbridge::studio
