"""The studio in a real browser, as somebody uses it: looks, keys, reloads, two tabs, a server that goes away."""

import pathlib
import re
import sys
import unittest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / name) for name in ("cli", "studio")]

from browser import Browser  # noqa: E402
from program import ROOT  # noqa: E402
from server import Server, StudioTest  # noqa: E402

AXE = ROOT / "web/node_modules/axe-core/axe.min.js"  # there where the page was built
MARKUP = '<img/src=x/onerror=alert(1)>'
ARABIC, HAN = "كتاب", "夜晚"


class StudioPageTest(StudioTest):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def setUp(self):
        super().setUp()
        for name, old, new in (("en.vec", "e100", MARKUP), ("es.vec", "s101", ARABIC), ("es.vec", "s102", HAN)):
            self.write(name, self.read(name).decode().replace(f"\n{old} ", f"\n{new} "))

    def open(self, server, fragment="", **size):
        page = self.browser.open(server.url + fragment, **size)
        self.addCleanup(page.close)
        page.wait("document.querySelector('main section')")
        return page

    def content(self, page):
        """What has no blemish: nothing wider than the window, nothing that the browser complains of."""
        self.assertLessEqual(page("document.documentElement.scrollWidth - innerWidth"), 0)
        self.assertEqual(page.complaints, [])
        if AXE.exists():
            page(AXE.read_text() + ";0")
            found = page("axe.run(document, { resultTypes: ['violations'] }).then((r) => r.violations.map("
                         "(v) => v.id + ': ' + v.nodes.map((n) => n.html.slice(0, 150)).join(' | ')))")
            self.assertEqual(found, [])

    def test_map_and_word(self):
        page = self.open(self.serve("--lexicon", "train.txt", command="studio"))
        page.wait("document.documentElement.dataset.labels")
        self.assertEqual(page("document.documentElement.dataset.points"), "300")
        self.assertTrue(page("studioMap.usesGl"))
        colors = page("""(() => {
          const canvas = document.querySelector(".points canvas"), copy = document.createElement("canvas");
          [copy.width, copy.height] = [canvas.width, canvas.height];
          studioMap.paint();
          const context = copy.getContext("2d");
          context.drawImage(canvas, 0, 0);
          const data = context.getImageData(0, 0, copy.width, copy.height).data, seen = { blue: 0, orange: 0 };
          for (let i = 0; i < data.length; i += 4)
            if (data[i + 3] > 100) ++seen[data[i] > data[i + 2] ? "orange" : "blue"];
          return seen;
        })()""")
        self.assertGreater(min(colors.values()), 500, "points of both languages are drawn")
        self.content(page)
        page("document.querySelector('.search input').focus()")
        page.type("e10")
        page.wait("document.querySelectorAll('.search li').length > 1")
        page.press("ArrowDown")
        page.press("Enter")
        page.wait("document.querySelector('#view-map .status a')")
        page.click("#view-map .status a")
        page.wait("document.querySelector('.why')")
        self.assertEqual(page("document.querySelector('#view-word h2 bdi').textContent"), "e10")
        self.assertEqual(page("document.querySelector('.known a').textContent"), "s10")
        self.assertEqual(page("[...document.querySelectorAll('.lists h3')].map((e) => e.textContent)")[:2],
                         ["nearest neighbor", "CSLS"])
        self.content(page)

    def test_lasso_slider_and_neighborhoods(self):
        page = self.open(self.serve())
        page.wait("document.documentElement.dataset.labels")
        box = page("(() => { const b = document.querySelector('.points').getBoundingClientRect(); "
                   "return [b.x, b.y, b.width, b.height]; })()")
        corners = [(0.02, 0.02), (0.98, 0.02), (0.98, 0.98), (0.02, 0.98)]
        places = [(box[0] + x * box[2], box[1] + y * box[3]) for x, y in corners]
        page.mouse("mousePressed", *places[0], button="left", clickCount=1, modifiers=8)
        for place in places[1:]:
            page.mouse("mouseMoved", *place, button="left", buttons=1, modifiers=8)
        page.mouse("mouseReleased", *places[-1], button="left", clickCount=1, modifiers=8)
        page.wait("!document.querySelector('.inside').hidden")
        inside = int(re.match(r"\d+", page("document.querySelector('.inside h2').textContent"))[0])
        self.assertGreater(inside, 250)
        page("""(() => { const s = document.querySelector("input[type=range]"); s.value = 0;
             s.dispatchEvent(new Event("input")); })()""")
        page("""(() => { const s = document.querySelector("select"); s.value = "umap";
             s.dispatchEvent(new Event("change")); })()""")
        page.wait("/nearest words of a word/.test(document.querySelector('.status').textContent)")
        self.content(page)

    def test_words_of_all_kinds(self):
        server = self.serve("--lexicon", "train.txt")
        page = self.open(server, f"#word=source:{MARKUP}", width=420, height=800, dark=True)
        page.wait("document.querySelector('.why')")
        self.assertEqual(page("document.querySelector('#view-word h2 bdi').textContent"), MARKUP)
        self.assertEqual(page("document.images.length"), 0)
        background = page("getComputedStyle(document.body).backgroundColor")
        self.assertLess(max(map(int, re.findall(r"\d+", background))), 60)
        self.content(page)
        for text in (ARABIC, HAN):
            page.go(f"{server.url}#word=target:{text}")
            page.wait(f"document.querySelector('#view-word h2 bdi').textContent === '{text}' && document.querySelector('.why')")
            self.content(page)
        page.go(f"{server.url}#word=target:nosuchword")
        page.wait("document.querySelector('#view-word .error')")
        page.look(3840, 2160)
        page.go(server.url + "#map")
        page.wait("document.documentElement.dataset.labels")
        self.content(page)

    def test_review_with_a_reload_and_in_two_tabs(self):
        server = self.serve("--lexicon", "train.txt", "--validation", "test.txt", command="studio")
        page = self.open(server, "#review")
        other = self.open(server, "#review")
        page.wait("/no more|open\\.$/.test(document.querySelector('#view-review .quiet').textContent)")
        page.wait("document.documentElement.dataset.review")
        seen = []
        for i, key in enumerate("aars2"):
            seen.append(page("document.documentElement.dataset.review"))
            page.press(key)
            page.wait(f"document.documentElement.dataset.decided === '{i + 1}'")
        self.assertEqual(seen[2], seen[3], "after a rejection the next candidate of the same word is asked for")
        standing = server.get("decisions")
        self.assertEqual(standing["standing"], {"accepted": 3, "rejected": 1, "skipped": 1})
        self.assertEqual([one["source"] for one in reversed(standing["decisions"])], seen)
        other.wait("document.documentElement.dataset.accepted === '3'")
        other.wait(f"document.documentElement.dataset.review !== {seen[0]!r}")
        self.content(page)
        page.press("u")
        page.wait("document.documentElement.dataset.accepted === '2'")
        self.assertEqual(page("document.documentElement.dataset.review"), seen[4])
        page.press("t")
        page.type("<b>right</b>")
        page.press("Enter")
        page.wait("document.documentElement.dataset.accepted === '3'")
        page.reload()
        page.wait("document.documentElement.dataset.accepted === '3' && document.documentElement.dataset.review")
        self.assertNotIn(page("document.documentElement.dataset.review"), seen)
        self.assertEqual(page("document.querySelector('#view-review tbody td bdi').textContent"), "<b>right</b>")
        self.content(page)
        self.train(page, server)

    def train(self, page, server):
        page.click("nav a[href='#train']")
        page.wait("document.querySelector('#view-train button.main')")
        page.click("#view-train button.main")
        page.wait("document.documentElement.dataset.trained")
        self.assertIn("P@1 on 60 words that neither learned from", page("document.querySelector('.news').textContent"))
        self.content(page)
        page.click(".news button.main")
        page.wait("/is in use now/.test(document.querySelector('.news').textContent)")
        self.assertEqual(server.get("info")["mapping"], 2)
        page.click("nav a[href='#compare']")
        page.wait("document.documentElement.dataset.compared")
        self.content(page)
        page.look(420, 800, dark=True)
        page.click("nav a[href='#hubs']")
        page.wait("document.documentElement.dataset.hubs >= 2")
        self.content(page)

    def test_a_server_that_is_killed_loses_nothing_that_was_shown_as_kept(self):
        server = self.serve("--lexicon", "train.txt", command="studio")
        page = self.open(server, "#review")
        page.wait("document.documentElement.dataset.review")
        page.press("a")
        page.wait("document.documentElement.dataset.decided === '1'")
        server.end(9)
        page.press("a")
        page.wait("document.querySelector('#view-review .error').textContent.includes('does not answer')")
        again = self.serve("--lexicon", "train.txt", command="studio")
        self.assertEqual(again.get("decisions")["standing"]["accepted"], 1)

    def test_an_empty_lexicon_and_no_words_left(self):
        self.write("lexicon.txt", "none none\n")
        page = self.open(self.serve("--lexicon", "lexicon.txt", command="studio"), "#review")
        page.wait("document.documentElement.dataset.review")
        page.click("nav a[href='#compare']")
        page.wait("/one mapping only/.test(document.querySelector('#view-compare').textContent)")
        self.content(page)

    def test_tokens_and_a_server_that_goes(self):
        self.align()
        server = Server(self, "serve", "m.wbmap", "en.vec", "es.vec", "--token", "secret")
        page = self.open(server)
        page.wait("document.documentElement.dataset.labels")
        self.assertNotIn("secret", page("location.href"))
        page.reload()
        page.wait("document.documentElement.dataset.labels")
        self.assertEqual(page.complaints, [])
        server.end()
        page.wait("document.querySelector('#lost').textContent.includes('does not answer')")


if __name__ == "__main__":
    unittest.main()
