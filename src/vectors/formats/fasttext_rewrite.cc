#include "vectors/formats/fasttext_rewrite.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "vectors/even_blocks.h"
#include "vectors/formats/fasttext_matrix.h"
#include "vectors/formats/fasttext_options.h"
#include "vectors/formats/reading_stage.h"
#include "vectors/formats/row_screen.h"
#include "wordbridge/context.h"

namespace wordbridge {

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
