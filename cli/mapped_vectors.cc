#include "cli/mapped_vectors.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "io/byte_stream.h"
#include "mapping/mapping_format.h"
#include "mapping/space_identity.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

void check_ahead(const Mapping& mapping, Side side, const VectorFile& file, const VectorOptions& options) {
  if (const auto dimension = dimension_ahead(file, options))
    mapping.require_dimension(*dimension, side, file_name(file.path));
}

void check_side(Session& session, const Mapping& mapping, Side side, const WordVectors& vectors,
                const VectorFile& file) {
  mapping.require_dimension(vectors.dimension(), side, file_name(file.path));
  if (const auto warning = mapping.mismatch(vectors, side)) session.warn(*warning);
}

/// Of the first file that is named: standard input is a mapping.
bool names_mapping(const std::string& path) {
  if (path == "-" || path.ends_with(".wbmap")) return true;
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) && looks_like_mapping(open_bytes(path)->peek(64));
}

void require_one_space(std::size_t source, std::size_t target) {
  if (source != target)
    throw UsageError(fmt::format("without a mapping both files must share a space, but their dimensions are {} and {}",
                                 source, target));
}

}  // namespace

void MappedInputs::declare(Arguments& arguments, MappingArgument mapping) {
  rule_ = mapping;
  if (mapping == MappingArgument::required) {
    arguments.file("mapping", mapping_, "The mapping that 'wordbridge align' wrote");
    source_.declare(arguments, "source", "Vectors of the source language", "--source-vocabulary");
    target_.declare(arguments, "target", "Vectors of the target language", "--target-vocabulary");
  } else {
    arguments.list("files", files_, 2, 3, "[mapping] source target",
                   "A mapping and the vectors it is for, or two files of vectors that share a space already");
    source_.declare_vocabulary(arguments, "source", "--source-vocabulary");
    target_.declare_vocabulary(arguments, "target", "--target-vocabulary");
    declare_hub(arguments);
  }
  options_.declare(arguments, mapping == MappingArgument::required ? "the mapping's" : "the mapping's or 200000");
}

void MappedInputs::declare_with_words(Arguments& arguments, std::vector<std::string>& all,
                                      const std::string& description) {
  rule_ = MappingArgument::optional;
  arguments.list(
      "files", all, 2, 1 << 28, "[mapping] source target [words...]",
      "A mapping and the vectors it is for, or two files of vectors that share a space already. " + description);
  source_.declare_vocabulary(arguments, "source", "--source-vocabulary");
  target_.declare_vocabulary(arguments, "target", "--target-vocabulary");
  declare_hub(arguments);
  options_.declare(arguments, "the mapping's or 200000");
}

void MappedInputs::declare_hub(Arguments& arguments) {
  arguments.heading("Vectors");
  arguments.text("--hub", hub_folder_, "FOLDER",
                 "A hub that 'wordbridge hub' wrote: two of its languages take the place of the files");
}

void MappedInputs::take_words(std::vector<std::string>& all) {
  const std::size_t files = hub_folder_.empty() && names_mapping(all.front()) ? 3 : 2;
  if (all.size() < files)
    throw UsageError(fmt::format("behind the mapping {}, the vectors of two languages are wanted", all.front()));
  files_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(files));
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(files));
}

Mapping MappedInputs::open(const std::vector<std::string>& others) {
  take_optional_arguments();
  std::vector<std::string> all = {mapping_, source_.path, target_.path};
  all.insert(all.end(), others.begin(), others.end());
  require_one_standard_input(all);
  if (mapping_.empty()) {
    const auto source = dimension_ahead(source_, options_), target = dimension_ahead(target_, options_);
    if (source && target) require_one_space(*source, *target);
    return Mapping();
  }
  Mapping mapping = hub_ ? hub_->mapping(files_.front(), files_.back()) : read_mapping(mapping_);
  check_ahead(mapping, Side::source, source_, options_);
  check_ahead(mapping, Side::target, target_, options_);
  return mapping;
}

Mapping MappedInputs::open_other(const std::string& path) const {
  if (mapping_.empty()) throw UsageError("vectors that share a space already cannot be mapped by " + path);
  Mapping mapping = read_mapping(path);
  check_ahead(mapping, Side::source, source_, options_);
  check_ahead(mapping, Side::target, target_, options_);
  return mapping;
}

