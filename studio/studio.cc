#include "studio/studio.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "base/checksum.h"
#include "mapping/mapping_format.h"
#include "studio/training.h"
#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::studio {

namespace {

constexpr std::size_t kMostMaps = 6;
constexpr const char* kCurrent = "current mapping";

std::string digest(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return to_hex(hash.finish());
}

std::string digest(const Vocabulary& words) {
  Sha256 hash;
  for (std::size_t id = 0; id < words.size(); ++id) {
    hash.update(words[id]);
    hash.update(std::string_view("\n", 1));
  }
  return to_hex(hash.finish());
}

Json scores_json(const WordTranslation& result) {
  Json precision = Json::array();
  for (const double share : result.all.precision) precision.push_back(share);
  return {{"words", result.all.words}, {"criterion", result.criterion}, {"precision", std::move(precision)}};
}

}  // namespace

Studio::Studio(StudioData data, const StudioSettings& settings)
    : data_(std::move(data)),
      settings_(settings),
      map_context_({.threads = settings.threads, .seed = settings.seed}),
      jobs_(events_, settings.threads, settings.seed) {
  if (data_.lexicon)
    for (const WordPairs::Pair& pair : data_.lexicon->pairs) lexicon_.add(pair.source, pair.target);
  if (!data_.project.empty()) {
    open_project();
    watcher_ = std::thread([this] { watch_project(); });
  } else if (data_.mapping) {
    set_bench(space_of(*data_.mapping), 1);
  } else {
    set_bench(data_.space ? *data_.space : CommonSpace(*data_.source, *data_.target), 0);
  }
}

Studio::~Studio() {
  events_.close();
  {
    const std::lock_guard lock(ending_mutex_);
    ending_ = true;
    ending_changed_.notify_all();
  }
  if (watcher_.joinable()) watcher_.join();
}

/// The mapping that was used last, unless another one is given now.
void Studio::open_project() {
  const auto words = [&](Side side) -> const Vocabulary& {
    return data_.source ? (side == Side::source ? data_.source : data_.target)->vocabulary()
                        : data_.space->vocabulary(side);
  };
  project_ = std::make_unique<Project>(
      data_.project,
      ProjectIdentity{digest(words(Side::source)), digest(words(Side::target)), data_.source_name, data_.target_name});
  verdicts_ = Verdicts(project_->standing());
  if (!data_.mapping) {
    set_bench(data_.space ? *data_.space : CommonSpace(*data_.source, *data_.target), 0);
    return;
  }
  const auto take = [&](const std::string& name, const Mapping& mapping) {
    const std::string bytes = wordbridge::mapping_bytes(mapping), checksum = digest(bytes);
    for (const MappingRecord& record : project_->mappings())
      if (record.facts.value("checksum", "") == checksum) return std::pair(record.id, false);
    const Json facts = {{"checksum", checksum}, {"method", mapping.provenance.method}};
    return std::pair(project_->add_mapping({.name = name, .state = "given", .facts = facts}, bytes), true);
  };
  const auto [given, is_new] = take("as it was given", *data_.mapping);
  for (const auto& [name, other] : data_.others) take(name, other);
  std::int64_t current = given;
  if (!is_new && data_.source)
    if (const std::string known = project_->setting(kCurrent); !known.empty()) current = std::stoll(known);
  project_->set(kCurrent, std::to_string(current));
  if (const auto kept = current == given ? std::nullopt : mapping(current))
    set_bench(space_of(*kept), current);
  else
    set_bench(space_of(*data_.mapping), given);
}

CommonSpace Studio::space_of(const Mapping& mapping) const {
  if (!data_.source) {
    if (&mapping == &*data_.mapping) return *data_.space;
    throw UsageError(
        "a prepared space knows one mapping only: open the studio with a mapping and two files of vectors");
  }
  return CommonSpace::mapped(mapping, *data_.source, *data_.target);
}

void Studio::set_bench(CommonSpace space, std::int64_t mapping) {
  auto bench =
      std::make_shared<Bench>(std::move(space), static_cast<std::uint64_t>(mapping), settings_.threads, settings_.seed);
  const std::lock_guard lock(mutex_);
  queue_ = std::make_shared<ReviewQueue>(bench);
  bench_ = std::move(bench);
}

std::shared_ptr<Bench> Studio::bench() const {
  const std::lock_guard lock(mutex_);
  return bench_;
}

std::shared_ptr<const ReviewQueue> Studio::queue() const {
  const std::lock_guard lock(mutex_);
  return queue_;
}

void Studio::warm_up() {
  std::shared_ptr<Bench> bench;
  std::shared_ptr<ReviewQueue> queue;
  {
    const std::lock_guard lock(mutex_);
    bench = bench_;
    queue = queue_;
  }
  jobs_.start("warm-up", [bench] {
    bench->warm_up();
    return Json::object();
  });
  if (project_)
    jobs_.start("review", [this, queue] {
      queue->fill([&](std::string_view word) { return !lexicon_.of(Side::source, word).empty(); });
      return Json::object();
    });
}

