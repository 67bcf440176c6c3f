#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/byte_stream.h"

namespace wordbridge {

/// Which items people find relevant for a query, and how much.
///
/// A judgement a line, in the layouts in use: query, item and grade (BEIR, with or without its heading), or query, a
/// column that nobody uses, item and grade (TREC's qrels); or query and item alone, whose grade is 1. The first line
/// that is no comment decides: a tab where it has one, else blanks, separates. Grades are numbers from 0 up; TREC's
/// negative ones count as 0. Lines that begin with `#` are comments. Of two judgements of a pair the first counts.
struct RelevanceJudgements {
  struct Judgement {
    std::string query, item;
    double grade = 1;
    friend bool operator==(const Judgement&, const Judgement&) = default;
  };

  std::string path;  // for messages
  std::vector<Judgement> judgements;
  std::uint64_t repeated = 0;       // set aside
  std::uint64_t skipped_lines = 0;  // lines that are no judgement, skipped by a lenient reader
  std::string first_skipped;        // the error that the first of them would have been
};

/// Throws InputError for a line that is no judgement (unless `lenient`), and for a file without any.
RelevanceJudgements read_relevance_judgements(const std::string& path, bool lenient = false);
RelevanceJudgements read_relevance_judgements(ByteStream& stream, bool lenient = false);

}  // namespace wordbridge
