#include <cstdio>
#include <string>

#include "base/version.h"
#include "linalg/svd.h"
#include "vectors/normalizer.h"
#include "vectors/word_vectors.h"

// Touches code that needs BLAS, LAPACK, OpenSSL and threads, so that a dependency the package forgot does not link.
int main() {
  using namespace wordbridge;
  Vocabulary vocabulary;
  vocabulary.add("bridge");
  vocabulary.add("puente");
  Matrix table(2, 2);
  table(0, 0) = 3;
  table(0, 1) = 4;
  table(1, 0) = 2;
  Normalizer::fit(Normalizer::parse("unit"), table);
  const Svd decomposition = svd(to_double(table));
  const WordVectors vectors(vocabulary, table);
  const std::string checksum = content_checksum(vectors.vocabulary(), vectors.table());
  std::printf("%s %zu %.3f %zu\n", std::string(version()).c_str(), vectors.size(), decomposition.s[0], checksum.size());
}
