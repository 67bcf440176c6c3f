#!/usr/bin/env python3
"""How quick the studio is: benchmarks/run studio [--words N] [--dimension D] [--seconds S] [--sample-only yes].

The base of each row is its target. First the sample: from the command to points on the screen of headless Chromium,
the map by UMAP and how many neighbors it keeps, training again after 50 decisions. Then made-up vectors of N words a
language: translations of one word after the other by CSLS over HTTP with wrk, cached neighbors, memory beside the
tables, and frames a second of 100,000 points. The program comes from the build folder (WORDBRIDGE_BINARY_DIR).
"""

import argparse
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"]) / "wordbridge"
SAMPLE = ROOT / "data/sample"
sys.path.insert(0, str(ROOT / "tests/browser"))
rows = []


def add(what, target, ours, unit, more_is_better=False):
    """A row as benchmarks/report.h prints it: how many times better than the target."""
    ratio = ours / target if more_is_better else target / ours
    if not rows:
        print(f"\nstudio\n{'what':<62} | {'target':>12} | {'ours':>12} | {'ratio':>6}")
    print(f"{what:<62} | {target:>9.4g} {unit:<2} | {ours:>9.4g} {unit:<2} | {ratio:>6.3g} "
          f"{'met' if ratio >= 1 else 'missed'}", flush=True)
    rows.append({"benchmark": "studio", "what": what, "base": target, "ours": ours, "ratio": ratio, "target": 1, "unit": unit})


