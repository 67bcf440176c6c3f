#include "vectors/formats/database.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/temporary_folder_test_support.h"
#include "wordbridge/error.h"

namespace wordbridge::database_test {
namespace {

std::string written(VectorFormat format, const std::vector<std::string>& words, const std::vector<float>& values) {
  const TemporaryFolder folder;
  const auto sink = create_database(folder.path("f"), format, 2);
  const Matrix rows = Matrix::copy_of({values.data(), words.size(), 2});
  for (std::size_t i = 0; i < words.size(); ++i)  // ranks go on from block to block
    sink->write({words[i]}, rows.view().slice(i, i + 1));
  EXPECT_FALSE(folder.has("f"));
  sink->finish();
  return folder.read("f");
}

TEST(Database, LinesForCopy) {
  EXPECT_EQ(written(VectorFormat::postgres, {"casa", "a\\b\tc\nd\re", "l'été"}, {1, -0.25F, 1e-20F, 3, 0.1F, 2}),
            "casa\t1\t[1,-0.25]\n"
            "a\\\\b\\tc\\nd\\re\t2\t[1e-20,3]\n"
            "l'été\t3\t[0.1,2]\n");
}

TEST(Database, AScriptForSqlite) {
  EXPECT_EQ(written(VectorFormat::sqlite, {"casa", "l'été"}, {1, -0.25F, 0, 2}),
            "BEGIN;\n"
            "CREATE TABLE words(word TEXT NOT NULL, rank INTEGER PRIMARY KEY, vector BLOB NOT NULL);\n"
            "INSERT INTO words VALUES('casa',1,x'0000803f000080be');\n"
            "INSERT INTO words VALUES('l''été',2,x'0000000000000040');\n"
            "CREATE INDEX words_by_word ON words(word);\n"
            "COMMIT;\n");
}

TEST(Database, WordsThatAreNoTextAreRefused) {
  for (const auto format : {VectorFormat::postgres, VectorFormat::sqlite})
    for (const std::string& word : {std::string("a\0b", 3), std::string("\xff")})
      EXPECT_THROW(written(format, {word}, {1, 2}), InputError);
}

}  // namespace
}  // namespace wordbridge::database_test
