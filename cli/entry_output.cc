#include "cli/entry_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/wording.h"
#include "cli/options/arguments.h"
#include "cli/paths.h"
#include "hub/language_list.h"
#include "mapping/rerank_model.h"
#include "mapping/stored_lexicon.h"
#include "retrieval/rerank/transferred_reranker.h"
#include "space/common_space_state.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

namespace {

Dictionary::Translation translation_of(const EntryLine& line) {
  const EntryForm& leading = line.leading();
  Dictionary::Translation translation{
      .word = leading.word, .frequency_rank = leading.frequency_rank(), .known = leading.known};
  if (!leading.known || leading.p_translation > 0) {
    translation.p_first = leading.p_first;
    translation.p_translation = leading.p_translation;
  }
  for (std::size_t i = 1; i < line.forms.size(); ++i) translation.forms.push_back(line.forms[i].word);
  return translation;
}

/// The pairs that the mapping was learned from, as far as both vocabularies have them, the other way round.
Lexicon pairs_back(const CommonSpace& space) {
  std::vector<Lexicon::Pair> pairs;
  if (space.lexicon())
    for (const StoredLexicon::Pair& pair : space.lexicon()->pairs)
      if (const auto x = space.vocabulary(Side::source).find(pair.source),
          y = space.vocabulary(Side::target).find(pair.target);
          x && y)
        pairs.push_back({*y, *x});
  return Lexicon(std::move(pairs));
}

/// The same space with its sides in each other's place; `model` ranks there.
CommonSpace turned(const CommonSpace& space, std::shared_ptr<const RerankModel> model) {
  const CommonSpace::State& state = space.state();
  const auto lexicon = space.lexicon() ? std::make_shared<const StoredLexicon>(space.lexicon()->swapped()) : nullptr;
  return CommonSpace(std::make_shared<const CommonSpace::State>(state.words(Side::target), state.words(Side::source),
                                                                space.criterion(), std::move(model), nullptr, lexicon));
}

/// Its own re-ranker is that of the hub, else one with weights of other languages.
CommonSpace space_back(const MappedInputs& inputs, const CommonSpace& space) {
  if (const std::optional<Mapping> back = inputs.hub_mapping_back(); back && back->reranker)
    return turned(space, back->reranker);
  auto model = transfer_reranker(turned(space, nullptr), pairs_back(space));
  if (!model)
    throw Error("--both: nothing ranks translations on the way back: align the other direction, and induce from that");
  return turned(space, std::move(model));
}

}  // namespace

void EntryOutput::declare(Arguments& arguments) {
  std::vector<std::string> names, summaries;
  for (const DictionaryFormat& format : dictionary_formats()) {
    names.push_back(format.name);
    summaries.push_back(fmt::format("{} ({})", format.name, format.summary));
  }
  arguments.heading("Entries");
  arguments.flag("--entries", entries_,
                 "A dictionary: of each word all translations that are known or likely, none where none is");
  arguments.choice(
      "--format", format_name_, names,
      fmt::format("Its format: {} (default: by the extension of -o, else tsv)", fmt::join(summaries, ", ")));
  arguments.flag("--both", both_, "Both directions, in two files where the format does not hold both in one");
  arguments.text("--languages", languages_, "SOURCE,TARGET",
                 "Tags of the languages, as en,es (default: what the names of the vectors' files tell)");
  arguments.number("--recall", recall_, "The share of all translations that shall be named, from 0 to 1");
  arguments.flag("--forms", forms_, "Forms of one word (banque, banques) apart, not in one line");
  known_.declare(arguments);
}

void EntryOutput::check() const {
  if (!entries_ && (!format_name_.empty() || both_ || !languages_.empty() || recall_ || forms_ ||
                    !known_.paths().empty() || known_.ignored()))
    throw UsageError("--format, --both, --languages, --recall, --forms, --known and --ignore-known go with --entries");
}

