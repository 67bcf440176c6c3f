#pragma once
#include <memory>
#include <string>

#include "wordbridge/formats.h"

namespace wordbridge {

// Vectors for databases: a table words(word, rank, vector), rank the number of the row from 1 on.
//   PostgreSQL (.copy): a line a word for COPY, the vector as [1,2.5,...], which is what pgvector reads.
//   SQLite (.sql): a script for the sqlite3 shell; vectors are blobs of little-endian float32.

/// Throws InputError for words that a database does not take for text: with a zero byte, or not UTF-8.
std::unique_ptr<VectorSink> create_database(const std::string& path, VectorFormat format, std::size_t dimension);

}  // namespace wordbridge
