#include "vectors/sharded_vectors.h"

#include <cassert>
#include <optional>
#include <utility>
#include <vector>

#include "io/byte_stream.h"
#include "linalg/blas.h"
#include "parallel/thread_pool.h"
#include "vectors/formats/item_table.h"
#include "vectors/formats/native.h"
#include "vectors/formats/native_shard.h"
#include "vectors/row_blocks.h"
#include "vectors/table_sums.h"
#include "wordbridge/error.h"

namespace wordbridge {

static_assert(kShardRows == kContentBlockRows && kShardRows % kColumnSumRows == 0 && kShardRows % kProductRows == 0);

namespace {

/// Of any format: everybody goes through all rows, and keeps its own.
VectorShard collect_shard(VectorSource& source, std::size_t max_words, const RowShards& shards) {
  VectorShard shard;
  GrowingTable own(source.dimension());
  std::uint64_t duplicates = 0, zero_rows = 0;
  const auto full = [&] { return max_words != 0 && shard.vocabulary.size() >= max_words; };
  while (!full()) {
    const auto block = source.next();
    if (!block) break;
    for (std::size_t i = 0; i < block->words.size() && !full(); ++i) {
      if (!shard.vocabulary.add(block->words[i])) {
        ++duplicates;
        continue;
      }
      zero_rows += is_zero(block->rows.row(i));
      if (shards.owns(shard.vocabulary.size() - 1)) own.append(block->rows.row(i));
    }
  }
  shard.summary = source.summary();
  shard.summary.duplicates += duplicates;
  shard.summary.rows = shard.vocabulary.size();
  shard.summary.zero_rows = zero_rows;  // of what was kept, not of all that was looked at
  shard.summary.stopped_early |= full();
  shard.own = own.take();
  return shard;
}

VectorShard read_shard(const std::string& path, const ReadOptions& options, Communicator& communicator) {
  const RowShards shards(communicator);
  ReadOptions all = options;
  all.max_words = 0;  // counts words that are kept
  if (names_many_files(path)) return collect_shard(*open_vectors(path, all), options.max_words, shards);
  auto stream = open_bytes(path);
  if (options.format.empty() && looks_like_native(stream->peek(64)))
    if (auto shard = read_native_shard(*stream, options, shards)) {
      const std::vector<std::uint64_t> zero_rows = {shard->summary.zero_rows};
      shard->summary.zero_rows = 0;
      for (const auto& one : communicator.all_gather_values<std::uint64_t>(zero_rows))
        shard->summary.zero_rows += one.front();
      return std::move(*shard);
    }
  const auto source = open_vectors(std::move(stream), all);
  return collect_shard(*source, options.max_words, shards);
}

}  // namespace

ShardedVectors::ShardedVectors(Vocabulary vocabulary, Matrix own, ReadSummary summary, Communicator& communicator)
    : vocabulary_(std::move(vocabulary)),
      own_(std::move(own)),
      summary_(std::move(summary)),
      communicator_(&communicator) {
  assert(own_.rows() == RowShards(communicator).own_of(vocabulary_.size()));
}

std::string ShardedVectors::content_checksum() const {
  const RowShards shards(*communicator_);
  std::vector<Sha256::Digest> own((own_.rows() + kShardRows - 1) / kShardRows);
  ThreadPool::current().for_chunks(own_.rows(), kShardRows, [&](std::size_t begin, std::size_t end, int) {
    std::vector<std::string_view> words;
    for (std::size_t i = begin; i < end; ++i) words.push_back(vocabulary_[shards.number(i)]);
    own[begin / kShardRows] = content_block_digest(words, own_.view().slice(begin, end));
  });
  const auto parts = communicator_->all_gather_values<Sha256::Digest>(own);
  std::vector<Sha256::Digest> blocks;
  for (std::size_t row = 0; row < size(); row += kShardRows)
    blocks.push_back(parts[shards.owner(row)][shards.place(row) / kShardRows]);
  return content_checksum_of_blocks(size(), dimension(), blocks);
}

WordVectors ShardedVectors::words(std::span<const WordId> ids) const {
  Vocabulary some;
  for (const WordId id : ids) some.add(vocabulary_[id]);
  assert(some.size() == ids.size());
  return {std::move(some), rows().gather(ids), summary_};
}

ShardedVectors read_sharded_vectors(const std::string& path, const ReadOptions& options, Communicator& communicator) {
  if (options.lenient) throw UsageError("several processes cannot read leniently: repair the file, or use one process");
  if (path == "-") throw UsageError("several processes cannot share standard input: name a file");
  VectorShard shard = read_shard(path, options, communicator);
  return {std::move(shard.vocabulary), std::move(shard.own), std::move(shard.summary), communicator};
}

Normalizer fit_normalizer(std::span<const Normalizer::Step> steps, ShardedVectors& vectors) {
  const RowShards shards(vectors.communicator());
  std::vector<std::vector<float>> means;
  for (const Normalizer::Step step : steps) {
    std::vector<std::vector<float>> own_means;
    if (step == Normalizer::Step::center) {
      std::vector<Communicator::Chunk> chunks;
      std::size_t place = 0;
      for (ColumnSums& block : column_sums(vectors.own())) {
        block.sums.push_back(static_cast<double>(block.rows));  // exact, as all sums of it are
        chunks.push_back({shards.number(place) / kColumnSumRows, std::move(block.sums)});
        place += kColumnSumRows;
      }
      std::vector<double> sums = vectors.communicator().sum_in_order(chunks);
      sums.resize(vectors.dimension() + 1);  // also where there are no rows
      const auto rows = static_cast<std::size_t>(sums.back());
      sums.pop_back();
      means.push_back(means_of(sums, rows));
      own_means.push_back(means.back());
    }
    Normalizer::from_parts({step}, std::move(own_means)).apply(vectors.own());
  }
  return Normalizer::from_parts({steps.begin(), steps.end()}, std::move(means));
}

}  // namespace wordbridge