MappedInputs::Vectors MappedInputs::read(Session& session, const Mapping& mapping) const {
  const auto load_side = [&](const VectorFile& file, Side side) {
    WordVectors vectors = load_vectors(session, file, options_, usual_words(mapping));
    if (has_mapping()) check_side(session, mapping, side, vectors, file);
    return vectors;
  };
  Vectors vectors;
  vectors.source = load_side(source_, Side::source);
  vectors.target = load_side(target_, Side::target);
  if (!has_mapping())
    require_same_space(vectors.source.dimension(), vectors.source.summary().space, vectors.target.dimension(),
                       vectors.target.summary().space);
  return vectors;
}

std::size_t MappedInputs::usual_words(const Mapping& mapping) const {
  return has_mapping() ? mapping.provenance.max_words : kUsualWords;
}

void MappedInputs::require_same_space(std::size_t source, std::uint64_t source_space, std::size_t target,
                                      std::uint64_t target_space) const {
  require_one_space(source, target);
  wordbridge::require_one_space(file_name(source_.path), source_space, file_name(target_.path), target_space);
}

void MappedInputs::require_shardable() {
  take_optional_arguments();
  for (const VectorFile* file : {&source_, &target_}) cli::require_shardable(*file, options_);
  if (mapping_ == "-") throw UsageError("several processes cannot share standard input: name a file");
}

std::unique_ptr<const ShardedSpace> MappedInputs::load_sharded(Session& session, const Mapping& mapping) const {
  const auto load_side = [&](const VectorFile& file, Side side) {
    ShardedVectors vectors = load_sharded_vectors(session, file, options_, usual_words(mapping));
    if (!has_mapping()) return vectors;
    mapping.require_dimension(vectors.dimension(), side, file_name(file.path));
    if (!mapping.provenance.origin(side).checksum.empty())
      if (const auto warning = mapping.mismatch(file.path, vectors.size(), vectors.content_checksum(), side))
        session.warn(*warning);
    return vectors;
  };
  ShardedVectors source = load_side(source_, Side::source), target = load_side(target_, Side::target);
  if (has_mapping()) return std::make_unique<const ShardedSpace>(mapping, std::move(source), std::move(target));
  require_same_space(source.dimension(), source.summary().space, target.dimension(), target.summary().space);
  return std::make_unique<const ShardedSpace>(std::move(source), std::move(target));
}

void MappedInputs::check(Session& session, const Mapping& mapping, const Vectors& vectors) const {
  check_side(session, mapping, Side::source, vectors.source, source_);
  check_side(session, mapping, Side::target, vectors.target, target_);
}

CommonSpace MappedInputs::space(const Mapping& mapping, Vectors vectors) const {
  return has_mapping() ? CommonSpace(mapping, std::move(vectors.source), std::move(vectors.target))
                       : CommonSpace(std::move(vectors.source), std::move(vectors.target));
}

void MappedInputs::take_optional_arguments() {
  if (rule_ == MappingArgument::required || files_.empty()) return;
  if (!hub_folder_.empty()) {
    take_languages();
    return;
  }
  if (files_.size() == 3) mapping_ = files_.front();
  source_.path = files_[files_.size() - 2];
  target_.path = files_.back();
}

void MappedInputs::take_languages() {
  if (hub_) return;
  if (files_.size() != 2) throw UsageError("with --hub, two languages are wanted in the place of files, as: es de");
  if (!source_.vocabulary.empty() || !target_.vocabulary.empty())
    throw UsageError("the languages of a hub have their words with them: leave the vocabularies out");
  hub_.emplace(hub_folder_);
  source_.path = hub_->vectors_path(files_.front());
  target_.path = hub_->vectors_path(files_.back());
  mapping_ = hub_folder_;
}

std::vector<std::string> MappedInputs::paths() {
  take_optional_arguments();
  return {mapping_, source_.path, target_.path, source_.vocabulary, target_.vocabulary, source_.ids, target_.ids};
}

}  // namespace wordbridge::cli
