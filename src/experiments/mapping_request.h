#pragma once
#include <string>
#include <vector>

#include "lexicon/word_lookup.h"
#include "mapping/matrix_import.h"
#include "wordbridge/align.h"

namespace wordbridge {

// What the setting `align` of an experiment asks for, in the words of the command line. It decides the mapping and
// nothing else: whatever has to do with files that are written is refused.

/// Whether these words ask for a matrix to be imported.
bool is_import(const std::vector<std::string>& words);

/// An experiment reads data files only: UsageError where a file is named without the @ that stands before their names.
void require_data_files(const std::vector<std::string>& words);

/// A mapping to be learned: "--method rcsls --learning-rate 1".
struct AlignRequest {
  AlignOptions options = {};
  CasePolicy case_policy = CasePolicy::exact;      // of words of the lexicon
  bool identical_words = false, numerals = false;  // the lexicon, where the experiment names none
};
/// UsageError for options that there are not, or that write.
AlignRequest parse_align_request(const std::vector<std::string>& words);

/// A matrix to be imported: "W.txt --transpose".
struct ImportRequest {
  MatrixImportOptions options = {};
  std::string source = {}, target = {};  // files of vectors that the means are taken from
};
ImportRequest parse_import_request(const std::vector<std::string>& words);

}  // namespace wordbridge
