#include "cli/report/html_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wordbridge::html_page_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

TEST(HtmlPage, HoldsWhatWasPutIn) {
  HtmlPage page("A <b> & c");
  page.heading(2, "First <1>");
  page.paragraph("5 < 6");
  page.heading(3, "Below");
  page.list({"x & y"});
  page.table("<table></table>\n");
  page.figure("<svg></svg>\n", "A \"caption\"");
  page.heading(2, "Second");
  const std::string html = page.to_html();
  EXPECT_THAT(html, StartsWith("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_THAT(html, HasSubstr("<title>A &lt;b&gt; &amp; c</title>"));
  EXPECT_THAT(html, HasSubstr("<li><a href=\"#s1\">First &lt;1&gt;</a></li>"));
  EXPECT_THAT(html, HasSubstr("<h2 id=\"s2\">Second</h2>"));
  EXPECT_THAT(html, HasSubstr("<h3>Below</h3>"));
  EXPECT_THAT(html, HasSubstr("<li>x &amp; y</li>"));
  EXPECT_THAT(html, HasSubstr("<p>5 &lt; 6</p>"));
  EXPECT_THAT(html, HasSubstr("<figcaption>A &quot;caption&quot;</figcaption>"));
}

TEST(HtmlPage, NeedsNothingElse) {
  HtmlPage page("x");
  page.heading(2, "one");
  const std::string html = page.to_html();
  for (const char* outside : {"http:", "https:", "<script", "url(", "@import", "src="})
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  EXPECT_THAT(html, Not(HasSubstr("<nav"))) << "one section needs no list of contents";
  EXPECT_THAT(html, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(html, HasSubstr("@media print"));
  EXPECT_THAT(html, HasSubstr("name=\"viewport\""));
}

}  // namespace
}  // namespace wordbridge::html_page_test
