#include "io/line_limit.h"

#include <gtest/gtest.h>

#include "base/error_test_support.h"
#include "io/endless_line_test_support.h"
#include "io/line_reader.h"

namespace wordbridge::line_limit_test {
namespace {

TEST(LineLimit, HoldsForTheReaderOfLines) {
  EndlessLine stream("one\ntwo\n", kEndless);
  LineReader lines(stream, "a lexicon");
  lines.next();
  lines.next();
  EXPECT_EQ(input_error_of([&] { lines.next(); }), "bomb.zst:3: a line of more than 64 MB: not a lexicon");
}

TEST(LineLimit, ALineOfThatLengthIsStillRead) {
  EndlessLine stream("", kMostLineBytes);
  LineReader lines(stream, "a lexicon");
  EXPECT_EQ(lines.next()->size(), kMostLineBytes);
  EXPECT_FALSE(lines.next());
}

}  // namespace
}  // namespace wordbridge::line_limit_test