class Server:
    def __init__(self, *arguments):
        self.process = subprocess.Popen([PROGRAM, "--quiet", *map(str, arguments), "--port", "0"], stdout=subprocess.PIPE)
        self.url = self.process.stdout.readline().decode().strip()
        self.port = int(re.search(r":(\d+)/", self.url)[1])

    def ask(self, path, body=None, method=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        connection.request(method or ("GET" if body is None else "POST"), "/api/v1/" + path,
                           None if body is None else json.dumps(body), {"Content-Type": "application/json"})
        data = connection.getresponse().read()
        connection.close()
        return data

    def get(self, path, **more):
        return json.loads(self.ask(path, **more))

    def job(self, number):
        while (status := self.get(f"jobs/{number}"))["state"] in ("waiting", "running"):
            time.sleep(0.01)
        return status

    def settled(self):
        for job in self.get("jobs")["jobs"]:
            self.job(job["id"])

    def memory(self):
        """Of the process itself, in MB, without pages of files."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s*(\d+)", status)[1]) / 1024

    def end(self):
        self.process.terminate()
        self.process.wait()


def sample_rows(folder):
    from browser import Browser
    browser = Browser()
    subprocess.run([PROGRAM, "align", SAMPLE / "en.vec.xz", SAMPLE / "es.vec.xz", "--lexicon", SAMPLE / "en-es.train.txt",
                    "-o", folder / "m.wbmap", "--quiet"], check=True)
    begin = time.monotonic()
    server = Server("studio", folder / "m.wbmap", SAMPLE / "en.vec.xz", SAMPLE / "es.vec.xz", "--lexicon",
                    SAMPLE / "en-es.train.txt", "--validation", SAMPLE / "en-es.validation.txt")
    page = browser.open(server.url)
    page.wait("document.documentElement.dataset.points")
    add("sample: command to points on the screen", 2, time.monotonic() - begin, "s")
    server.settled()
    begin = time.monotonic()
    done = server.job(server.get("map", body={"words": 10_000})["job"])
    add("sample: map of 19,738 words by UMAP", 15, time.monotonic() - begin, "s")
    print(f"  share of the 15 nearest kept: {done['result']['kept']:.3f}")
    suggestions = server.get("review?count=50")["suggestions"]
    for one in suggestions:
        server.get("decisions", body={"source": one["word"], "target": one["candidates"][0]["word"], "verdict": "accepted"})
    begin = time.monotonic()
    server.job(server.get("train", body={})["job"])
    add("sample: training again after 50 decisions", 5, time.monotonic() - begin, "s")
    server.end()
    browser.close()


def write_vectors(path, words, dimension, seed):
    """A .npy with a list of words: half of each row is shared by both languages."""
    import numpy as np
    shared, own = np.random.default_rng(7), np.random.default_rng(seed)
    table = np.empty((words, dimension), np.float32)
    for begin in range(0, words, 10_000):
        end = min(begin + 10_000, words)
        table[begin:end] = shared.standard_normal((end - begin, dimension)) + own.standard_normal((end - begin, dimension))
    np.save(path, table)
    path.with_suffix(".words.txt").write_text("".join(f"w{i}\n" for i in range(words)))


def wrk(server, lua, seconds, connections):
    """Requests a second, and the time of 99 in 100 in milliseconds."""
    text = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", lua, server.url.rstrip("/")],
                          check=True, capture_output=True, text=True).stdout
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", text).groups()
    errors = re.search(r"Non-2xx or 3xx responses: (\d+)", text)
    if errors:
        sys.exit(f"wrk: {errors[1]} errors")
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1]), float(value) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]


def large_rows(folder, words, dimension, seconds):
    for name, seed in (("a", 1), ("b", 2)):
        write_vectors(folder / f"{name}.npy", words, dimension, seed)
    vocabularies = ["--source-vocabulary", folder / "a.words.txt", "--target-vocabulary", folder / "b.words.txt"]
    subprocess.run([PROGRAM, "prepare", folder / "a.npy", folder / "b.npy", *vocabularies, "--max-words", "0", "-o",
                    folder / "s.wbspace", "--quiet"], check=True)
    from browser import Browser
    browser = Browser()
    begin = time.monotonic()
    server = Server("serve", folder / "s.wbspace")
    page = browser.open(server.url)
    page.wait("document.documentElement.dataset.points")
    add(f"{words:,} x {words:,}: command to points on the screen", 4, time.monotonic() - begin, "s")
    server.settled()
    (folder / "t.lua").write_text(f'request = function() return wrk.format("GET", "/api/v1/translate?criterion=csls&word=w" '
                                  f'.. math.random(0, {words - 1})) end')
    (folder / "n.lua").write_text('request = function() return wrk.format("GET", "/api/v1/neighbors?word=w" .. '
                                  'math.random(0, 99)) end')
    wrk(server, folder / "t.lua", 2, 4)
    rate, late = wrk(server, folder / "t.lua", seconds, 4)
    add("translations by CSLS a second, 4 connections", 150, rate, "/s", True)
    add("of which 99 in 100 take at most", 60, late, "ms")
    wrk(server, folder / "n.lua", 2, 4)
    add("neighbors a second, of 100 words that were asked before", 5000, wrk(server, folder / "n.lua", seconds, 16)[0], "/s", True)
    add("memory that is no file's pages", 150, server.memory(), "MB")
    page("(() => { const s = document.querySelectorAll('select')[1]; s.value = '50000'; s.dispatchEvent(new Event('change')); })()")
    page.wait("document.documentElement.dataset.points === '100000'")
    frames = page("""new Promise((resolve) => { const begin = performance.now(); let n = 0;
      const step = () => { studioMap.paint(); ++n; performance.now() - begin < 2000 ? requestAnimationFrame(step)
        : resolve(n / 2); }; requestAnimationFrame(step); })""")
    add("frames a second of 100,000 points, drawn by software", 30, frames, "/s", True)
    browser.close()
    server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=50_000)
    parser.add_argument("--dimension", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--sample-only", default="")
    parser.add_argument("--append", help="a file that gets the rows as JSON, a line each")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wordbridge-studio-") as name:
        sample_rows(pathlib.Path(name))
        if not options.sample_only:
            large_rows(pathlib.Path(name), options.words, options.dimension, options.seconds)
    if options.append:
        with open(options.append, "a", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main()