void EntryOutput::open(const std::string& output, const std::string& source, const std::string& target,
                       const std::vector<std::string>& files) {
  output_ = output;
  const DictionaryFormat* by_path = dictionary_format_of_path(output);
  format_ = !format_name_.empty() ? &dictionary_format(format_name_)
            : by_path != nullptr  ? by_path
                                  : &dictionary_format("tsv");
  source_ = language_tag(language_of_file(source), "x-source");
  target_ = language_tag(language_of_file(target), "x-target");
  if (!languages_.empty()) {
    const std::size_t comma = languages_.find(',');
    source_ = language_tag(languages_.substr(0, comma), "");
    target_ = comma == std::string::npos ? "" : language_tag(languages_.substr(comma + 1), "");
    if (source_.empty() || target_.empty())
      throw UsageError(fmt::format("--languages {}: two tags are wanted, as en,es", languages_));
  }
  if (source_ == target_) {
    source_ = "x-source";
    target_ = "x-target";
  }
  known_.read();
  // The names of all files are known before any is opened.
  for (const std::string& path : DictionaryFiles::names(*format_, output, source_, target_, both_))
    refuse_overwriting(path, files);
  files_ = std::make_unique<DictionaryFiles>(*format_, output, source_, target_, both_);
}

Dictionary EntryOutput::dictionary_of(Session& session, const CommonSpace& space, Side from, const Wanted& wanted,
                                      const PairFilter& filter) const {
  TranslatorOptions options{.criterion = "rerank", .known = known_.pairs(), .ignore_known = known_.ignored()};
  const bool forward = from == Side::source;
  if (!forward)
    for (Lexicon::WrittenPair& pair : options.known) std::swap(pair.source, pair.target);
  const Translator translator(space, options);
  const EntryMaker maker(translator, {.precision = wanted.precision, .recall = recall_, .forms_apart = forms_});
  Dictionary dictionary{forward ? source_ : target_, forward ? target_ : source_, {}};
  maker.induce(wanted.first, wanted.last, [&](Entry entry) {
    Dictionary::Entry own{entry.word, entry.id ? std::size_t{*entry.id} + 1 : 0, {}};
    for (const EntryLine& line : entry.lines) {
      const std::string& other = line.leading().word;
      if (forward ? filter.wants(entry.word, other) : filter.wants(other, entry.word))
        own.translations.push_back(translation_of(line));
    }
    if (!own.translations.empty()) dictionary.entries.push_back(std::move(own));
  });
  const EntryBalance& balance = maker.balance();
  if (balance.precision > 0)
    session.note(
        fmt::format("{}: translations with a probability of {:.2f} on; of these {:.0f}% should be right, and "
                    "of all that there are {:.0f}% named",
                    dictionary.pair(), balance.threshold, balance.precision, balance.recall));
  return dictionary;
}

void EntryOutput::write(Session& session, const MappedInputs& inputs, const CommonSpace& space, const Wanted& wanted,
                        const PairFilter& filter) {
  const Stopwatch stopwatch;
  std::optional<CommonSpace> back;
  if (both_) back = space_back(inputs, space);  // what cannot be shows before the long work
  std::vector<Dictionary> directions = {dictionary_of(session, space, Side::source, wanted, filter)};
  if (back) directions.push_back(dictionary_of(session, *back, Side::target, wanted, filter));
  const DictionarySummary summary = files_->write(directions);
  session.note(fmt::format("{}: {} with {}, {} ({})", fmt::join(files_->paths(), ", "),
                           counted(summary.entries, "entry", "entries"), counted(summary.translations, "translation"),
                           format_->name, stopwatch.to_text()));
  if (summary.left_out > 0)
    session.warn(fmt::format("{} left out: {} cannot hold a headword of more than 255 bytes",
                             counted(summary.left_out, "entry", "entries"), format_->name));
  if (summary.entries == 0)
    session.note("no word has a translation that is likely enough: --recall 0.9 names more");
  else if (format_->kind == DictionaryKind::stardict)
    session.note("next: copy these files to ~/.stardict/dic, where sdcv, GoldenDict and others look for dictionaries");
  else if (format_->kind == DictionaryKind::apertium)
    session.note(fmt::format("next: lt-comp lr {} {}.bin", output_, source_ + "-" + target_));
}

}  // namespace wordbridge::cli
