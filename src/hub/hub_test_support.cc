#include "hub/hub_test_support.h"

#include <fmt/format.h>

#include "base/random.h"
#include "linalg/blas.h"
#include "linalg/lapack.h"

namespace wordbridge {

namespace {

constexpr std::size_t kHubWords = 120, kHubLearned = 80, kHubDimension = 10;

Matrix normal_rows(Random& random, std::size_t rows, std::size_t cols) {
  Matrix result(rows, cols);
  for (float& value : result.elements()) value = static_cast<float>(random.normal());
  return result;
}

void write_language(const TemporaryFolder& folder, const std::string& name, const Matrix& rows) {
  std::string text = fmt::format("{} {}\n", rows.rows(), rows.cols());
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    text += fmt::format("{}{}", name, i);
    for (const float value : rows.row(i)) text += fmt::format(" {:.5f}", value);
    text += "\n";
  }
  folder.write(name + ".vec", text);
}

std::string lexicon_text(const std::string& source, const std::string& target, std::size_t begin, std::size_t end) {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) text += fmt::format("{0}{2} {1}{2}\n", source, target, i);
  return text;
}

}  // namespace

HubExample::HubExample() {
  Random random(5);
  const Matrix pivot = normal_rows(random, kHubWords, kHubDimension);
  write_language(folder_, "en", pivot);
  for (const std::string name : {"de", "es", "fr"}) {
    const Matrix rotation = to_float(nearest_orthogonal(to_double(normal_rows(random, kHubDimension, kHubDimension))));
    Matrix rows = multiply_abt(pivot, rotation);
    for (float& value : rows.elements()) value += static_cast<float>(0.05 * random.normal());
    write_language(folder_, name, rows);
    folder_.write(name + "-en.train.txt", lexicon_text(name, "en", 0, kHubLearned));
    folder_.write(name + "-en.test.txt", lexicon_text(name, "en", kHubLearned, kHubWords));
  }
  folder_.write("de-es.train.txt", lexicon_text("de", "es", 0, kHubLearned));
}

LanguageList HubExample::list() const {
  LanguageList list;
  list.pivot = "en";
  for (const std::string name : {"de", "en", "es", "fr"}) {
    list.languages.push_back({name, folder_.path(name + ".vec")});
    if (name != "en")
      list.lexicons[{name, "en"}] = {folder_.path(name + "-en.train.txt"), {}, folder_.path(name + "-en.test.txt")};
  }
  list.lexicons[{"de", "es"}] = {folder_.path("de-es.train.txt"), {}, {}};
  return list;
}

}  // namespace wordbridge
