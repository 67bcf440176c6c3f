#include "cli/options/format_option.h"

#include <string>
#include <vector>

#include "cli/options/arguments.h"
#include "wordbridge/error.h"

namespace wordbridge::cli {

void FormatOption::declare(Arguments& arguments, Models models) {
  std::vector<std::string> names = {"text", "word2vec", "npy", "npy:f16", "raw:f32", "raw:f16", "native"};
  if (models == Models::fasttext) names.push_back("fasttext");
  arguments.choice(
      "--to", name_, names,
      std::string("Format to write (default: by extension: .vec .txt text, .w2v .bin word2vec, .npy NumPy, "
                  ".f32 .f16 numbers without a header, .wbvec native; standard output: text") +
          (models == Models::fasttext ? "; of a fastText model, .bin: a fastText model)" : ")"));
}

bool FormatOption::wants_model(const std::string& path) const {
  return name_ == "fasttext" || (name_.empty() && path.ends_with(".bin"));
}

VectorFormat FormatOption::of(const std::string& path) const {
  if (name_ == "text") return VectorFormat::text;
  if (name_ == "word2vec") return VectorFormat::word2vec_binary;
  if (name_ == "npy") return VectorFormat::npy;
  if (name_ == "npy:f16") return VectorFormat::npy_float16;
  if (name_ == "raw:f32") return VectorFormat::raw_float32;
  if (name_ == "raw:f16") return VectorFormat::raw_float16;
  if (name_ == "native") return VectorFormat::native;
  if (path == "-") return VectorFormat::text;
  try {
    return format_of_path(path);
  } catch (const UsageError& error) {
    throw UsageError(error.what() + std::string("; or give --to"));
  }
}

}  // namespace wordbridge::cli
