#include "wordbridge/aligners/journal.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "wordbridge/base/error.h"

namespace wordbridge {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Journal::Journal(JournalOptions options, const Checkpoint::Fingerprint& fingerprint) : options_(std::move(options)) {
  if (options_.checkpoint.empty()) return;
  checkpoint_.emplace(options_.checkpoint, fingerprint);
  if (!options_.resume) {
    if (checkpoint_->has_unfinished())
      throw UsageError(fmt::format("{}: holds the checkpoint of a run that has not ended: resume it, or remove it",
                                   options_.checkpoint));
    return;
  }
  resumed_ = checkpoint_->load();
  if (!resumed_) return;
  const Json saved = Json::parse(resumed_->json);
  resumed_->json = saved.at("state").dump();
  for (const Json& line : saved.at("log")) log(line.get<std::string>());
}

void Journal::log(std::string object) {
  if (options_.log != nullptr) options_.log->add(object);
  lines_.push_back(std::move(object));
}

void Journal::save(CheckpointState state) const {
  if (!checkpoint_) return;
  state.json = Json{{"log", lines_}, {"state", Json::parse(state.json)}}.dump();
  checkpoint_->save(state);
}

Checkpoint::Fingerprint fingerprint_of(const Aligner& aligner, std::uint64_t seed, const AlignmentProblem& problem) {
  Checkpoint::Fingerprint result = aligner.options();
  result["method"] = aligner.name();
  result["seed"] = std::to_string(seed);
  result["source vectors"] = checksum_of(problem.source.table());
  result["target vectors"] = checksum_of(problem.target.table());
  return result;
}

}  // namespace wordbridge
