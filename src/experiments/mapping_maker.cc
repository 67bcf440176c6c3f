#include "experiments/mapping_maker.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "align/alignment_plan.h"
#include "align/rcsls/rcsls_options.h"
#include "align/registry.h"
#include "base/atomic_file.h"
#include "base/option_error.h"
#include "base/wording.h"
#include "experiments/cell_settings.h"
#include "lexicon/identical_words.h"
#include "lexicon/lexicon_reader.h"
#include "mapping/mapping_format.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/context.h"
#include "wordbridge/error.h"
#include "wordbridge/formats.h"

namespace wordbridge {

namespace {

/// Options with their values, and what is none.
struct TakenApart {
  std::map<std::string, std::string> options;  // by name, without dashes
  std::vector<std::string> others;
};

void refuse_output(const std::string& option) {
  throw UsageError(fmt::format("an experiment may not set {}: it writes nothing but its results", option));
}

/// Options of the program that are none of a method.
bool is_output_of_the_program(const std::string& option) {
  return option == "--output" || option == "--json" || (option.starts_with("-o") && !option.starts_with("--"));
}

void require_data_file(const std::string& value) {
  if (!value.starts_with('@'))
    throw UsageError(fmt::format("'{}' must be the name of a data file, with an @ before it", value));
}

const OptionInfo& known_option(const std::string& option, const std::vector<OptionInfo>& known) {
  const auto found = std::ranges::find(known, option, [](const OptionInfo& info) { return "--" + info.name; });
  if (found != known.end()) return *found;
  std::vector<std::string> names;
  for (const OptionInfo& info : known) names.push_back("--" + info.name);
  const std::string near = closest(option, names);
  throw UsageError(
      fmt::format("unknown option '{}'{}", option, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near)));
}

TakenApart take_apart(const std::vector<std::string>& words, const std::vector<OptionInfo>& known) {
  TakenApart result;
  for (auto word = words.begin(); word != words.end(); ++word) {
    if (!word->starts_with('-')) {
      result.others.push_back(*word);
      continue;
    }
    const std::size_t sign = word->find('=');
    const std::string option = word->substr(0, sign);
    if (is_output_of_the_program(option)) refuse_output(option);
    const OptionInfo& info = known_option(option, known);
    if (info.writes) refuse_output(option);
    std::string value = sign == std::string::npos ? "true" : word->substr(sign + 1);
    if (sign == std::string::npos && info.kind != OptionKind::flag) {
      if (++word == words.end()) throw UsageError(option + " needs a value");
      value = *word;
    }
    if (!result.options.emplace(info.name, value).second) throw UsageError(option + " is given twice");
  }
  return result;
}

template <class S>
std::vector<OptionInfo> infos_of(const OptionList<S>& list) {
  std::vector<OptionInfo> infos;
  for (const Option<S>& option : list.all()) infos.push_back(option.info());
  return infos;
}

/// What is asked for beside the options of methods.
OptionList<AlignRequest> align_request_options() {
  using R = AlignRequest;
  OptionList<R> list;
  list.add(
      "method", [](auto& request) -> auto& { return request.options.method; }, "The method");
  list.add(
      "normalize", [](auto& request) -> auto& { return request.options.normalization; }, "Steps before it");
  list.add("case", &R::case_policy,
           std::vector<std::pair<std::string, CasePolicy>>{
               {"exact", CasePolicy::exact}, {"lower", CasePolicy::lower}, {"title", CasePolicy::title}},
           "What to try for words of the lexicon that are not found as written");
  list.add("identical-words", &R::identical_words, "Instead of a lexicon: words that both vocabularies have");
  list.add("numerals", &R::numerals, "Instead of a lexicon: numbers that both vocabularies have");
  return list;
}

OptionList<ImportRequest> import_request_options() {
  using R = ImportRequest;
  OptionList<R> list = matrix_import_options().within<R>(&R::options);
  OptionList<R> own;
  own.add(
         "criterion", [](auto& request) -> auto& { return request.options.criterion; },
         "The retrieval that goes with it")
      .choices(vector_criterion_names());
  own.add("source", &R::source, "Vectors of the source side").file();
  own.add("target", &R::target, "Vectors of the target side").file();
  list.append(own);
  return list;
}

std::vector<OptionInfo> known_align_options() {
  std::vector<OptionInfo> known = infos_of(align_request_options());
  std::ranges::move(infos_of(all_align_options()), std::back_inserter(known));
  return known;
}

}  // namespace

