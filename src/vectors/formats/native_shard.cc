#include "vectors/formats/native_shard.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/wording.h"
#include "io/memory_block.h"
#include "vectors/formats/native_layout.h"
#include "vectors/formats/row_screen.h"
#include "vectors/row_blocks.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// In the place of a row that another process looks at.
constexpr std::array<float, 1> kElsewhere = {1};

class NativeShardReader {
 public:
  NativeShardReader(const ByteStream& stream, PlainFile file, const ReadOptions& options, const RowShards& shards)
      : path_(stream.path()),
        file_(std::move(file)),
        options_(options),
        shards_(shards),
        header_(read_header()),
        tail_block_(mapped(header_.table_end(), header_.file_bytes - header_.table_end())),
        tail_(path_, header_, {tail_block_.data, tail_block_.bytes}),
        own_(header_.dimension),
        screen_(summary_, options) {
    summary_.path = path_;
    summary_.format = "wordbridge";
    summary_.dimension = header_.dimension;
    summary_.header_rows = header_.rows;
    summary_.space = header_.space;
  }

  VectorShard read() {
    Stage stage(reading_stage(path_));
    vocabulary_.reserve(options_.max_words != 0 ? std::min<std::uint64_t>(options_.max_words, header_.rows)
                                                : header_.rows);
    for (std::size_t block = 0; block < header_.blocks() && !full(); ++block) {
      stage.update(block, header_.blocks());
      read_block(block);
    }
    summary_.stopped_early = full() && next_row_ < header_.rows;
    screen_.require_rows();
    return {std::move(vocabulary_), own_.take(), std::move(summary_)};
  }

 private:
  bool full() const { return options_.max_words != 0 && vocabulary_.size() >= options_.max_words; }
  [[noreturn]] void fail(const std::string& reason) const { throw InputError(path_, 0, reason); }

  MemoryBlock mapped(std::uint64_t offset, std::uint64_t bytes) const {
    auto block = file_.map(offset, bytes);
    if (!block) throw IoError(path_, "cannot map", 0);
    return std::move(*block);
  }

  NativeHeader read_header() const {
    if (file_.size() < sizeof(NativeHeader)) fail("ends early, in the header");
    const MemoryBlock bytes = mapped(0, sizeof(NativeHeader));
    const NativeHeader header = parse_native_header(path_, std::span<const char, 128>(bytes.data, bytes.bytes));
    if (file_.size() < header.file_bytes)
      fail(fmt::format("ends early: {} of its {} bytes are missing", header.file_bytes - file_.size(),
                       header.file_bytes));
    if (file_.size() > header.file_bytes)
      fail(counted(file_.size() - header.file_bytes, "byte follows", "bytes follow") + " the end of the data");
    return header;
  }

  void read_block(std::size_t block) {
    const auto words = tail_.words(block);
    if (!words) fail(damage(block));
    ConstMatrixView rows;  // once one of them is wanted
    MemoryBlock memory;
    for (std::size_t i = 0; i < words->size() && !full(); ++i) {
      const std::size_t row = next_row_++;
      const std::string_view word = (*words)[i];
      if (!word.empty() && vocabulary_.contains(word)) {
        ++summary_.duplicates;
        continue;
      }
      const bool is_own = shards_.owns(vocabulary_.size());
      if (is_own && rows.empty()) {
        memory = checked_rows(block);
        rows = {reinterpret_cast<const float*>(memory.data), header_.rows_of(block), header_.dimension};
      }
      if (!screen_.keep(row + 1, word, is_own ? rows.row(i) : std::span<const float>(kElsewhere))) continue;
      vocabulary_.add(word);
      if (is_own) own_.append(rows.row(i));
    }
  }

  MemoryBlock checked_rows(std::size_t block) const {
    const std::uint64_t row_bytes = header_.dimension * sizeof(float);
    MemoryBlock memory =
        mapped(header_.table_offset + block * header_.block_rows * row_bytes, header_.rows_of(block) * row_bytes);
    if (xxh3(memory.data, memory.bytes) != tail_.entry(block).table_checksum) fail(damage(block));
    return memory;
  }

  std::string damage(std::size_t block) const {
    const std::uint64_t first = std::uint64_t{header_.block_rows} * block;
    return fmt::format("rows {} to {} are damaged: their checksum does not match", first + 1,
                       first + header_.rows_of(block));
  }

  std::string path_;
  PlainFile file_;
  ReadOptions options_;
  RowShards shards_;
  NativeHeader header_;
  MemoryBlock tail_block_;
  NativeTail tail_;
  Vocabulary vocabulary_;
  GrowingTable own_;
  ReadSummary summary_;
  RowScreen screen_;
  std::size_t next_row_ = 0;  // of the file
};

}  // namespace

std::optional<VectorShard> read_native_shard(ByteStream& stream, const ReadOptions& options, const RowShards& shards) {
  const auto file = PlainFile::behind(stream, 0);
  if (!file) return std::nullopt;
  return NativeShardReader(stream, *file, options, shards).read();
}

}  // namespace wordbridge
