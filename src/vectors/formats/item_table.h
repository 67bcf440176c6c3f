#pragma once
#include <memory>
#include <string>
#include <vector>

#include "io/byte_stream.h"
#include "wordbridge/formats.h"

namespace wordbridge {

// Tables of numbers as vectors: NumPy's .npy, safetensors, numbers without a header; one file or many that are one
// table. Their rows are named by lists, or have their numbers as ids.

/// Whether options or the first bytes say that a file is one of these.
bool is_item_table(std::string_view first_bytes, const ReadOptions& options);

/// Names come from options.vocabulary_path or options.ids_path, or else from the first that exists of x.vocab, x.txt
/// and x.vocab.txt for a table x.npy; another number of names than of rows is damage. Without any of them rows have
/// their numbers as ids, from 0; but a table that was written with words wants them. A table in Fortran order is
/// mapped where it is a plain file, else held in memory; all others are read in bounded memory.
std::unique_ptr<VectorSource> open_item_table(std::unique_ptr<ByteStream> stream, const ReadOptions& options);

/// The path stands for many files: `@LIST`, or a pattern of the shell (`*`, `?`, `[...]`); but not where a file has
/// that very name.
bool names_many_files(const std::string& path);
/// In the order of the list, whose paths are relative to its folder, or of the names (of their bytes). InputError where
/// there are none.
std::vector<std::string> files_of_table(const std::string& path);
/// The same for many files: their rows one after the other. All are looked at before the first row is read. Lists
/// beside the files count where all files have one; a list in the options names the rows of all.
std::unique_ptr<VectorSource> open_item_tables(const std::string& path, const ReadOptions& options);

}  // namespace wordbridge
