#pragma once
#include <string>

#include "hub/language_list.h"

namespace wordbridge {

/// A list of languages by the names of files, without a file of its own:
///   vectors   es.vec, wiki.es.vec, cc.es.300.vec.gz, es.wbvec: the language is what is left of the name without the
///             extension, `wiki`, `cc`, `crawl` and numbers. Of several files of a language the .wbvec is taken.
///   lexicons  es-en.train.txt (or es-en.0-5000.txt, es-en.txt), es-en.validation.txt, es-en.test.txt (or
///             es-en.5000-6500.txt), .tsv as well.
/// `pivot` is the file of the pivot's vectors, which need not be in the folder, or the name of one of its languages.
/// Other files are left alone. UsageError where the two folders do not make a list.
LanguageList find_languages(const std::string& pivot, const std::string& vectors, const std::string& lexicons);

/// The language that the name of a file of vectors tells; empty for other files.
std::string language_of_file(const std::string& path);

}  // namespace wordbridge