bool is_import(const std::vector<std::string>& words) { return !words.empty() && words.front() == "import"; }

void require_data_files(const std::vector<std::string>& words) {
  const bool imports = is_import(words);
  const std::vector<OptionInfo> known = imports ? infos_of(import_request_options()) : known_align_options();
  const TakenApart given = take_apart({words.begin() + (imports ? 1 : 0), words.end()}, known);
  for (const auto& [name, value] : given.options)
    if (known_option("--" + name, known).is_file && !is_named_start(value)) require_data_file(value);
  for (const std::string& matrix : given.others) require_data_file(matrix);
}

AlignRequest parse_align_request(const std::vector<std::string>& words) {
  const OptionList<AlignRequest> own = align_request_options();
  const TakenApart given = take_apart(words, known_align_options());
  if (!given.others.empty()) throw UsageError(fmt::format("unexpected argument '{}'", given.others.front()));
  AlignRequest request;
  request.options.method = "rcsls";  // the paper's, where an experiment names none
  for (const auto& [name, value] : given.options)
    if (own.find(name) != nullptr)
      own.set(request, name, value);
    else
      request.options.options.emplace(name, value);
  if (request.identical_words && request.numerals)
    throw UsageError("--identical-words and --numerals cannot be given together");
  return request;
}

ImportRequest parse_import_request(const std::vector<std::string>& words) {
  const OptionList<ImportRequest> list = import_request_options();
  const TakenApart given = take_apart(words, infos_of(list));
  if (given.others.size() != 1) throw UsageError("import takes one matrix");
  ImportRequest request;
  for (const auto& [name, value] : given.options) list.set(request, name, value);
  request.options.matrix = given.others.front();
  return request;
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// As it goes into the provenance; empty where there is none.
std::string name_of_lexicon(const AlignRequest& request, const std::string& path) {
  return !path.empty() ? path : request.identical_words ? "identical words" : request.numerals ? "numerals" : "";
}

void check_lexicon(const AlignMethod& method, const AlignRequest& request, const std::string& path) {
  if (!path.empty() && (request.identical_words || request.numerals))
    throw UsageError("--identical-words and --numerals stand for a lexicon, but the setting 'train' names one");
  const bool given = !name_of_lexicon(request, path).empty();
  if (method.needs_lexicon && !given)
    throw UsageError(fmt::format("--method {} learns from a lexicon: the setting 'train' is needed", method.name));
  if (!method.needs_lexicon && given)
    throw UsageError(fmt::format("--method {} learns without a lexicon", method.name));
}

void check_start(const Mapping* start, const WordVectors& vectors, Side side) {
  if (start != nullptr) start->require_dimension(vectors.dimension(), side, vectors.summary().path);
}

}  // namespace

CachedMapping MappingMaker::mapping_for(const CellSettings& settings) {
  std::vector<std::string> words = settings.words("align");
  if (words == std::vector<std::string>{"none"}) return {};
  const bool imports = is_import(words);
  require_data_files(words);
  KeyParts parts = {{"seed", std::to_string(Context::current().seed())}};
  Inputs inputs;
  if (imports)
    words.erase(words.begin());
  else
    inputs = find_inputs(settings, parts);
  std::string& text = parts[imports ? "import" : "align"];
  for (const std::string& word : words) text += word + ' ';
  words = with_data_files(words, parts);
  const AlignRequest align_request = imports ? AlignRequest() : parse_align_request(words);
  const ImportRequest import_request = imports ? parse_import_request(words) : ImportRequest();

  const std::string key = ResultCache::key_of(parts);
  const CachedMapping result{key, cache_.path_of(key, ".wbmap")};
  if (cache_.has(key, ".wbmap")) return result;
  if (const auto failed = failures_.find(key); failed != failures_.end()) throw Error(failed->second);
  try {
    if (imports)
      import(import_request, result.path);
    else
      learn(align_request, inputs, result.path);
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    failures_[key] = command_line_text(error);
    throw;
  }
  cache_.made(key);
  return result;
}