/// Another program may write into the same project: then what stands is read anew.
void Studio::watch_project() {
  std::int64_t seen = project_->written_elsewhere();
  std::unique_lock lock(ending_mutex_);
  while (!ending_changed_.wait_for(lock, std::chrono::milliseconds(700), [&] { return ending_; })) {
    try {
      const std::int64_t now = project_->written_elsewhere();
      if (now == seen) continue;
      seen = now;
      {
        const std::lock_guard verdicts_lock(verdicts_mutex_);
        verdicts_ = Verdicts(project_->standing());
      }
      events_.tell("decision", Json::object());
    } catch (const Error&) {
      // Whoever asks next is told.
    }
  }
}

void Studio::tell_decision(const Decision& decision) { events_.tell("decision", decision.to_json()); }

Decision Studio::decide(Decision decision) {
  Decision made;
  {
    const std::lock_guard lock(verdicts_mutex_);
    made = project_->decide(std::move(decision));
    verdicts_.apply(made);
  }
  tell_decision(made);
  return made;
}

std::size_t Studio::decide_all(std::vector<Decision> decisions) {
  {
    const std::lock_guard lock(verdicts_mutex_);
    std::erase_if(decisions, [&](const Decision& one) {
      return one.verdict == Verdict::accepted ? verdicts_.accepted(one.source, one.target)
                                              : verdicts_.rejected(one.source, one.target);
    });
    project_->decide_all(decisions);
    for (const Decision& one : decisions) verdicts_.apply(one);
  }
  events_.tell("decision", Json::object());
  return decisions.size();
}

std::optional<Decision> Studio::undo(std::int64_t id) {
  std::optional<Decision> undone;
  {
    const std::lock_guard lock(verdicts_mutex_);
    undone = project_->undo(id);
    if (!undone) return std::nullopt;
    verdicts_.forget(undone->source, undone->target);
    if (const auto before = project_->standing(undone->source, undone->target)) verdicts_.apply(*before);
  }
  tell_decision(*undone);
  return undone;
}

/// As long as the mapping is unknown to them, words are where their normalized vectors are.
RowsBefore Studio::rows_before() const {
  if (!data_.source || !data_.mapping) return nullptr;
  return [this](std::size_t begin, std::size_t end) {
    Matrix rows = Matrix::copy_of(data_.source->table().view().slice(begin, end));
    data_.mapping->normalizer(Side::source).apply(rows);
    normalize_rows(rows);
    return rows;
  };
}

std::string Studio::map_name(const std::string& kind, std::size_t words) { return fmt::format("{} {}", kind, words); }

std::shared_ptr<const std::string> Studio::map(const std::string& kind, std::size_t words) {
  const std::shared_ptr<Bench> bench = this->bench();
  const std::pair key(bench->mapping(), map_name(kind, words));
  const auto find = [&]() -> std::shared_ptr<const std::string> {
    const std::lock_guard lock(mutex_);
    const auto found = maps_.find(key);
    return found == maps_.end() ? nullptr : found->second;
  };
  const auto keep = [&](std::string bytes) {
    auto made = std::make_shared<const std::string>(std::move(bytes));
    const std::lock_guard lock(mutex_);
    if (maps_.size() >= kMostMaps) maps_.clear();
    maps_[key] = made;
    return made;
  };
  if (auto known = find()) return known;
  const std::lock_guard making(making_map_);
  if (auto known = find()) return known;
  if (kind != "pca") {
    const auto kept = project_ ? project_->map(static_cast<std::int64_t>(key.first), key.second) : std::nullopt;
    return kept ? keep(Layout::parse(*kept, kind).to_bytes()) : nullptr;
  }
  const Context::Scope scope(map_context_);
  return keep(pca_layout(bench->space(), rows_before(), words, words).to_bytes());
}

std::optional<std::uint64_t> Studio::make_map(std::size_t words) {
  const std::shared_ptr<Bench> bench = this->bench();
  return jobs_.start("map", [this, bench, words] {
    const Layout start = pca_layout(bench->space(), nullptr, words, words);
    UmapOptions options;
    options.seed = settings_.seed;
    const Layout layout = umap_layout(bench->space(), rows_before(), start, options);
    const std::string bytes = layout.to_bytes(), name = map_name(layout.kind, words);
    if (project_) project_->keep_map(static_cast<std::int64_t>(bench->mapping()), name, bytes);
    const std::lock_guard lock(mutex_);
    if (maps_.size() >= kMostMaps) maps_.clear();
    maps_[{bench->mapping(), name}] = std::make_shared<const std::string>(bytes);
    return Json{{"words", words}, {"kept", layout.kept}};
  });
}

