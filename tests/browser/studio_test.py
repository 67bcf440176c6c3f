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
