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

bool names_prepared_space(const std::string& path) {
  std::error_code error;
  return path.ends_with(".wbspace") ||
         (std::filesystem::is_regular_file(path, error) && looks_like_prepared_space(open_bytes(path)->peek(64)));
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
    arguments.list(
        "files", files_, 1, 3, "[mapping] source target",
        "A mapping and the vectors it is for, two files of vectors that share a space already, or a prepared "
        "space (.wbspace) alone");
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
      "files", all, 1, 1 << 28, "[mapping] source target [words...]",
      "A mapping and the vectors it is for, two files of vectors that share a space already, or a prepared space "
      "(.wbspace) alone. " +
          description);
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
  const bool prepared = hub_folder_.empty() && names_prepared_space(all.front());
  const std::size_t files = prepared ? 1 : hub_folder_.empty() && names_mapping(all.front()) ? 3 : 2;
  if (all.size() < files)
    throw UsageError(files == 3
                         ? fmt::format("behind the mapping {}, the vectors of two languages are wanted", all.front())
                         : fmt::format("{} alone is no prepared space (.wbspace): a mapping and two files of vectors "
                                       "are wanted, or two files that share a space",
                                       all.front()));
  files_.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(files));
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(files));
}

Mapping MappedInputs::open(const std::vector<std::string>& others) {
  take_optional_arguments();
  if (!prepared_path_.empty()) {
    open_prepared(others);
    return prepared_->mapping() ? *prepared_->mapping() : Mapping();
  }
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

void MappedInputs::open_prepared(const std::vector<std::string>& others) {
  std::vector<std::string> all = others;
  all.push_back(prepared_path_);
  require_one_standard_input(all);
  if (options_.max_words || options_.lenient)
    throw UsageError("a prepared space holds its words: --max-words and --lenient are for 'wordbridge prepare'");
  if (!source_.vocabulary.empty() || !target_.vocabulary.empty())
    throw UsageError("a prepared space has its words with it: leave the vocabularies out");
  prepared_.emplace(prepared_path_);
}

CommonSpace MappedInputs::load(Session& session, const Mapping& mapping) const {
  if (!prepared_) return space(mapping, read(session, mapping));
  const CommonSpace& space = prepared_->space();
  session.note(fmt::format("{}: {} and {} words x {} (prepared{})", file_name(prepared_path_), space.size(Side::source),
                           space.size(Side::target), space.dimension(), prepared_->is_half() ? ", float16" : ""));
  return space;
}

std::optional<Mapping> MappedInputs::hub_mapping_back() const {
  if (!hub_) return std::nullopt;
  return hub_->mapping(files_.back(), files_.front());
}

Mapping MappedInputs::open_other(const std::string& path) const {
  if (prepared_)
    throw UsageError(
        fmt::format("{} holds vectors that are mapped already, and {} is for those before: give the files "
                    "of vectors",
                    prepared_path_, path));
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
  if (!prepared_path_.empty())
    throw UsageError("a prepared space is for one process: give several a mapping and two files of vectors");
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
  if (names_prepared_space(files_.front())) {
    if (files_.size() > 1)
      throw UsageError(fmt::format("{} holds all words and vectors: leave {} out", files_.front(), files_[1]));
    prepared_path_ = files_.front();
    return;
  }
  if (files_.size() == 1)
    throw UsageError(
        fmt::format("{} is no prepared space (.wbspace), so a mapping and two files of vectors are wanted, "
                    "or two files that share a space",
                    files_.front()));
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
  if (!prepared_path_.empty()) return {prepared_path_};
  return {mapping_, source_.path, target_.path, source_.vocabulary, target_.vocabulary, source_.ids, target_.ids};
}

}  // namespace wordbridge::cli
