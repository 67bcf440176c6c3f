#include "vectors/formats/text_start.h"

#include <gtest/gtest.h>

#include <string>

#include "wordbridge/error.h"

namespace wordbridge::text_start_test {
namespace {

TextStart start_of(std::string_view text) { return recognize_text_start("file", text); }

std::string error_of(std::string_view text) {
  try {
    start_of(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(TextStart, AHeaderTellsRowsAndDimension) {
  for (const std::string_view text :
       {"7 2\na 1 2\n", "7 2 \r\na 1 2\n", " 7\t2\na 1 2\n", "7 2\nNew York 1 2\n", "7 2\n1 2 3\n", "7 2\n"}) {
    const TextStart start = start_of(text);
    ASSERT_TRUE(start.header.has_value()) << text;
    EXPECT_EQ(start.header->rows, 7u);
    EXPECT_EQ(start.dimension, 2u);
    EXPECT_EQ(start.bytes, text.find('\n') + 1);
  }
  EXPECT_EQ(start_of("7 2").bytes, 3u) << "nothing but a header without line break";
  EXPECT_EQ(start_of("\n \n7 2\na 1 2\n").bytes, 7u) << "behind blank lines";
}

TEST(TextStart, AFirstRowMayLookLikeAHeader) {
  EXPECT_FALSE(start_of("2 300\nword 1.5\n").header);
  EXPECT_EQ(start_of("2 300\nword 1.5\n").dimension, 1u);
  EXPECT_TRUE(start_of("2 1\nword 1.5\n").header) << "both readings fit: most files have a header";
  EXPECT_TRUE(start_of("2 300\nword 1.5 2.5\n").header) << "neither fits: a damaged row is likelier than a lost header";
  EXPECT_FALSE(start_of("2 300.5\nword 1.5\n").header);
  EXPECT_FALSE(start_of("-2 300\nword 1.5\n").header);
  EXPECT_FALSE(start_of("2 3 4\nword 1 2\n").header);
}

TEST(TextStart, WithoutHeaderMostOfTheFirstRowsTellTheDimension) {
  EXPECT_EQ(start_of("a 1 2 3\n").dimension, 3u);
  EXPECT_EQ(start_of("1999 1 2 3\n").dimension, 3u);
  EXPECT_EQ(start_of("route 66 1 2\nb 1 2\nc 1 2\n").dimension, 2u);
  EXPECT_EQ(start_of("a 1\nb 1 2\nc 1 2\n").dimension, 2u);
  EXPECT_EQ(start_of("a 1\nb 1 2\n").dimension, 2u) << "of equally common ones the larger";
  EXPECT_EQ(start_of("a x\nb 1 2\n").dimension, 2u);
  EXPECT_EQ(start_of("a 1 2 3\n").bytes, 0u);
}

TEST(TextStart, AByteOrderMarkIsTakenOff) {
  const TextStart with_header = start_of(
                      "\xEF\xBB\xBF"
                      "2 1\na 1\n"),
                  without = start_of(
                      "\xEF\xBB\xBF"
                      "a 1\n");
  EXPECT_TRUE(with_header.byte_order_mark && with_header.header);
  EXPECT_EQ(with_header.bytes, 7u);
  EXPECT_TRUE(without.byte_order_mark && !without.header);
  EXPECT_EQ(without.bytes, 3u);
}

TEST(TextStart, BlanksAtTheEndOfTheFirstRowAreTold) {
  EXPECT_TRUE(start_of("1 2\na 1 2 \n").final_blanks);
  EXPECT_TRUE(start_of("a 1 2 \r\n").final_blanks);
  EXPECT_FALSE(start_of("1 2 \na 1 2\n").final_blanks) << "the header does not count";
  EXPECT_FALSE(start_of("1 2\na 1 2\r\n").final_blanks);
  EXPECT_FALSE(start_of("1 2 \n").final_blanks);
}

TEST(TextStart, WhatHoldsNoVectorsIsAnError) {
  EXPECT_EQ(error_of(""), "file: the file is empty");
  EXPECT_EQ(error_of("\n \r\n"), "file: the file is empty");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"), "file: the file is empty");
  EXPECT_EQ(error_of("hello world\nfoo bar\n"), "file:1: no row of a word and numbers at the start of the file");
  EXPECT_EQ(error_of("\nhello\n"), "file:2: no row of a word and numbers at the start of the file");
  EXPECT_EQ(error_of("5 0\na\n"), "file:1: the header says dimension 0");
  EXPECT_EQ(error_of(std::string_view("\xFF\xFE\x61\0\x20\0\x31\0\n\0", 10)),
            "file:1: this looks like UTF-16, UTF-8 is wanted");
}

TEST(TextStart, PagesOfMarkupAreNamedAsSuch) {
  const std::string page = "this is an HTML or XML page, not vectors";
  EXPECT_EQ(error_of("<!DOCTYPE html>\n<html><body>404</body></html>\n"), "file:1: " + page);
  EXPECT_EQ(error_of("<HTML><title>Not Found</title>"), "file:1: " + page);
  EXPECT_EQ(error_of("\r\n\r\n  <html>\n"), "file:3: " + page);
  EXPECT_EQ(error_of("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>NoSuchKey</Code></Error>"),
            "file:1: " + page);
  EXPECT_EQ(error_of("<Error>\n"), "file:1: " + page);
  EXPECT_EQ(error_of("</s> 0.1 0.2\nthe 0.3 0.4\n"), "no error") << "a word of many models";
  EXPECT_EQ(error_of("<unk> 0.1 0.2\n"), "no error");
}

}  // namespace
}  // namespace wordbridge::text_start_test
