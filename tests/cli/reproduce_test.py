"""wordbridge reproduce: all experiments of the paper, in their small version, on the sample."""

import html.parser
import json
import re
import unittest

from program import ROOT, SANITIZED, CommandLineTest

EXPERIMENTS = ROOT / "experiments"
SAMPLE = ROOT / "data/sample"
ALL = sorted(path.stem for path in EXPERIMENTS.glob("*.json") if path.stem != "sources")
VOID = {"meta", "link", "line", "circle", "rect", "path"}


class Markup(html.parser.HTMLParser):
    """Every element is closed, and nothing is loaded from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.outside = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        self.outside += [value for name, value in attributes
                         if name in ("src", "href") and not value.startswith(("#", "data:"))]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (self.open, tag)
        self.open.pop()


class ReproduceTest(CommandLineTest):
    def reproduce(self, *arguments):
        return self.succeed("reproduce", *arguments)

    def test_what_is_no_experiment(self):
        call = ["reproduce", "--data", str(SAMPLE), "--sample"]
        (self.folder / "empty").mkdir()
        self.assertEqual(self.fail(1, *call, "empty"), "empty: there is no experiment (.json) in this folder")
        self.write("bad.json", '{\n"name": "x",\n"title": ]\n}\n')
        self.assertEqual(self.fail(1, *call, "bad.json"), "bad.json:3: not an experiment: from here on it is not JSON")
        self.write("bad.json", '{"name": 7}')
        line = self.fail(1, *call, "bad.json")
        self.assertIn("bad.json", line)
        self.assertNotIn("exception", line)

    def sample(self, *arguments):
        return self.reproduce(*arguments, "--data", str(SAMPLE), "--sample")

    @unittest.skipIf(SANITIZED, "takes minutes, and the other tests go the same ways")
    def test_every_experiment_on_the_sample(self):
        outputs = []
        for name in ALL:  # each on its own: they share what they make through the cache
            result = self.sample(str(EXPERIMENTS / f"{name}.json"), "--json")
            outputs += json.loads(result.stdout)
        self.assertEqual([entry["name"] for entry in outputs], ALL)
        for entry in outputs:
            self.assertEqual(entry["reasons"], [], entry["name"])
            for row in entry["rows"]:
                if row["name"] == "NASARI baseline":  # only cited
                    continue
                for cell in row["cells"]:
                    self.assertEqual(cell["measurements"], cell["wanted"])
                    self.assertGreater(cell["measured"], 0, (entry["name"], row["name"]))
                    self.assertTrue(cell["coverage"])
        # All at once: everything is there, and comes out the same.
        again = self.sample(str(EXPERIMENTS), "--json")
        together = json.loads(again.stdout)
        self.assertEqual(together[0]["name"], "muse")  # the paper's first table
        self.assertEqual(sorted(together, key=lambda entry: entry["name"]), outputs)
        self.assertNotIn("written (", again.stderr)  # no mapping was made

    @unittest.skipIf(SANITIZED, "takes long, and other tests go the same ways")
    def test_rerankers_are_measured_beside_csls(self):
        outputs = {entry["name"]: entry
                   for entry in json.loads(self.sample(str(EXPERIMENTS / "beyond"), "--json").stdout)}
        self.assertEqual(sorted(outputs), ["entries", "rerank-lexicon-size", "reranking"])
        table, curve = outputs["reranking"], outputs["rerank-lexicon-size"]
        entries = {row["name"]: row["cells"][0]["measured"] for row in outputs["entries"]["rows"]}
        self.assertEqual(entries["P@1"], table["rows"][1]["cells"][0]["measured"])
        self.assertGreaterEqual(entries["P@1, another form counts"], entries["P@1"])
        self.assertGreater(entries["F1"], 0)
        for entry in (table, curve):
            csls, reranked = ([cell["measured"] for cell in row["cells"]] for row in entry["rows"])
            for before, after in zip(csls, reranked):
                self.assertGreater(after, before)

    def test_experiments_name_methods_that_there_are(self):
        wrong = self.fail(2, "align", "a", "b", "-o", "c", "--method", "telepathy")
        methods = set(re.findall(r"[a-z-]+", wrong[wrong.index("none of"):]))
        for name in ALL:
            for method in re.findall(r"--method ([a-z-]+)", (EXPERIMENTS / f"{name}.json").read_text(encoding="utf-8")):
                self.assertIn(method, methods, name)

    def test_report(self):
        names = [str(EXPERIMENTS / name) for name in ("extended-normalization.json", "lexicon-size.json")]
        self.sample(*names, "--report", "report.html")
        page = Markup(self.read("report.html").decode())
        self.assertEqual(page.open, [])
        self.assertEqual(page.outside, [])
        self.assertGreaterEqual(page.seen.count("svg"), 4)  # the figure, losses, hubness
        self.assertEqual(page.seen.count("h2"), len(names) + 2)
        self.sample(*names, "--report", "again.html")
        self.assertEqual(self.read("again.html"), self.read("report.html"))

    def small(self, **changes):
        """An experiment over the files of this folder."""
        experiment = {
            "name": "small", "title": "A small table", "measure": "translation",
            "settings": {"source_vectors": "en.vec", "target_vectors": "{target}.vec", "train": "train.txt",
                         "test": "test.txt", "align": "--method procrustes"},
            "columns": [{"name": "es", "target": "es"}, {"name": "xx", "target": "xx"}],
            "rows": [{"name": "NN", "criterion": "nn", "paper": [12.5, 3]}, {"name": "CSLS", "paper": [50, None]}],
        }
        experiment.update(changes)
        self.write("small.json", json.dumps(experiment))
        return ["small.json", "--data", "."]

    def test_what_is_missing_is_said_and_the_rest_is_measured(self):
        self.write("sources.json", json.dumps([{"files": "xx.*", "from": "the shelf"}]))
        result = self.reproduce(*self.small())
        self.assertRegex(result.stdout, r"A small table\n.*es +xx\n")
        self.assertRegex(result.stdout, r"NN +100\.0 \(12\.5\) +- \(3\.0\)\n")
        self.assertIn("2 of 4 measurements\n  missing: xx.vec (the shelf)\n", result.stdout)

    def test_where_nothing_can_be_measured_it_fails(self):
        result = self.run_program("reproduce", *self.small(columns=[{"name": "xx", "target": "xx"}],
                                                              rows=[{"name": "NN"}]))
        self.assertEqual(result.returncode, 1)
        self.assertIn("missing: xx.vec", result.stdout)
        self.assertEqual(result.stderr.splitlines()[-1],
                         "wordbridge: nothing could be measured; what is missing stands above")

    def refused(self, **changes):
        """The error for an experiment with these changes; nothing is measured, and nothing kept."""
        changes = {"columns": [{"name": "es", "target": "es"}], "rows": [{"name": "NN", "criterion": "nn"}]} | changes
        error = self.fail(1, "reproduce", *self.small(**changes), "--report", "report.html", "--cache", "none")
        self.assertTrue(error.startswith("small.json: "), error)
        return error

    def test_experiments_write_nothing_but_their_results(self):
        self.write("precious.txt", "mine")
        for option in ("--log precious.txt", "--log=precious.txt", "--checkpoint precious", "-o precious.txt",
                       "-oprecious.txt", "--output precious.txt"):
            rows = [{"name": "bad", "align": f"--method rcsls {option}"}, {"name": "good"}]
            self.assertIn("row 'bad', column 'es': an experiment may not set", self.refused(rows=rows))
            self.assertEqual(self.read("precious.txt"), b"mine")

    def test_experiments_read_nothing_but_data_files(self):
        self.write("secret.txt", "1 1\n7\n")
        (self.folder / "data").mkdir()
        for align in ("import secret.txt", "import " + self.path("secret.txt"), "import @W.txt --target-matrix secret.txt",
                      "--method rcsls --init secret.txt", "--method rcsls --init=secret.txt"):
            self.assertIn("must be the name of a data file, with an @ before it",
                          self.refused(rows=[{"name": "bad", "align": align}]))
        for align in ("import @../secret.txt", "import @" + self.path("secret.txt")):
            files = self.small(rows=[{"name": "bad", "align": align}], columns=[{"name": "es", "target": "es"}])
            for name in ("en.vec", "es.vec", "train.txt", "test.txt"):
                self.write(f"data/{name}", self.read(name))
            result = self.run_program("reproduce", files[0], "--data", "data", "-q")
            self.assertEqual(result.returncode, 1)
            self.assertIn("missing: ", result.stdout)

    def test_everything_is_checked_before_anything_is_measured(self):
        row = {"name": "r"}
        many = [{"name": f"r{i}"} for i in range(1001)]
        wrong = {
            "more than 100000 cells": {"rows": many, "columns": [{"name": f"c{i}"} for i in range(100)]},
            "more than 100000 measurements": {"rows": many, "over": [{"target": "es"}] * 101},
            "more than 100000 measurements (in one cell)": {"over": [{"target": "es"}] * 150_000},
            "a name of a row or a column of more than 200 bytes": {"rows": [{"name": "x" * 201}]},
            "a name of a row or a column with a control character": {"rows": [{"name": "x\u001b]0;owned\u0007"}]},
            "a title with a control character": {"title": "x\u009b2J"},
            "a note of more than 10000 bytes": {"note": "x" * 10001},
            "a setting of more than 1000 bytes": {"rows": [row | {"source": "x" * 1001}]},
            "over the columns, but the name 'es' is no number": {"figure": {"x": "a", "y": "b"}},
            "but the name '-1' is no number above 0": {"figure": {"x": "a", "y": "b", "logarithmic": True},
                                                       "columns": [{"name": "-1", "target": "es"}]},
            "'neighbors' must be a number from 1 to 1048576, not 2000000000": {"rows": [row | {"neighbors": 2000000000}]},
            "the setting 'neighbors' must be a whole number, not '-1'": {"rows": [row | {"neighbors": -1}]},
            "'train_wrong' must be a number from 0 to 100": {"rows": [row | {"train_wrong": 101}]},
            "criterion 'luck'": {"rows": [row | {"criterion": "luck"}]},
            "'no_identical' must be true or false, not 'maybe'": {"rows": [row | {"no_identical": "maybe"}]},
            "'{nobody}.txt' names the setting 'nobody', which is missing": {"rows": [row | {"test": "{nobody}.txt"}]},
            "row 'new', column 'es': --method: 'telepathy' is none of": {
                "rows": [row, {"name": "new", "align": "--method telepathy"}]},
            "--learning-rate": {"rows": [row, {"name": "new", "align": "--method rcsls --learning-rate -1"}]},
            "unknown option '--learning-rat'": {"rows": [row | {"align": "--learning-rat 1"}]},
        }
        for decimals in (-3, 2000000000, 11, 1.5, "1", None):
            wrong[f"decimals must be a whole number from 0 to 10 ({decimals})"] = {"decimals": decimals}
        for reason, changes in wrong.items():
            with self.subTest(reason=reason):
                self.assertIn(reason.split(" (")[0], self.refused(**changes))
        for decimals in (0, 10):
            self.reproduce(*self.small(decimals=decimals))

    def test_the_report_is_written_where_nobody_reads_the_results(self):
        with open("/dev/full", "wb") as full:
            for options in ([], ["--json"]):
                result = self.run_program("reproduce", *self.small(), "--report", "report.html", "-q", *options,
                                          stdout=full)
                self.assertEqual(result.returncode, 1)
                self.assertIn("standard output", result.stderr)
                self.assertIn("A small table", self.read("report.html").decode())
                (self.folder / "report.html").unlink()


    def test_results_depend_on_inputs_and_options(self):
        call = self.small(columns=[{"name": "es", "target": "es"}], rows=[{"name": "CSLS"}])
        first = self.reproduce(*call)
        self.assertIn("written (", first.stderr)
        self.assertNotIn("written (", self.reproduce(*call).stderr)
        self.assertIn("written (", self.reproduce(*call, "--fresh").stderr)
        self.assertIn("written (", self.reproduce(*call, "--seed", "5").stderr)
        self.write("train.txt", "".join(f"e{i} s{i}\n" for i in range(80)))
        self.assertIn("written (", self.reproduce(*call).stderr)

    def test_parts_of_lexicons(self):
        rows = [{"name": "all"}, {"name": "some", "train_words": 40}, {"name": "without", "train_without": "test.txt"},
                {"name": "turned", "reversed": True}]
        self.write("train.txt", "".join(f"e{i} s{i}\n" for i in range(150)))
        result = self.reproduce(*self.small(rows=rows[:3], columns=[{"name": "es", "target": "es"}]))
        self.assertIn("150 of 150 source words", result.stderr)
        self.assertIn("40 of 40 source words", result.stderr)
        self.assertIn("90 of 90 source words", result.stderr)
        turned = self.reproduce(*self.small(rows=rows[3:], columns=[
            {"name": "back", "source_vectors": "es.vec", "target_vectors": "en.vec"}]))
        self.assertRegex(turned.stdout, r"\nturned +100\.0\n")

    def test_vectors_that_are_aligned_already_and_matrices(self):
        self.align("m.wbmap", "--method", "procrustes")
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "multi.en.vec")
        self.succeed("apply", "m.wbmap", "es.vec", "-o", "multi.es.vec", "--side", "target")
        self.succeed("export", "m.wbmap", "-o", "matrix.txt")
        rows = [{"name": "published", "align": "none", "source_vectors": "multi.en.vec",
                 "target_vectors": "multi.es.vec"},
                {"name": "matrix", "align": "import @matrix.txt"}]
        result = self.reproduce(*self.small(rows=rows, columns=[{"name": "es", "target": "es"}]))
        self.assertRegex(result.stdout, r"\npublished +100\.0\n")
        self.assertRegex(result.stdout, r"\nmatrix +100\.0\n")

    def test_forms_of_the_table(self):
        call = self.small()
        self.assertTrue(self.reproduce(*call, "--markdown").stdout.startswith("## A small table\n\n| measured (paper) |"))
        self.assertIn("\nsmall,NN,es,100,12.5,60 of 60 source words\n", self.reproduce(*call, "--csv").stdout)
        self.assertIn("100.0 (12.5) & - (3.0)", self.reproduce(*call, "--latex").stdout)

    def test_wrong_usage(self):
        self.assertIn("small.json", self.fail(1, "reproduce", "small.json", "--data", "."))
        call = self.small(measure="beauty")
        self.assertIn("measure must be", self.fail(1, "reproduce", *call))
        self.assertIn("nowhere", self.fail(1, "reproduce", *self.small()[:1], "--data", "nowhere"))
        self.assertIn("--data is required", self.fail(2, "reproduce", "small.json"))


if __name__ == "__main__":
    unittest.main()
