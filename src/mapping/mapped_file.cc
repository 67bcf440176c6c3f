#include "mapping/mapped_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "mapping/mapping_format.h"
#include "mapping/origin_check.h"
#include "mapping/space_identity.h"
#include "vectors/formats/item_table.h"
#include "vectors/row_blocks.h"
#include "wordbridge/error.h"

namespace wordbridge {

namespace {

/// All that mapped rows depend on. Files are known by their name, size and time: to read them takes as long as the
/// work.
std::string key_of(const Mapping& mapping, const FileMapping& how, const std::string& input) {
  std::string key = fmt::format("apply 1\nside {} unit {} to {} as '{}' part {} of {}\n", name_of(how.side), how.unit,
                                static_cast<int>(how.format), how.read.format, how.read.part.number, how.read.part.of);
  for (const std::string& file : names_many_files(input) ? files_of_table(input) : std::vector{input}) {
    struct stat status {};
    if (::stat(file.c_str(), &status) != 0) throw IoError(file, "cannot open", errno);
    key += fmt::format("{} {} {}.{:09}\n", file, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  }
  return key + mapping_bytes(mapping);
}

void require_resumable(const FileMapping& how, const ReadSummary& summary) {
  const bool numbers = how.format == VectorFormat::npy || how.format == VectorFormat::npy_float16 ||
                       how.format == VectorFormat::raw_float32 || how.format == VectorFormat::raw_float16;
  if (row_names(summary) != RowNames::numbers || !numbers)
    throw UsageError(
        "what is to be resumed is a table of numbers without names (of .npy, safetensors, raw), and becomes one (.npy, "
        ".f32, .f16)");
  if (how.read.lenient || how.read.max_words != 0)
    throw UsageError("what is to be resumed is mapped as a whole: rows cannot be skipped or left out");
  if (!summary.compression.empty()) throw UsageError(summary.path + ": what is to be resumed is not compressed");
}

std::unique_ptr<VectorSource> open_input(const std::string& input, std::unique_ptr<ByteStream> stream,
                                         const ReadOptions& options) {
  return stream != nullptr ? open_vectors(std::move(stream), options) : open_vectors(input, options);
}

}  // namespace

MappedFile write_mapped_file(const Mapping& mapping, const FileMapping& how, const std::string& input,
                             std::unique_ptr<ByteStream> stream, const std::string& output) {
  auto source = open_input(input, std::move(stream), how.read);
  mapping.require_dimension(source->dimension(), how.side, input.substr(input.rfind('/') + 1));
  TableWriting writing{.row_ids = row_names(source->summary()) == RowNames::numbers};
  if (how.resume) {
    require_resumable(how, source->summary());
    writing.resume_key = key_of(mapping, how, input);
  }
  const auto sink = create_vectors(output, how.format, mapping.common_dimension(), source->promised_rows(),
                                   space_identity(mapping), writing);
  MappedFile result{.kept_rows = sink->kept_rows()};
  const bool all_kept = result.kept_rows > 0 && result.kept_rows >= source->promised_rows().value_or(0);
  if (result.kept_rows > 0 && !all_kept) {
    ReadOptions rest = how.read;
    rest.start_row = result.kept_rows;
    source = open_vectors(input, rest);
  }
  OriginCheck origin(mapping, how.side);
  EvenBlocks blocks(*source);
  while (!all_kept) {
    auto block = blocks.next();
    if (!block) break;
    origin.add(block->words, block->rows);
    sink->write(block->words, mapping.apply(std::move(block->rows), how.side, how.unit));
  }
  sink->finish();
  result.summary = source->summary();
  if (result.kept_rows == 0 && how.read.part.of == 1 && !result.summary.stopped_early)
    result.warning = origin.mismatch(input);
  return result;
}

}  // namespace wordbridge
