"""The pages of `wordbridge reproduce` and `wordbridge report` in a real browser: headless Chromium, without network.

On a phone nothing is wider than the screen but what scrolls in its own box; in the dark the page is dark; on paper it
comes out as a PDF; and the browser has nothing to complain about.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from program import ROOT, CommandLineTest  # noqa: E402

CHROMIUM = shutil.which("chromium") or "chromium"
# What the page looks like is asked by a script in a copy of it.
PROBE = """<script>
addEventListener("load", () => {
  const root = document.documentElement, style = getComputedStyle(document.body);
  root.dataset.overflow = root.scrollWidth - innerWidth;
  root.dataset.width = innerWidth;
  root.dataset.background = style.backgroundColor;
  root.dataset.drawn = [...document.querySelectorAll("svg")].filter((e) => e.getBoundingClientRect().height > 50).length;
  root.dataset.svgs = document.querySelectorAll("svg").length;
});
</script>
"""


class ReportTest(CommandLineTest):
    def make_probe(self):
        page = self.read("r.html").decode()
        self.write("probe.html", page.replace("</body>", PROBE + "</body>"))

    def chromium(self, *arguments, page="probe.html"):
        """Runs the browser; what it prints, after it complained about nothing."""
        call = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                "--enable-logging=stderr", f"--user-data-dir={self.path('profile')}", *arguments,
                f"file://{self.path(page)}"]
        environment = dict(os.environ, HOME=str(self.folder))
        result = subprocess.run(call, capture_output=True, timeout=300, env=environment, check=False)
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        self.assertNotIn(b"CONSOLE", result.stderr)
        return result.stdout.decode("utf-8", "replace")

    def probe(self, *arguments):
        html = self.chromium("--dump-dom", *arguments)
        return dict(re.findall(r'data-(\w+)="([^"]*)"', html[html.index("<html"):html.index("<head")]))

    def test_reproduce(self):
        experiments = [str(ROOT / "experiments" / name) for name in ("muse.json", "lexicon-size.json")]
        self.succeed("reproduce", *experiments, "--data", str(ROOT / "data/sample"), "--sample", "--report", "r.html")
        self.look(figures=5)

    def test_report(self):
        sample = ROOT / "data/sample"
        languages = [str(sample / name) for name in ("en.vec.xz", "es.vec.xz")]
        words = ["--max-words", "4000"]
        self.succeed("align", *languages, "--lexicon", str(sample / "en-es.train.txt"), "-o", "m.wbmap", *words)
        self.succeed("report", "m.wbmap", *languages, "--lexicon", str(sample / "en-es.test.txt"), "-o", "r.html")
        self.look(figures=3)

    def look(self, figures):
        self.make_probe()
        phone = self.probe("--window-size=400,800")
        self.assertLessEqual(int(phone["overflow"]), 0, phone)
        self.assertGreaterEqual(int(phone["svgs"]), figures)
        self.assertEqual(phone["drawn"], phone["svgs"])
        self.assertEqual(phone["background"], "rgb(255, 255, 255)")
        dark = self.probe("--window-size=1200,800", "--blink-settings=preferredColorScheme=0")
        self.assertLess(max(map(int, re.findall(r"\d+", dark["background"]))), 60)
        self.assertLessEqual(int(dark["overflow"]), 0)
        self.chromium(f"--print-to-pdf={self.path('r.pdf')}", page="r.html")
        self.assertTrue(self.read("r.pdf").startswith(b"%PDF"))


if __name__ == "__main__":
    unittest.main()