std::vector<MappingRecord> Studio::mappings() {
  if (project_) return project_->mappings();
  std::vector<MappingRecord> records;
  if (data_.mapping) records.push_back({.id = 1, .name = "as it was given", .state = "given"});
  for (const auto& [name, mapping] : data_.others)
    records.push_back({.id = static_cast<std::int64_t>(records.size()) + 1, .name = name, .state = "given"});
  return records;
}

std::optional<Mapping> Studio::mapping(std::int64_t id) {
  if (project_) {
    if (!project_->mapping(id)) return std::nullopt;
    return parse_mapping(project_->mapping_bytes(id), fmt::format("{}, mapping {}", project_->path(), id));
  }
  if (id == 1) return data_.mapping;
  if (id < 2 || static_cast<std::size_t>(id) > data_.others.size() + 1) return std::nullopt;
  return data_.others[static_cast<std::size_t>(id - 2)].second;
}

std::optional<std::uint64_t> Studio::train() {
  return jobs_.start("train", [this] { return train_now(); });
}

/// What the lexicon teaches without the words that are held out: a mapping that was given may have seen them.
std::int64_t Studio::base_mapping(const WordPairs& train) {
  std::string text;
  for (const WordPairs::Pair& pair : train.pairs) text += to_line(pair) + "\n";
  const std::string learned_from = digest(text);
  for (const MappingRecord& record : project_->mappings())
    if (record.state == "base" && record.facts.value("learned_from", "") == learned_from) return record.id;
  const Mapping base = learn(*data_.source, *data_.target, train, &*data_.mapping);
  const Json facts = {
      {"learned_from", learned_from}, {"method", base.provenance.method}, {"pairs", train.pairs.size()}};
  return project_->add_mapping({.name = "the lexicon without the words held out", .state = "base", .facts = facts},
                               wordbridge::mapping_bytes(base));
}

Json Studio::train_now() {
  const auto begin = std::chrono::steady_clock::now();
  const WordPairs lexicon = data_.lexicon.value_or(WordPairs());
  const TrainingPairs pairs =
      look_at_verdicts([&](const Verdicts& verdicts) { return training_pairs(lexicon, data_.validation, verdicts); });
  const std::shared_ptr<Bench> bench = this->bench();
  const auto current = project_->mapping(static_cast<std::int64_t>(bench->mapping()));
  const Mapping learned = learn(*data_.source, *data_.target, pairs.train, &*data_.mapping);
  Json facts = {{"method", learned.provenance.method},
                {"pairs", pairs.train.pairs.size()},
                {"accepted", pairs.accepted},
                {"removed", pairs.removed}};
  if (!pairs.held_out.pairs.empty()) {
    const bool fair = data_.validation.has_value() || (current && current->state != "given");
    std::int64_t rival = static_cast<std::int64_t>(bench->mapping());
    if (!fair) rival = base_mapping(training_pairs(lexicon, std::nullopt, Verdicts()).train);
    const WordTranslation before = judge(fair ? bench->space() : space_of(mapping(rival).value()), pairs.held_out);
    const WordTranslation after = judge(space_of(learned), pairs.held_out);
    Json difference = comparison_json(before, after);
    difference.erase("different");
    facts["scores"] = scores_json(after);
    facts["compared_with"] = rival;
    facts["before"] = scores_json(before);
    facts["comparison"] = std::move(difference);
  }
  facts["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  const std::int64_t id =
      project_->add_mapping({.name = fmt::format("trained with {} decisions", pairs.accepted + pairs.removed),
                             .state = "candidate",
                             .facts = facts},
                            wordbridge::mapping_bytes(learned));
  return {{"mapping", id}};
}

bool Studio::use_mapping(std::int64_t id) {
  const auto chosen = mapping(id);
  if (!chosen) return false;
  set_bench(space_of(*chosen), id);
  project_->set(kCurrent, std::to_string(id));
  events_.tell("mapping", Json{{"id", id}});
  warm_up();
  return true;
}

Json Studio::compare(std::int64_t first, std::int64_t second) {
  const std::lock_guard lock(comparing_);
  const WordPairs lexicon = data_.lexicon.value_or(WordPairs());
  const WordPairs held_out = look_at_verdicts(
      [&](const Verdicts& verdicts) { return training_pairs(lexicon, data_.validation, verdicts).held_out; });
  if (held_out.pairs.empty())
    throw UsageError("there are no words to compare on: open the studio with --validation or --lexicon");
  const Context::Scope scope(map_context_);
  const auto result = [&](std::int64_t id) {
    const std::shared_ptr<Bench> bench = this->bench();
    if (static_cast<std::int64_t>(bench->mapping()) == id) return judge(bench->space(), held_out);
    const auto other = mapping(id);
    if (!other) throw UsageError(fmt::format("there is no mapping {}", id));
    return judge(space_of(*other), held_out);
  };
  return comparison_json(result(first), result(second));
}

}  // namespace wordbridge::studio
