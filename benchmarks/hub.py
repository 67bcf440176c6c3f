#!/usr/bin/env python3
"""A hub against the same by plain commands, one after the other: benchmarks/run hub [--list languages.toml].

The base aligns each language, and translates the test words of every direction; languages beside the pivot meet by
mappings that are turned around and composed, on lexicons joined beforehand. That is less than the hub measures: a
second row adds the hubness of directions with the pivot, as the hub has it. The program comes from the build folder
(WORDBRIDGE_BINARY_DIR), for both; --base takes another one for the plain commands.
"""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"]) / "wordbridge"
rows = []


def add(what, base, ours, unit, target):
    """A row as benchmarks/report.h prints it; the ratio says how many times better than the base."""
    if not rows:
        print("\nhub: many languages in one command, against plain commands one after the other")
        print(f"{'what':<62} | {'base':>12} | {'ours':>12} | {'ratio':>6} | target")
    met = f"{target:.3g} {'met' if base / ours >= target else 'missed'}"
    print(f"{what:<62} | {base:>9.4g} {unit:<2} | {ours:>9.4g} {unit:<2} | {base / ours:>6.3g} | {met}", flush=True)
    rows.append({"benchmark": "hub", "what": what, "base": base, "ours": ours, "ratio": base / ours, "target": target,
                 "unit": unit})


def run(program, *arguments):
    """Seconds and peak memory in MB."""
    begin = time.monotonic()
    process = subprocess.Popen([program, *map(str, arguments), "--quiet"], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: exit code {process.returncode}")
    return time.monotonic() - begin, usage.ru_maxrss / 1024


class Languages:
    """A list of languages, and the lexicons that plain commands need."""

    def __init__(self, path, folder):
        self.folder = folder
        with open(path, "rb") as file:
            content = tomllib.load(file)
        self.pivot = content["pivot"]
        self.method = content.get("method", "procrustes")
        place = pathlib.Path(path).parent
        self.vectors = {name: place / entry["vectors"] for name, entry in content["languages"].items()}
        self.lexicons = {pair: {kind: place / file for kind, file in entry.items()}
                         for pair, entry in content["lexicons"].items()}
        self.others = [name for name in self.vectors if name != self.pivot]

    def pairs(self, source, target, kind):
        """Of a lexicon, in either direction."""
        if f"{source}-{target}" in self.lexicons:
            text = self.lexicons[f"{source}-{target}"][kind].read_text(encoding="utf-8")
            return [tuple(line.split()) for line in text.splitlines() if len(line.split()) == 2]
        return [(one, other) for other, one in self.pairs(target, source, kind)]

    def lexicon(self, source, target, kind):
        """The path of one, joined through the pivot where there is none."""
        if f"{source}-{target}" in self.lexicons:
            return self.lexicons[f"{source}-{target}"][kind]
        path = self.folder / f"{source}-{target}.{kind}.txt"
        if self.pivot in (source, target):
            pairs = self.pairs(source, target, kind)
        else:
            onward = {}
            for part in ("train", "test"):
                for word, translation in self.pairs(self.pivot, target, part):
                    onward.setdefault(word, []).append(translation)
            pairs = [(word, other) for word, middle in self.pairs(source, self.pivot, kind)
                     for other in onward.get(middle, [])]
        path.write_text("".join(f"{one}\t{other}\n" for one, other in pairs), encoding="utf-8")
        return path


def plain_commands(program, languages):
    """Seconds for aligning and translating, and for hubness."""
    folder, pivot = languages.folder, languages.pivot
    directions = list(itertools.permutations(languages.vectors, 2))
    lexicons = {pair: languages.lexicon(*pair, "test") for pair in directions}
    seconds = {"translation": 0.0, "hubness": 0.0}

    def timed(what, *arguments):
        seconds[what] += run(program, *arguments)[0]

    for name in languages.others:
        timed("translation", "align", languages.vectors[name], languages.vectors[pivot], "--method", languages.method,
              "--lexicon", languages.lexicon(name, pivot, "train"), "-o", folder / f"{name}-{pivot}.wbmap")
        timed("translation", "invert", folder / f"{name}-{pivot}.wbmap", "-o", folder / f"{pivot}-{name}.wbmap")
    for source, target in directions:
        mapping = folder / f"{source}-{target}.wbmap"
        if not mapping.exists():
            timed("translation", "compose", folder / f"{source}-{pivot}.wbmap", folder / f"{pivot}-{target}.wbmap",
                  "-o", mapping)
        files = [mapping, languages.vectors[source], languages.vectors[target]]
        timed("translation", "evaluate", "translation", *files, "--lexicon", lexicons[source, target])
        if pivot in (source, target):
            timed("hubness", "evaluate", "hubness", *files, "--queries", "5000")
    return seconds


def largest_tables(folder):
    """Bytes of the two largest tables of a hub."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    sizes = sorted(entry["words"] * entry["dimension"] * 4 for entry in manifest["languages"].values())
    return sum(sizes[-2:])


SAMPLE = """pivot = "en"
""" + "".join(f'[languages.{name}]\nvectors = "{name}.vec.xz"\n' for name in ("de", "en", "es", "fr")) + "".join(
    f'[lexicons.{one}-{other}]\ntrain = "{one}-{other}.train.txt"\ntest = "{one}-{other}.test.txt"\n'
    for name in ("de", "es", "fr") for one, other in ((name, "en"), ("en", name)))


def main():
    parser = argparse.ArgumentParser(prog="benchmarks/run hub", description=__doc__.splitlines()[0])
    parser.add_argument("--append", help=argparse.SUPPRESS)
    parser.add_argument("--list", help="languages and lexicons, each with train and test (default: the sample's)")
    parser.add_argument("--base", default=PROGRAM, help="the program of the plain commands (default: the same)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wordbridge-hub-") as name:
        folder = pathlib.Path(name)
        path = pathlib.Path(options.list or folder / "sample.toml")
        if not options.list:
            text = SAMPLE.replace('= "', f'= "{ROOT}/data/sample/').replace(f'"{ROOT}/data/sample/en"', '"en"')
            path.write_text(text, encoding="utf-8")
        seconds, megabytes = run(PROGRAM, "hub", path, "-o", folder / "space")
        base = plain_commands(options.base, Languages(path, folder))
        add("align, translate the test words of all directions", base["translation"], seconds, "s", 1.6)
        add("the same, and hubness with the pivot, which a hub measures, too", sum(base.values()), seconds, "s", 1.6)
        tables = largest_tables(folder / "space") / 2**20
        # With small tables, buffers of threads are most of it.
        add("memory: 3 times the two largest tables", 3 * tables, megabytes, "MB", 1)
    if options.append:
        with open(options.append, "a", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)


if __name__ == "__main__":
    main()
