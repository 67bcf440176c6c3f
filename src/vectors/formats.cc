#include "wordbridge/formats.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "io/byte_stream.h"
#include "vectors/formats/database.h"
#include "vectors/formats/fasttext_model.h"
#include "vectors/formats/item_table.h"
#include "vectors/formats/native.h"
#include "vectors/formats/npy.h"
#include "vectors/formats/text.h"
#include "vectors/formats/word2vec_binary.h"
#include "vectors/row_blocks.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

constexpr std::size_t kPeekBytes = std::size_t{64} << 10;

enum class Content { text, word2vec_binary, fasttext_model, item_table, native };

Content recognize(ByteStream& stream, const ReadOptions& options) {
  if (!options.format.empty()) return Content::item_table;
  const std::string_view bytes = stream.peek(kPeekBytes);
  if (looks_like_native(bytes)) return Content::native;
  if (is_item_table(bytes, options)) return Content::item_table;
  if (!options.ids_path.empty() || options.row_ids)
    throw UsageError(stream.path() +
                     ": has names for its rows: ids are for tables of numbers (.npy, safetensors, raw)");
  if (options.part.of != 1 || options.start_row != 0)
    throw UsageError(stream.path() + ": parts are for tables of numbers (.npy, safetensors, raw)");
  if (looks_like_fasttext_model(bytes)) return Content::fasttext_model;
  if (looks_like_word2vec_binary(bytes)) return Content::word2vec_binary;
  return Content::text;
}

/// All rows but duplicates; max_words counts words that are kept, so the source is opened without that limit.
WordVectors collect(VectorSource& source, std::size_t max_words) {
  Vocabulary vocabulary;
  GrowingTable table(source.dimension());
  std::uint64_t duplicates = 0;
  bool full = false;
  while (!full) {
    const auto block = source.next();
    if (!block) break;
    for (std::size_t i = 0; i < block->words.size() && !full; ++i) {
      if (vocabulary.add(block->words[i]))
        table.append(block->rows.row(i));
      else
        ++duplicates;
      full = max_words != 0 && vocabulary.size() >= max_words;
    }
  }
  ReadSummary summary = source.summary();
  summary.duplicates += duplicates;
  summary.rows = vocabulary.size();
  summary.stopped_early |= full;
  return {std::move(vocabulary), table.take(), std::move(summary)};
}

struct Extension {
  std::string_view ending;
  VectorFormat format;
};
constexpr std::array<Extension, 10> kExtensions = {{{".vec", VectorFormat::text},
                                                    {".txt", VectorFormat::text},
                                                    {".w2v", VectorFormat::word2vec_binary},
                                                    {".bin", VectorFormat::word2vec_binary},
                                                    {".npy", VectorFormat::npy},
                                                    {".f32", VectorFormat::raw_float32},
                                                    {".f16", VectorFormat::raw_float16},
                                                    {".wbvec", VectorFormat::native},
                                                    {".copy", VectorFormat::postgres},
                                                    {".sql", VectorFormat::sqlite}}};

}  // namespace

std::unique_ptr<VectorSource> open_vectors(const std::string& path, const ReadOptions& options) {
  if (names_many_files(path)) return open_item_tables(path, options);
  return open_vectors(open_bytes(path), options);
}

std::unique_ptr<VectorSource> open_vectors(std::unique_ptr<ByteStream> stream, const ReadOptions& options) {
  switch (recognize(*stream, options)) {
    case Content::native:
      return open_native(std::move(stream), options);
    case Content::item_table:
      return open_item_table(std::move(stream), options);
    case Content::fasttext_model:
      return open_fasttext_model(std::move(stream), options);
    case Content::word2vec_binary:
      return open_word2vec_binary(std::move(stream), options);
    case Content::text:
      break;
  }
  return open_text(std::move(stream), options);
}

WordVectors read_vectors(const std::string& path, const ReadOptions& options) {
  ReadOptions all = options;
  all.max_words = 0;
  if (names_many_files(path)) return collect(*open_item_tables(path, all), options.max_words);
  auto stream = open_bytes(path);
  const Content content = recognize(*stream, options);
  if (content == Content::native) return read_native(std::move(stream), options);
  if (content == Content::text) return read_text(std::move(stream), options);
  if (content == Content::fasttext_model) {
    const auto source = open_fasttext_model(std::move(stream), all);
    WordVectors vectors = collect(*source, options.max_words);
    vectors.set_subword_model(source->subword_model());
    return vectors;
  }
  const auto source = content == Content::item_table ? open_item_table(std::move(stream), all)
                                                     : open_word2vec_binary(std::move(stream), all);
  return collect(*source, options.max_words);
}

RowNames row_names(const ReadSummary& summary) {
  if (summary.format.ends_with(", numbered items")) return RowNames::numbers;
  return summary.format.ends_with(", items") ? RowNames::ids : RowNames::words;
}

VectorFormat format_of_path(const std::string& path) {
  std::string_view name = path;
  for (const std::string_view compressed : {".gz", ".zst", ".xz", ".bz2"})
    if (name.ends_with(compressed)) {
      name.remove_suffix(compressed.size());
      for (const Extension& extension : kExtensions)
        if (extension.format == VectorFormat::text && name.ends_with(extension.ending)) return VectorFormat::text;
      throw UsageError(path + ": only text vectors (.vec, .txt) are written compressed");
    }
  for (const Extension& extension : kExtensions)
    if (name.ends_with(extension.ending)) return extension.format;
  throw UsageError(
      path +
      ": the format is told by the extension: .vec or .txt (also with .gz, .zst, .xz, .bz2), .w2v or .bin, "
      ".npy, .f32, .f16, .wbvec, .copy, .sql");
}

std::unique_ptr<VectorSink> create_vectors(const std::string& path, VectorFormat format, std::size_t dimension,
                                           std::optional<std::uint64_t> expected_rows, std::uint64_t space,
                                           const TableWriting& writing) {
  switch (format) {
    case VectorFormat::word2vec_binary:
      return create_word2vec_binary(path, dimension, expected_rows);
    case VectorFormat::npy:
    case VectorFormat::npy_float16:
    case VectorFormat::raw_float32:
    case VectorFormat::raw_float16:
      return create_number_table(path, format, dimension, expected_rows, writing);
    case VectorFormat::native:
      return create_native(path, dimension, expected_rows, space);
    case VectorFormat::postgres:
    case VectorFormat::sqlite:
      return create_database(path, format, dimension);
    case VectorFormat::text:
      break;
  }
  return create_text(path, dimension, expected_rows);
}

void write_vectors(const std::string& path, VectorFormat format, const WordVectors& vectors) {
  constexpr std::size_t kBlock = 4096;
  const auto sink = create_vectors(path, format, vectors.dimension(), vectors.size(), 0,
                                   {.row_ids = row_names(vectors.summary()) == RowNames::numbers});
  for (std::size_t begin = 0; begin < vectors.size(); begin += kBlock) {
    const std::size_t end = std::min(begin + kBlock, vectors.size());
    std::vector<std::string> words;
    for (std::size_t i = begin; i < end; ++i) words.emplace_back(vectors.vocabulary()[i]);
    sink->write(words, vectors.table().view().slice(begin, end));
  }
  sink->finish();
}

}  // namespace wordbridge
