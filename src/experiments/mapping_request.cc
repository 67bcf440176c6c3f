#include "experiments/mapping_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "align/rcsls/rcsls_options.h"
#include "align/registry.h"
#include "base/wording.h"
#include "retrieval/criterion_registry.h"
#include "wordbridge/error.h"

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

}  // namespace wordbridge
