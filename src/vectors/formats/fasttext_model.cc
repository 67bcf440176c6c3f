#include "vectors/formats/fasttext_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "parallel/thread_pool.h"
#include "vectors/formats/fasttext_dictionary.h"
#include "vectors/formats/fasttext_matrix.h"
#include "vectors/formats/fasttext_options.h"
#include "vectors/formats/reading_stage.h"
#include "vectors/formats/row_screen.h"

namespace wordbridge {

namespace {

/// Dictionary and input matrix.
class Model {
 public:
  explicit Model(BinaryReader& reader)
      : options_(read_fasttext_options(reader)),
        dictionary_(reader, options_.subwords),
        quantized_(reader.read<std::uint8_t>("the input matrix") != 0),
        matrix_(quantized_ ? FastTextMatrix::read_quantized(reader) : FastTextMatrix::read_dense(reader)) {
    if (dictionary_.pruned() && !quantized_)
      reader.fail("a pruned dictionary with a matrix that is not quantized: fastText itself refuses such models");
    if (matrix_.cols() != dimension() || matrix_.rows() < dictionary_.rows_needed())
      reader.fail(fmt::format("the input matrix is {} x {}; words and n-grams need {} x {}", matrix_.rows(),
                              matrix_.cols(), dictionary_.rows_needed(), dimension()));
  }

  std::size_t dimension() const { return static_cast<std::size_t>(options_.dimension); }
  const Vocabulary& words() const { return dictionary_.words(); }
  bool quantized() const { return quantized_; }
  bool has_subwords() const { return options_.subwords.maxn > 0; }

  void write_vector(WordId id, std::span<float> vector) const { write_mean(dictionary_.rows_of(id), vector); }

  /// Nothing for a word that has neither a row nor n-grams.
  std::optional<std::vector<float>> vector_of(std::string_view word) const {
    const auto rows = dictionary_.rows_of(word);
    if (rows.empty()) return std::nullopt;
    std::vector<float> vector(dimension());
    write_mean(rows, vector);
    return values_of(vector) == RowValues::not_finite ? std::nullopt : std::optional(std::move(vector));
  }

 private:
  void write_mean(const std::vector<std::uint64_t>& rows, std::span<float> vector) const {
    std::fill(vector.begin(), vector.end(), 0.0F);
    for (const std::uint64_t row : rows) matrix_.add_row(row, vector);
    const auto scale = static_cast<float>(1.0 / static_cast<double>(rows.size()));  // rounded as fastText does
    for (float& value : vector) value *= scale;
  }

  FastTextOptions options_;
  FastTextDictionary dictionary_;
  bool quantized_;
  FastTextMatrix matrix_;
};

class ModelSource : public FastTextSource {
 public:
  ModelSource(const ByteStream& stream, std::shared_ptr<const Model> model, const ReadOptions& options)
      : model_(std::move(model)), options_(options), screen_(summary_, options), stage_(reading_stage(stream.path())) {
    summary_.path = stream.path();
    summary_.format = model_->quantized() ? "fastText model, quantized" : "fastText model";
    summary_.compression = stream.compression();
    summary_.dimension = model_->dimension();
    summary_.header_rows = model_->words().size();
  }

  std::size_t dimension() const override { return model_->dimension(); }
  std::optional<std::uint64_t> promised_rows() const override { return model_->words().size(); }
  const ReadSummary& summary() const override { return summary_; }

  WordVectors::SubwordModel subword_model() const override {
    if (!model_->has_subwords()) return {};
    return [model = model_](std::string_view word) { return model->vector_of(word); };
  }

  std::optional<VectorBlock> next() override {
    VectorBlock block;
    while (block.words.empty() && next_ < model_->words().size() && !summary_.stopped_early) block = compute();
    stage_.update(next_, model_->words().size());
    if (!block.words.empty()) return block;
    screen_.require_rows();
    return std::nullopt;
  }

 private:
  VectorBlock compute() {
    const std::size_t most = rows_of_block(dimension());
    std::size_t count = std::min(most, model_->words().size() - next_);
    if (options_.max_words != 0) count = std::min<std::size_t>(count, options_.max_words - summary_.rows);
    VectorBlock block{{}, Matrix::uninitialized(count, dimension())};
    ThreadPool::current().for_chunks(count, 64, [&](std::size_t begin, std::size_t end, int) {
      for (std::size_t i = begin; i < end; ++i) model_->write_vector(static_cast<WordId>(next_ + i), block.rows.row(i));
    });
    for (std::size_t i = 0; i < count; ++i) {
      const std::string_view word = model_->words()[next_ + i];
      const auto values = block.rows.row(i);
      if (!screen_.keep(next_ + i + 1, word, values)) continue;
      if (i != block.words.size()) std::copy(values.begin(), values.end(), block.rows.row(block.words.size()).begin());
      block.words.emplace_back(word);
    }
    block.rows.truncate_rows(block.words.size());
    next_ += count;
    summary_.stopped_early = screen_.full() && next_ < model_->words().size();
    return block;
  }

  std::shared_ptr<const Model> model_;
  ReadOptions options_;
  ReadSummary summary_;
  RowScreen screen_;
  Stage stage_;
  std::size_t next_ = 0;  // words computed so far
};

}  // namespace

bool looks_like_fasttext_model(std::string_view first_bytes) {
  std::int32_t magic = 0;
  if (first_bytes.size() < sizeof(magic)) return false;
  std::memcpy(&magic, first_bytes.data(), sizeof(magic));
  return magic == kFastTextMagic;
}

std::unique_ptr<FastTextSource> open_fasttext_model(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  BinaryReader reader(*stream);
  return std::make_unique<ModelSource>(*stream, std::make_shared<const Model>(reader), options);
}

}  // namespace wordbridge
