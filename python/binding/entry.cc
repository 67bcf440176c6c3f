#include "entry.h"

#include <pybind11/stl.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "lexicon/word_lookup.h"
#include "run.h"
#include "space.h"
#include "text.h"
#include "wordbridge/entry.h"

namespace wordbridge::python {

namespace py = pybind11;

namespace {

/// word, p_translation, p_first, rank, frequency rank, known
using FormRow = std::tuple<Text, double, double, std::size_t, std::size_t, bool>;
/// query, word, lines
using EntryRow = std::tuple<Text, Text, std::vector<std::vector<FormRow>>>;

/// What entries are asked for.
struct EntrySettings {
  std::optional<double> precision, recall;
  bool forms_apart = false;
  std::size_t first = 0, last = 0;  // of whole vocabularies; last 0: to the end

  EntryOptions options() const { return {.precision = precision, .recall = recall, .forms_apart = forms_apart}; }
};

EntryRow to_row(const Entry& entry) {
  std::vector<std::vector<FormRow>> lines;
  for (const EntryLine& line : entry.lines) {
    std::vector<FormRow>& forms = lines.emplace_back();
    for (const EntryForm& form : line.forms)
      forms.emplace_back(Text{form.word}, form.p_translation, form.p_first, form.rank, form.frequency_rank(),
                         form.known);
  }
  return {Text{entry.query}, Text{entry.word}, std::move(lines)};
}

/// No words: those of the vocabulary.
std::vector<EntryRow> entries_of(const Run& run, const Space& space, const std::optional<std::vector<Text>>& words,
                                 const EntrySettings& settings, const Text& letter_case, bool subwords) {
  return run([&] {
    const auto translator = space.translator({.criterion = "rerank"}, run.seed(), parse_case_policy(letter_case.bytes),
                                             subwords, Side::source);
    const EntryMaker maker(*translator, settings.options());
    std::vector<EntryRow> rows;
    if (!words) {
      const std::size_t last = settings.last == 0 ? space.space().size(Side::source) : settings.last;
      maker.induce(settings.first, last, [&](const Entry& entry) { rows.push_back(to_row(entry)); });
      return rows;
    }
    std::vector<std::string> asked;
    for (const Text& word : *words) asked.push_back(word.bytes);
    for (const Entry& entry : maker.entries(asked)) rows.push_back(to_row(entry));
    return rows;
  });
}

/// threshold, precision, recall, f1, words, reached
std::tuple<double, double, double, double, std::size_t, bool> balance_of_entries(const Space& space,
                                                                                 const EntrySettings& settings) {
  const EntryBalance balance = entry_balance(space.space(), settings.options());
  return {balance.threshold, balance.precision, balance.recall, balance.f1, balance.words, balance.reached};
}

}  // namespace

void bind_entry(py::module_& module) {
  py::class_<EntrySettings>(module, "EntrySettings")
      .def(py::init([](std::optional<double> precision, std::optional<double> recall, bool forms_apart,
                       std::size_t first, std::size_t last) {
        return EntrySettings{precision, recall, forms_apart, first, last};
      }));
  module.def("entries", &entries_of);
  module.def("entry_balance", &balance_of_entries);
}

}  // namespace wordbridge::python
