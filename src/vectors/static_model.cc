#include "vectors/static_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "base/atomic_file.h"
#include "base/json.h"
#include "vectors/formats/row_screen.h"
#include "vectors/letter_case.h"
#include "vectors/unit_row.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr const char* kUnknown = "[UNK]";
/// Of words in another case than lower, above which case matters.
constexpr double kMostCased = 0.005;

/// All words in one vocabulary, and their rows.
struct JoinedLanguages {
  Vocabulary words;
  std::vector<std::uint32_t> times;  // languages that have the word
  Matrix rows;
  StaticModelSummary summary;
};

double weight_of_rank(std::size_t rank, double harmonic, double smooth) {
  if (smooth == 0) return 1;
  return smooth / (smooth + 1 / (static_cast<double>(rank + 1) * harmonic));
}

JoinedLanguages join(const std::vector<StaticLanguage>& languages, double smooth) {
  JoinedLanguages joined;
  joined.words.add(kUnknown);
  joined.times.push_back(0);
  const std::size_t d = languages.front().vectors.cols();
  std::size_t most = 1, cased = 0;
  for (const StaticLanguage& language : languages) most += language.words->size();
  joined.rows = Matrix(most, d);
  std::vector<float> row(d);
  for (const StaticLanguage& language : languages) {
    double harmonic = 0;
    for (std::size_t i = 0; i < language.words->size(); ++i) harmonic += 1 / static_cast<double>(i + 1);
    for (std::size_t i = 0; i < language.words->size(); ++i) {
      const std::string_view word = (*language.words)[i];
      if (!valid_utf8(word) || word.find('\0') != std::string_view::npos || word == kUnknown) {
        ++joined.summary.left_out;
        continue;
      }
      cased += to_lower(word) != word;
      joined.words.add(word);
      const WordId id = *joined.words.find(word);
      if (id == joined.times.size()) joined.times.push_back(0);
      joined.summary.shared += ++joined.times[id] == 2;
      std::ranges::copy(language.vectors.row(i), row.begin());
      row_kernel().to_unit(row.data(), d);
      const double weight = weight_of_rank(i, harmonic, smooth);
      for (std::size_t j = 0; j < d; ++j) joined.rows(id, j) += static_cast<float>(weight * double{row[j]});
    }
  }
  joined.rows.truncate_rows(joined.words.size());
  for (std::size_t id = 1; id < joined.words.size(); ++id)
    for (float& value : joined.rows.row(id)) value /= static_cast<float>(joined.times[id]);
  joined.summary.words = joined.words.size() - 1;
  joined.summary.lower_case = static_cast<double>(cased) <= kMostCased * static_cast<double>(most);
  return joined;
}

std::string safetensors_header(std::size_t rows, std::size_t cols) {
  const Json tensor = {{"dtype", "F32"},
                       {"shape", Json::Array{Json(rows), Json(cols)}},
                       {"data_offsets", Json::Array{Json(0), Json(rows * cols * sizeof(float))}}};
  std::string header = Json{{"__metadata__", Json{{"format", "pt"}}}, {"embeddings", tensor}}.dump();
  header.append((8 - header.size() % 8) % 8, ' ');  // numbers begin at a multiple of 8
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof(length)) + header;
}

/// As the library `tokenizers` reads it: whole words, each with its row as its number.
std::string tokenizer_json(const JoinedLanguages& joined, bool blanks) {
  std::string words;
  for (std::size_t id = 0; id < joined.words.size(); ++id)
    words += fmt::format("{}{}:{}", id == 0 ? "" : ",", Json(joined.words[id]).dump(), id);
  const Json unknown = {{"id", 0},         {"content", kUnknown}, {"single_word", false}, {"lstrip", false},
                        {"rstrip", false}, {"normalized", false}, {"special", true}};
  const Json head = {{"version", "1.0"},
                     {"truncation", nullptr},
                     {"padding", nullptr},
                     {"added_tokens", Json::Array{unknown}},
                     {"normalizer", joined.summary.lower_case ? Json{{"type", "Lowercase"}} : Json()},
                     {"pre_tokenizer", Json{{"type", blanks ? "WhitespaceSplit" : "BertPreTokenizer"}}},
                     {"post_processor", nullptr},
                     {"decoder", nullptr}};
  std::string text = head.dump();
  text.pop_back();  // the vocabulary, which is long, is put in as text
  return fmt::format(R"({},"model":{{"type":"WordLevel","vocab":{{{}}},"unk_token":"{}"}}}})", text, words, kUnknown);
}

std::string config_json(std::size_t dimension) {
  return Json{{"model_type", "model2vec"},      {"architectures", Json::Array{Json("StaticModel")}},
              {"tokenizer_name", "wordbridge"}, {"hidden_dim", dimension},
              {"seq_length", 1'000'000},        {"normalize", true}}
             .dump(2) +
         "\n";
}

/// For tokenizers in other languages than Rust, which ask it here.
std::string tokenizer_config_json() {
  return Json{{"tokenizer_class", "PreTrainedTokenizerFast"}, {"unk_token", kUnknown}}.dump(2) + "\n";
}

std::string modules_json() {
  const Json module = {
      {"idx", 0}, {"name", "0"}, {"path", "."}, {"type", "sentence_transformers.models.StaticEmbedding"}};
  return Json(Json::Array{module}).dump(2) + "\n";
}

std::string word_list(const Vocabulary& words) {
  std::string list;
  for (std::size_t id = 0; id < words.size(); ++id) {
    for (const char c : words[id]) list += c == '\n' || c == '\r' ? ' ' : c;
    list += '\n';
  }
  return list;
}

}  // namespace

StaticModelSummary write_static_model(const std::vector<StaticLanguage>& languages, const std::string& folder,
                                      const StaticModelOptions& options) {
  if (!(options.smooth >= 0)) throw UsageError("the smoothing of weights must be a number from 0 up");
  for (const StaticLanguage& language : languages)
    if (language.vectors.cols() != languages.front().vectors.cols())
      throw UsageError(fmt::format("vectors of dimensions {} and {} are not in one space",
                                   languages.front().vectors.cols(), language.vectors.cols()));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw IoError(folder, "cannot make the folder", error.value());
  const auto path = [&](const char* name) { return folder + "/" + name; };
  AtomicFile model(path("model.safetensors")), tokenizer(path("tokenizer.json")), config(path("config.json")),
      modules(path("modules.json")), words(path("model.vocab")), settings(path("tokenizer_config.json"));
  const JoinedLanguages joined = join(languages, options.smooth);
  if (joined.summary.words == 0) throw UsageError("there are no words to make a model of");
  model.write(safetensors_header(joined.rows.rows(), joined.rows.cols()));
  model.write(joined.rows.data(), joined.rows.size() * sizeof(float));
  tokenizer.write(tokenizer_json(joined, options.blanks));
  settings.write(tokenizer_config_json());
  config.write(config_json(joined.rows.cols()));
  modules.write(modules_json());
  words.write(word_list(joined.words));
  for (AtomicFile* file : {&model, &tokenizer, &settings, &config, &modules, &words}) file->sync();
  for (AtomicFile* file : {&words, &tokenizer, &settings, &model, &config, &modules}) file->commit();
  return joined.summary;
}

}  // namespace wordbridge
