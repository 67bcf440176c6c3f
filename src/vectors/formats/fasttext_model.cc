#include "vectors/formats/fasttext_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "parallel/thread_pool.h"
#include "vectors/formats/fasttext_parts.h"
#include "vectors/formats/row_screen.h"
#include "vectors/row_blocks.h"
#include "wordbridge/context.h"

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

namespace {

/// Passes a stream on and keeps what was read.
class RecordingStream final : public ByteStream {
 public:
  explicit RecordingStream(ByteStream& stream) : stream_(stream) {}
  std::size_t read(char* buffer, std::size_t bytes) override {
    const std::size_t got = stream_.read(buffer, bytes);
    record_.append(buffer, got);
    return got;
  }
  std::string_view peek(std::size_t bytes) override { return stream_.peek(bytes); }
  std::uint64_t file_position() const override { return stream_.file_position(); }
  std::optional<std::uint64_t> file_size() const override { return stream_.file_size(); }
  std::string compression() const override { return stream_.compression(); }
  const std::string& path() const override { return stream_.path(); }
  /// What was read since the last call.
  std::string take() { return std::exchange(record_, {}); }

 private:
  ByteStream& stream_;
  std::string record_;
};

class Rewriter {
 public:
  Rewriter(ByteStream& stream, AtomicFile& file, const FastTextMaps& maps)
      : record_(stream), reader_(record_), file_(file), maps_(maps), stage_(reading_stage(stream.path())) {}

  void run() {
    const FastTextOptions options = read_fasttext_options(reader_);
    const FastTextDictionary dictionary(reader_, options.subwords);
    std::string head = record_.take();
    const auto dimension = static_cast<std::int32_t>(maps_.dimension);
    std::memcpy(head.data() + FastTextOptions::kDimensionOffset, &dimension, sizeof(dimension));
    file_.write(head);
    copy_matrix("the input matrix", static_cast<std::uint64_t>(options.dimension), dictionary.rows_needed(),
                maps_.input);
    copy_matrix("the output matrix", static_cast<std::uint64_t>(options.dimension), 0, maps_.output);
    if (!reader_.at_end()) reader_.fail("more bytes follow the end of the model");
    file_.commit();
  }

 private:
  void copy_matrix(const std::string& name, std::uint64_t dimension, std::uint64_t least_rows,
                   const FastTextMaps::RowMap& map) {
    if (reader_.read<std::uint8_t>(name) != 0)
      reader_.fail(
          "is a quantized model, whose rows are codes that cannot be mapped; write its vectors (.vec, .wbvec)");
    const auto [rows, cols] = read_fasttext_shape(reader_, name);
    if (cols != dimension || rows < least_rows)
      reader_.fail(fmt::format("{} is {} x {}; {} x {} are needed", name, rows, cols, least_rows, dimension));
    reader_.require(rows * cols * sizeof(float), fmt::format("{} ({} x {})", name, rows, cols));
    const auto out_rows = static_cast<std::int64_t>(rows), out_cols = static_cast<std::int64_t>(maps_.dimension);
    file_.write("\0", 1);
    file_.write(&out_rows, sizeof(out_rows));
    file_.write(&out_cols, sizeof(out_cols));
    // The same blocks in every run, as for the rows of other formats.
    const std::uint64_t block = EvenBlocks::usual_rows(cols);
    for (std::uint64_t begin = 0; begin < rows; begin += block) {
      Matrix values = Matrix::uninitialized(std::min(block, rows - begin), cols);
      reader_.read(values.data(), values.size() * sizeof(float), name);
      record_.take();
      if (values_of(values.elements()) == RowValues::not_finite)
        reader_.fail(fmt::format("{} holds numbers that are not finite, in rows {} to {}", name, begin + 1,
                                 begin + values.rows()));
      const Matrix mapped = map(std::move(values));
      file_.write(mapped.data(), mapped.size() * sizeof(float));
      stage_.update(record_.file_position(), record_.file_size().value_or(0));
    }
  }

  RecordingStream record_;
  BinaryReader reader_;
  AtomicFile& file_;
  const FastTextMaps& maps_;
  Stage stage_;
};

}  // namespace

void rewrite_fasttext_model(ByteStream& stream, AtomicFile& file, const FastTextMaps& maps) {
  Rewriter(stream, file, maps).run();
}

}  // namespace wordbridge
