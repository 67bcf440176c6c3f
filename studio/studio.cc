#include "studio/studio.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "wordbridge/error.h"
#include "wordbridge/normalizer.h"

namespace wordbridge::studio {

namespace {

constexpr std::size_t kMostMaps = 6;

void drop(std::vector<std::string>& words, const std::string& word) { std::erase(words, word); }

}  // namespace

void KnownPairs::add(const std::string& source, const std::string& target) {
  if (has(source, target)) return;
  of_source_[source].push_back(target);
  of_target_[target].push_back(source);
  ++size_;
}

void KnownPairs::remove(const std::string& source, const std::string& target) {
  if (!has(source, target)) return;
  drop(of_source_[source], target);
  drop(of_target_[target], source);
  --size_;
}

std::vector<std::string> KnownPairs::of(Side side, std::string_view word) const {
  const Words& words = side == Side::source ? of_source_ : of_target_;
  const auto found = words.find(word);
  return found == words.end() ? std::vector<std::string>() : found->second;
}

bool KnownPairs::has(const std::string& source, const std::string& target) const {
  const auto found = of_source_.find(source);
  return found != of_source_.end() && std::ranges::count(found->second, target) > 0;
}

Studio::Studio(StudioData data, const StudioSettings& settings)
    : data_(std::move(data)),
      settings_(settings),
      map_context_({.threads = settings.threads, .seed = settings.seed}),
      jobs_(events_, settings.threads, settings.seed) {
  if (data_.lexicon)
    for (const WordPairs::Pair& pair : data_.lexicon->pairs) lexicon_.add(pair.source, pair.target);
  bench_ = std::make_shared<Bench>(space_of(data_.mapping ? &*data_.mapping : nullptr), data_.mapping ? 1 : 0,
                                   settings.threads, settings.seed);
}

Studio::~Studio() { events_.close(); }

CommonSpace Studio::space_of(const Mapping* mapping) const {
  if (mapping == nullptr) return data_.space ? *data_.space : CommonSpace(*data_.source, *data_.target);
  if (data_.space && !data_.source) return *data_.space;
  return CommonSpace::mapped(*mapping, *data_.source, *data_.target);
}

std::shared_ptr<Bench> Studio::bench() const {
  const std::lock_guard lock(mutex_);
  return bench_;
}

void Studio::warm_up() {
  const std::shared_ptr<Bench> bench = this->bench();
  jobs_.start("warm-up", [bench] {
    bench->warm_up();
    return Json::object();
  });
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

std::string Studio::map_key(const Bench& bench, const std::string& kind, std::size_t words) const {
  return fmt::format("{} {} {}", bench.mapping(), kind, words);
}

std::shared_ptr<const std::string> Studio::map(const std::string& kind, std::size_t words) {
  const std::shared_ptr<Bench> bench = this->bench();
  const std::string key = map_key(*bench, kind, words);
  const auto find = [&]() -> std::shared_ptr<const std::string> {
    const std::lock_guard lock(mutex_);
    const auto found = maps_.find(key);
    return found == maps_.end() ? nullptr : found->second;
  };
  if (auto known = find()) return known;
  if (kind != "pca") return nullptr;
  const std::lock_guard making(making_map_);
  if (auto known = find()) return known;
  const Context::Scope scope(map_context_);
  auto made = std::make_shared<const std::string>(pca_layout(bench->space(), rows_before(), words, words).to_bytes());
  const std::lock_guard lock(mutex_);
  if (maps_.size() >= kMostMaps) maps_.clear();
  maps_[key] = made;
  return made;
}

std::optional<std::uint64_t> Studio::make_map(std::size_t words) {
  const std::shared_ptr<Bench> bench = this->bench();
  return jobs_.start("map", [this, bench, words] {
    const Layout start = pca_layout(bench->space(), nullptr, words, words);
    UmapOptions options;
    options.seed = settings_.seed;
    const Layout layout = umap_layout(bench->space(), rows_before(), start, options);
    const std::lock_guard lock(mutex_);
    maps_[map_key(*bench, layout.kind, words)] = std::make_shared<const std::string>(layout.to_bytes());
    return Json{{"words", words}, {"kept", layout.kept}};
  });
}

}  // namespace wordbridge::studio