MappingMaker::Inputs MappingMaker::find_inputs(const CellSettings& settings, KeyParts& parts) {
  Inputs inputs;
  inputs.source = settings.file("source_vectors", files_);
  parts["source"] = cache_.digest(inputs.source);
  inputs.target = settings.file("target_vectors", files_);
  parts["target"] = cache_.digest(inputs.target);
  if (!settings.text("train").empty()) {
    inputs.lexicon = training_lexicon(settings, files_, cache_);
    parts["lexicon"] = cache_.digest(inputs.lexicon);
  }
  inputs.max_words = settings.max_words();
  parts["max_words"] = settings.text("max_words", std::to_string(kUsualWords));
  inputs.normalization = settings.text("normalize");
  if (!inputs.normalization.empty()) parts["normalize"] = inputs.normalization;
  return inputs;
}

/// Words that begin with @, and values behind a = that do, name data files.
std::vector<std::string> MappingMaker::with_data_files(const std::vector<std::string>& words, KeyParts& parts) {
  std::vector<std::string> result = words;
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::size_t sign = result[i].starts_with('@') ? 0 : result[i].find("=@");
    if (sign == std::string::npos) continue;
    const std::size_t name = result[i].find('@', sign);
    const std::string path = files_.find(result[i].substr(name + 1));
    result[i].replace(name, std::string::npos, path);
    parts[fmt::format("file {}", i)] = cache_.digest(path);
  }
  return result;
}

void MappingMaker::learn(const AlignRequest& request, const Inputs& inputs, const std::string& path) {
  const auto begin = Clock::now();
  AlignOptions options = request.options;
  if (!inputs.normalization.empty() && !options.normalization.empty())
    throw UsageError("--normalize and the setting 'normalize' say the same: one of them is enough");
  if (!inputs.normalization.empty()) options.normalization = inputs.normalization;
  const AlignmentPlan plan(options);
  check_lexicon(plan.method(), request, inputs.lexicon);
  AtomicFile output(path);
  const auto source = loaded_.vectors(inputs.source, inputs.max_words);
  check_start(plan.start(), *source, Side::source);
  const auto target = loaded_.vectors(inputs.target, inputs.max_words);
  check_start(plan.start(), *target, Side::target);
  const Lexicon lexicon = find_lexicon(request, inputs.lexicon, source->vocabulary(), target->vocabulary());

  const auto begin_of_learning = Clock::now();
  PreparedProblem problem = plan.prepare(
      *source, *target, lexicon, {.max_words = inputs.max_words, .lexicon = name_of_lexicon(request, inputs.lexicon)});
  for (const std::string& warning : plan.warnings(problem)) observer_.warned(warning);
  const Mapping mapping = plan.run(std::move(problem));
  const double learning = seconds_since(begin_of_learning);
  for (const std::string& warning : mapping.provenance.report.warnings) observer_.warned(warning);
  write_mapping(mapping, output);
  observer_.made_mapping(mapping, path, learning, seconds_since(begin));
}

Lexicon MappingMaker::find_lexicon(const AlignRequest& request, const std::string& path, const Vocabulary& source,
                                   const Vocabulary& target) {
  const std::string name = name_of_lexicon(request, path);
  if (name.empty()) return Lexicon();
  Lexicon lexicon = !path.empty()      ? read_lexicon(path, source, target, {.case_policy = request.case_policy})
                    : request.numerals ? identical_numerals(source, target)
                                       : identical_words(source, target);
  observer_.found_lexicon(name, lexicon.coverage());
  return lexicon;
}

void MappingMaker::import(const ImportRequest& request, const std::string& path) {
  const auto begin = Clock::now();
  AtomicFile output(path);
  MatrixImport matrix(request.options);
  for (const Side side : {Side::source, Side::target}) {
    const std::string& vectors = side == Side::source ? request.source : request.target;
    if (!vectors.empty()) matrix.fit(*loaded_.vectors(vectors, kUsualWords), side);
  }
  Mapping mapping = std::move(matrix).finish();
  mapping.provenance.max_words = kUsualWords;
  write_mapping(mapping, output);
  observer_.made_mapping(mapping, path, 0, seconds_since(begin));
}

}  // namespace wordbridge
