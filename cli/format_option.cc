#include "cli/format_option.h"

#include "cli/arguments.h"

namespace wordbridge::cli {

void FormatOption::declare(Arguments& arguments) {
  arguments.choice("--to", name_, {"text", "word2vec", "npy", "native"},
                   "Format to write (default: by extension: .vec .txt text, .w2v .bin word2vec, "
                   ".npy NumPy, .wbvec native)");
}

VectorFormat FormatOption::of(const std::string& path) const {
  if (name_ == "text") return VectorFormat::text;
  if (name_ == "word2vec") return VectorFormat::word2vec_binary;
  if (name_ == "npy") return VectorFormat::npy;
  if (name_ == "native") return VectorFormat::native;
  return format_of_path(path);
}

}  // namespace wordbridge::cli
