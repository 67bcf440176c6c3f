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

TEST(HtmlPage, AddressesBecomeLinks) {
  EXPECT_EQ(linked_html("a & (from https://x.org/a?b=1&c=2), then https://y.org."),
            "a &amp; (from <a href=\"https://x.org/a?b=1&amp;c=2\">https://x.org/a?b=1&amp;c=2</a>), then "
            "<a href=\"https://y.org\">https://y.org</a>.");
  EXPECT_EQ(linked_html("javascript:alert(1) http://z"), "javascript:alert(1) http://z");
  EXPECT_EQ(linked_html("https://x\"onclick"), "<a href=\"https://x\">https://x</a>&quot;onclick");
}

TEST(HtmlPage, HeadlinesAndCommands) {
  HtmlPage page("x");
  page.headline("64 <", "of all & more");
  page.command("a > b");
  EXPECT_THAT(page.to_html(), HasSubstr("<p class=\"headline\"><b>64 &lt;</b>of all &amp; more</p>"));
  EXPECT_THAT(page.to_html(), HasSubstr("<pre tabindex=\"0\">a &gt; b</pre>"));
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
