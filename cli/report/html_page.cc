#include "cli/report/html_page.h"

#include <fmt/format.h>

#include "cli/report/table.h"

namespace wordbridge {

namespace {

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; --text: #1c2024; --quiet: #5b6570; --page: #ffffff; --band: #f3f5f7; --rule: #d5dade;
  --c0: #1461a8; --c1: #c04f00; --c2: #1b7a3d; --c3: #8a3ca5; --c4: #a8870a; --c5: #b3224c; --c6: #0d7f86; --c7: #6b5a4a; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e7ea; --quiet: #a2abb4; --page: #14171a; --band: #1e2327; --rule: #3a424a;
    --c0: #6db3f2; --c1: #f59a56; --c2: #67c98a; --c3: #cf95e6; --c4: #dcc04a; --c5: #f0809f; --c6: #5ccbd1; --c7: #c7b3a0; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; color: var(--text); background: var(--page);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; }
p, li { max-width: 46rem; overflow-wrap: anywhere; } figcaption { color: var(--quiet); }
a { color: var(--c0); }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { padding: 0.25rem 0.6rem; text-align: right; vertical-align: top; border-bottom: 1px solid var(--rule);
  white-space: nowrap; }
th { font-weight: 600; } th.left, td.left { text-align: left; } th.left { white-space: pre; }
td.left { white-space: normal; overflow-wrap: anywhere; min-width: 7rem; }
tbody tr:nth-child(odd) { background: var(--band); }
figure { margin: 1rem 0; max-width: 36rem; } svg { width: 100%; height: auto; display: block; }
svg text { fill: var(--text); font-size: 13px; } svg text.small { font-size: 11px; }
.axis { stroke: var(--text); } .grid { stroke: var(--rule); }
.c0 { fill: var(--c0); stroke: var(--c0); } .c1 { fill: var(--c1); stroke: var(--c1); }
.c2 { fill: var(--c2); stroke: var(--c2); } .c3 { fill: var(--c3); stroke: var(--c3); }
.c4 { fill: var(--c4); stroke: var(--c4); } .c5 { fill: var(--c5); stroke: var(--c5); }
.c6 { fill: var(--c6); stroke: var(--c6); } .c7 { fill: var(--c7); stroke: var(--c7); }
.curve, .open { fill: none; stroke-width: 2; }
.headline { margin: 0.5rem 0; } .headline b { font-size: 2rem; font-variant-numeric: tabular-nums; margin-right: 0.4rem; }
pre { background: var(--band); padding: 0.6rem 0.8rem; overflow-x: auto; font-size: 0.85rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); gap: 0 2rem; }
.columns > div { min-width: 0; }
@media print {
  :root { --text: #000; --quiet: #333; --page: #fff; --band: #fff; --rule: #999; }
  body { max-width: none; padding: 0; font-size: 10pt; } nav { display: none; }
  .scroll { overflow: visible; } table { font-size: 7.5pt; } th, td { padding: 0.1rem 0.3rem; }
  figure, tr { break-inside: avoid; } h2, h3 { break-after: avoid; }
}
)";

}  // namespace

std::string linked_html(std::string_view text) {
  std::string html;
  for (std::size_t begin = text.find("https://"); begin != std::string_view::npos; begin = text.find("https://")) {
    html += escape_html(text.substr(0, begin));
    text.remove_prefix(begin);
    std::string_view address = text.substr(0, text.find_first_of(" \t\n\"<>"));
    // The end of a sentence or of a bracket is not part of it.
    address = address.substr(0, address.find_last_not_of(".,;:)") + 1);
    html += fmt::format("<a href=\"{0}\">{0}</a>", escape_html(address));
    text.remove_prefix(address.size());
  }
  return html + escape_html(text);
}

void HtmlPage::heading(int level, std::string_view text) {
  if (level == 2) {
    if (contents_.empty()) summary_ = body_.size();
    contents_.emplace_back(text);
    body_ += fmt::format("<h2 id=\"s{}\">{}</h2>\n", contents_.size(), escape_html(text));
  } else {
    body_ += fmt::format("<h{0}>{1}</h{0}>\n", level, escape_html(text));
  }
}

void HtmlPage::paragraph(std::string_view text) { body_ += fmt::format("<p>{}</p>\n", linked_html(text)); }

void HtmlPage::headline(std::string_view number, std::string_view text) {
  body_ += fmt::format("<p class=\"headline\"><b>{}</b>{}</p>\n", escape_html(number), escape_html(text));
}

void HtmlPage::command(std::string_view line) {
  body_ += fmt::format("<pre tabindex=\"0\">{}</pre>\n", escape_html(line));
}

void HtmlPage::list(const std::vector<std::string>& items) {
  body_ += "<ul>\n";
  for (const std::string& item : items) body_ += fmt::format("<li>{}</li>\n", linked_html(item));
  body_ += "</ul>\n";
}

void HtmlPage::table(std::string_view markup) {
  body_ += fmt::format("<div class=\"scroll\" tabindex=\"0\">\n{}</div>\n", markup);
}

void HtmlPage::figure(std::string_view markup, std::string_view caption) {
  body_ += fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", markup, escape_html(caption));
}

std::string HtmlPage::to_html() const {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<main>\n"
      "<h1>{0}</h1>\n",
      escape_html(title_), kStyle);
  page += body_.substr(0, summary_);
  if (contents_.size() > 1) {
    page += "<nav aria-label=\"Contents\"><ul>\n";
    for (std::size_t i = 0; i < contents_.size(); ++i)
      page += fmt::format("<li><a href=\"#s{}\">{}</a></li>\n", i + 1, escape_html(contents_[i]));
    page += "</ul></nav>\n";
  }
  return page + body_.substr(summary_) + "</main>\n</body>\n</html>\n";
}

}  // namespace wordbridge
