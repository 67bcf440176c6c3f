"""wordbridge hub, and the commands that take a hub"""

import json
import os
import random
import signal
import unittest

from program import TRAIN, WORDS, CommandLineTest, random_rotation, vec_text

LIST = """pivot = "en"

[languages.en]
vectors = "en.vec"
[languages.es]
vectors = "es.vec"
[languages.de]
vectors = "de.vec"

[lexicons.es-en]
train = "es-en.train.txt"
test = "es-en.test.txt"
[lexicons.en-de]
train = "en-de.train.txt"
test = "en-de.test.txt"
"""
RESULTS = ["manifest.json", "report.html", "languages/de.wbmap", "languages/es.wbmap"]


class HubTest(CommandLineTest):
    """The two languages of the others, and a third: word dI of de.vec translates word eI of en.vec."""

    def setUp(self):
        super().setUp()
        rng = random.Random(2)
        rotation = random_rotation(rng)
        rows = [[sum(w * x for w, x in zip(row, words)) + rng.gauss(0, 0.02) for row in rotation]
                for words in self.source_rows]
        self.write("de.vec", vec_text([f"d{i}" for i in range(WORDS)], rows))
        for name, one, other in (("es-en", "s", "e"), ("en-de", "e", "d")):
            self.write(f"{name}.train.txt", "".join(f"{one}{i} {other}{i}\n" for i in range(TRAIN)))
            self.write(f"{name}.test.txt", "".join(f"{one}{i} {other}{i}\n" for i in range(TRAIN, WORDS)))
        self.write("list.toml", LIST)

    def results(self, folder="space", names=RESULTS):
        return {name: self.read(f"{folder}/{name}") for name in names}

    def test_names_that_cannot_be(self):
        """A NUL does not cut the error."""
        self.write("list.toml", LIST + '["languages"."d\\u0000x"]\nvectors = "de.vec"\n')
        self.assertEqual(self.fail(1, "hub", "list.toml", "-o", "space"), "list.toml:16: 'd\\x00x' cannot be the name of a "
                                                                         "language: it becomes that of a file")
        self.write("list.toml", LIST.replace('pivot = "en"', 'pivot = "e\\u0000n"'))
        self.assertEqual(self.fail(1, "hub", "list.toml", "-o", "space"), "list.toml:1: 'pivot' holds a character U+0000")

    def test_many_languages(self):
        """A list is read in a time that grows with its length."""
        names = [f"l{i}" for i in range(20_000)]
        self.write("list.toml", 'pivot = "l0"\n' + "".join(f'[languages.{name}]\nvectors = "{name}.vec"\n' for name in names)
                   + "".join(f'[lexicons.{name}-l0]\ntrain = "x.txt"\n' for name in names[1:]))
        result = self.run_program("hub", "list.toml", "-o", "space", "--language", "l0", "-q")
        self.assertIn("l0.vec: ", result.stderr)

    def test_one_command(self):
        result = self.succeed("hub", "list.toml", "-o", "space")
        lines = result.stdout.splitlines()
        self.assertEqual([line.split()[0] for line in lines[2:5]], ["de", "en", "es"])
        self.assertRegex(lines[2], r"de +150 +procrustes +100\.0 +100\.0 +100\.0")
        self.assertIn("The mean over all directions is 100.0", result.stdout)
        self.assertIn("es: aligned by procrustes", result.stderr)
        manifest = json.loads(self.read("space/manifest.json"))
        self.assertEqual(sorted(manifest["languages"]), ["de", "en", "es"])
        self.assertEqual(manifest["scores"]["star"]["es"]["de"]["origin"], "joined")
        self.assertEqual(manifest["failed"], {})
        page = self.read("space/report.html").decode()
        self.assertIn("es to de: 100.0", page)
        self.assertEqual(json.loads(self.succeed("hub", "list.toml", "-o", "space", "--json").stdout), manifest)

    def test_the_mapping_of_a_language_is_that_of_align(self):
        self.succeed("hub", "list.toml", "-o", "space")
        self.succeed("align", "es.vec", "en.vec", "--lexicon", "es-en.train.txt", "--method", "procrustes", "-o",
                     "m.wbmap")
        for name in ("m.wbmap", "space/languages/es.wbmap"):
            self.succeed("export", name, "-o", "matrix.txt")
            matrices = [self.read("matrix.txt")] if name == "m.wbmap" else matrices + [self.read("matrix.txt")]
        self.assertEqual(*matrices)

    def test_by_the_names_of_files(self):
        self.succeed("hub", "list.toml", "-o", "space")
        self.succeed("hub", "--pivot", "en.vec", "--vectors", ".", "--lexicons", ".", "-o", "other")
        scores = [json.loads(self.read(f"{folder}/manifest.json"))["scores"] for folder in ("space", "other")]
        self.assertEqual(*scores)

    def test_the_same_bytes_for_any_number_of_threads_and_little_memory(self):
        self.succeed("hub", "list.toml", "-o", "space", "--threads", "1")
        self.succeed("hub", "list.toml", "-o", "other", "--threads", "4", "--memory", "1M")
        self.assertEqual(self.results(), self.results("other"))

    def test_killed_and_repeated(self):
        self.succeed("hub", "list.toml", "-o", "whole", "--joint")
        names = RESULTS + ["joint/de.wbmap", "joint/es.wbmap"]
        for delay in (0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08):
            with self.start("hub", "list.toml", "-o", "space", "--joint") as process:
                try:
                    process.wait(timeout=delay)
                except Exception:  # it still runs
                    pass
                process.send_signal(signal.SIGKILL)
                process.communicate()
        self.succeed("hub", "list.toml", "-o", "space", "--joint")
        self.assertEqual(self.results(names=names), self.results("whole", names))

    def test_joint_maps_are_compared_with_the_star(self):
        result = self.succeed("hub", "list.toml", "-o", "space", "--joint")
        self.assertRegex(result.stdout, r"Held-out words of 6 directions recommend the \w+ maps")
        manifest = json.loads(self.read("space/manifest.json"))
        self.assertEqual(manifest["comparison"]["directions"], 6)
        self.assertIn("Star or joint", self.read("space/report.html").decode())

    def test_a_language_that_fails_stops_no_other(self):
        self.write("fr.vec", "3 8\nf0 1 2 3\n")
        self.write("fr-en.train.txt", "f0 e0\n")
        self.write("xx.vec", self.read("es.vec"))
        result = self.run_program("hub", "--pivot", "en", "--vectors", ".", "--lexicons", ".", "-o", "space")
        self.assertEqual(result.returncode, 1)
        self.assertIn("warning: fr: ./fr.vec:1: ", result.stderr)
        self.assertIn("warning: xx: there is no train lexicon", result.stderr)
        self.assertIn("fr failed: ./fr.vec:1", result.stdout)
        self.assertEqual(self.succeed("translate", "--hub", "space", "es", "de", "s7", "-n1").stdout.split()[2], "d7")
        self.assertIn("could not be aligned", self.fail(2, "translate", "--hub", "space", "fr", "de", "f0"))

    def test_commands_take_a_hub(self):
        self.succeed("hub", "list.toml", "-o", "space")
        for source, target in (("es", "de"), ("de", "es"), ("es", "en"), ("en", "es")):
            words = [f"{dict(es='s', de='d', en='e')[source]}{i}" for i in (3, 120)]
            result = self.succeed("translate", "--hub", "space", source, target, *words, "-n1")
            self.assertEqual([line.split("\t")[2][1:] for line in result.stdout.splitlines()], ["3", "120"])
        self.write("es-de.txt", "".join(f"s{i} d{i}\n" for i in range(WORDS)))
        result = self.succeed("evaluate", "translation", "--hub", "space", "es", "de", "--lexicon", "es-de.txt")
        self.assertIn("100.0", result.stdout)
        self.succeed("evaluate", "all", "--hub", "space", "es", "de", "--lexicon", "es-de.txt")
        self.succeed("induce", "--hub", "space", "es", "de", "-o", "induced.tsv")
        self.assertIn(b"s9\td9\t", self.read("induced.tsv"))
        for language in ("es", "de", "en"):
            self.succeed("apply", "--hub", "space", language, "-o", f"{language}.wbvec")
        result = self.succeed("translate", "es.wbvec", "de.wbvec", "s9", "-n1")
        self.assertEqual(result.stdout.split("\t")[2], "d9")
        self.succeed("apply", "--hub", "space", "es", "es.vec", "-o", "again.wbvec")
        self.assertEqual(self.read("again.wbvec"), self.read("es.wbvec"))

    def test_languages_apart_and_joined(self):
        self.succeed("hub", "list.toml", "-o", "whole", "--joint")
        for language in ("en", "de", "es"):
            result = self.succeed("hub", "list.toml", "-o", "space", "--joint", "--language", language)
            self.assertEqual(result.stdout, "")
            self.assertIn("1 of 1 language finished in space", result.stderr)
            self.assertFalse((self.folder / "space/manifest.json").exists())
        result = self.succeed("hub", "list.toml", "-o", "space", "--joint", "--join")
        self.assertIn("2 languages finished before", result.stderr)
        names = RESULTS + ["joint/de.wbmap", "vectors/en.wbvec"]
        self.assertEqual(self.results(names=names), self.results("whole", names))
        self.assertIn("no language 'nn'", self.fail(2, "hub", "list.toml", "-o", "other", "--language", "es", "nn"))

    def test_the_scripts_for_slurm(self):
        """With an sbatch that runs jobs at once; tests/slurm has a real one."""
        self.succeed("--seed", "3", "hub", "list.toml", "-o", "whole", "--max-words", "140")
        os.makedirs(self.path("bin"))
        self.write("bin/sbatch", r"""#!/bin/sh
echo "$*" >>../../calls
[ ! -f ../../refuse ] || { echo "sbatch: error: no" >&2; exit 1; }
for script; do :; done
export SLURM_CPUS_ON_NODE=2 SLURM_MEM_PER_NODE=500
case "$*" in
*--array=*) numbers=$(seq $(echo "$*" | sed 's/.*--array=\([0-9-]*\).*/\1/; s/-/ /' | sed 's/^0$/0 0/')) ;;
*) numbers=none ;;
esac
for number in $numbers; do SLURM_ARRAY_TASK_ID=$number sh "$script" >>jobs.log 2>&1; done
echo "$(wc -l <../../calls);cluster"
""")
        os.chmod(self.path("bin/sbatch"), 0o755)
        environment = {**os.environ, "PATH": f"{self.path('bin')}:{os.environ['PATH']}"}
        arguments = ("hub", "list.toml", "-o", "space", "--max-words", "140", "--seed", "3", "--slurm", "--sbatch",
                     "mem=1G", "comment=two words", "--sbatch-join", "time=9")
        result = self.succeed(*arguments, env=environment)
        self.assertEqual(result.stdout, "pivot 1\nlanguages 2\njoin 3\n")
        self.assertIn("2 languages to align", result.stderr)
        calls = self.read("calls").decode().splitlines()
        self.assertIn("--dependency=afterok:1 --array=1-2 languages.sh", calls[1])
        self.assertIn("--dependency=afterany:2 join.sh", calls[2])
        script = self.read("space/slurm/join.sh").decode()
        self.assertIn('#SBATCH --comment="two words"\n#SBATCH --time=9\n', script)
        self.assertIn("hub list.toml --output space --max-words 140 --seed 3 --join", script)
        self.assertEqual(self.results(), self.results("whole"), self.read("space/slurm/jobs.log"))
        # What is finished is not submitted again.
        self.assertEqual(self.succeed(*arguments, env=environment).stdout, "join 4\n")
        self.write("refuse", "")
        result = self.run_program(*arguments, env=environment)
        self.assertEqual(result.returncode, 1)
        self.assertIn("wordbridge: sbatch refused space/slurm/submit.sh", result.stderr)
        for name in ("languages.sh", "join.sh", "submit.sh"):
            self.assertEqual(os.system(f"sh -n {self.path('space/slurm/' + name)}"), 0)

    def test_wrong_uses_of_slurm(self):
        hub = ("hub", "list.toml", "-o", "space")
        self.assertIn("sbatch is not in the path", self.fail(1, *hub, "--slurm", env={"PATH": self.path("")}))
        for arguments, expected in ((["--sbatch", "time=9"], "go with --slurm"),
                                    (["--no-submit"], "go with --slurm"),
                                    (["--slurm", "--no-submit", "--sbatch", "array=1-9"], "sets --array itself"),
                                    (["--slurm", "--no-submit", "--sbatch-join", "=long"], "NAME=VALUE"),
                                    (["--slurm", "--join"], "exclude each other"),
                                    (["--language", "es", "--join"], "exclude each other")):
            self.assertIn(expected, self.fail(2, *hub, *arguments))

    def test_options_of_the_method(self):
        self.succeed("hub", "list.toml", "-o", "space", "--method", "rcsls", "--option", "epochs=2", "learning-rate=1")
        text = self.read("space/manifest.json").decode()
        self.assertIn('"method": "rcsls"', text)
        self.assertIn("learning-rate belongs to method rcsls", self.fail(2, "hub", "list.toml", "-o", "other", "--option",
                                                              "learning-rate=1"))

    def test_wrong_uses(self):
        for arguments, expected in (
                (["list.toml"], "--output is required"),
                (["-o", "space"], "languages are wanted"),
                (["list.toml", "--pivot", "en.vec", "-o", "space"], "given twice"),
                (["--pivot", "en.vec", "-o", "space"], "go together"),
                (["list.toml", "-o", "space", "--memory", "much"], "a size such as 8G"),
                (["list.toml", "-o", "space", "--memory", "8X"], "a size such as 8G"),
                (["list.toml", "-o", "space", "--option", "epochs"], "NAME=VALUE"),
                (["list.toml", "-o", "space", "--method", "magic"], "magic"),
                (["--pivot", "en.vec", "--vectors", "missing", "--lexicons", ".", "-o", "space"], "missing")):
            code = 1 if "missing" in arguments else 2
            self.assertIn(expected, self.fail(code, "hub", *arguments))
        self.write("bad.toml", LIST + "\n[lexicon.x]\n")
        self.assertIn("bad.toml:17: 'lexicon' is not known here", self.fail(1, "hub", "bad.toml", "-o", "space"))
        self.assertIn("cannot open", self.fail(1, "hub", "missing.toml", "-o", "space"))
        self.assertIn("manifest.json: cannot open", self.fail(1, "translate", "--hub", "missing", "es", "de", "s1"))
        self.succeed("hub", "list.toml", "-o", "space")
        self.assertIn("has no language 'ed'", self.fail(2, "translate", "--hub", "space", "es", "ed", "s1"))
        self.assertIn("two languages are wanted", self.fail(2, "induce", "--hub", "space", "es", "de", "en"))
        self.assertIn("--side", self.fail(2, "apply", "--hub", "space", "es", "--side", "target", "-o", "x.vec"))
        os.chmod(self.folder / "space/languages", 0o755)


class RerankedHubTest(CommandLineTest):
    """Noisy vectors of three languages whose words are written alike: bana, banas, bano."""

    def setUp(self):
        super().setUp()
        rng = random.Random(4)
        stems = []
        while len(stems) < WORDS:
            stem = "".join(rng.choice("pbtdkgmnlr") + rng.choice("aeiou") for _ in range(rng.choice((3, 4))))
            if stem not in stems:
                stems.append(stem)
        self.words = {language: [stem + ending for stem in stems] for language, ending in
                      (("en", ""), ("es", "s"), ("de", "zt"))}
        for language, words in self.words.items():
            rows = self.source_rows
            if language != "en":
                rotation = random_rotation(rng)
                rows = [[sum(a * b for a, b in zip(turned, row)) + rng.gauss(0, 0.8) for turned in rotation]
                        for row in self.source_rows]
            self.write(f"{language}.vec", vec_text(words, rows))
        for one, other in (("es", "en"), ("de", "en")):
            pairs = [f"{a} {b}\n" for a, b in zip(self.words[one], self.words[other])]
            self.write(f"{one}-{other}.train.txt", "".join(pairs[:90]))
            self.write(f"{one}-{other}.test.txt", "".join(pairs[90:]))
        self.make = ["hub", "--pivot", "en.vec", "--vectors", ".", "--lexicons", ".", "-o", "space"]

    def manifest(self):
        return json.loads(self.read("space/manifest.json"))

    def test_every_pair_is_ranked_anew(self):
        result = self.succeed(*self.make)
        self.assertIn("to en, re-ranked", result.stdout)
        scores = self.manifest()["scores"]["star"]
        pairs = [(one, other) for one in scores for other in scores[one]]
        self.assertEqual(len(pairs), 6)
        for one, other in pairs:
            record = scores[one][other]
            self.assertIn(record["reranker"], ("own", "transferred"))
            self.assertEqual(record["mapping"], f"pairs/{one}+{other}.wbmap")
        means = [sum(scores[one][other][what][0] for one, other in pairs) / 6 for what in ("precision", "reranked")]
        self.assertGreater(means[1], means[0] + 5)
        lines = [line.split("\t") for line in self.succeed("translate", "--hub", "space", "es", "de",
                                                           self.words["es"][120], "-n3").stdout.splitlines()]
        self.assertTrue(0 <= float(lines[0][3]) <= 1 and sum(float(line[3]) for line in lines) <= 1.001)
        known = [line.split("\t") for line in self.succeed("translate", "--hub", "space", "en", "de",
                                                           self.words["en"][7], "-n1").stdout.splitlines()]
        self.assertEqual(known[0][2::2], [self.words["de"][7], "known"])
        evaluated = json.loads(self.succeed("evaluate", "translation", "--hub", "space", "es", "en", "--lexicon",
                                            "es-en.test.txt", "--json").stdout)
        self.assertAlmostEqual(evaluated["precision"]["covered"]["1"], scores["es"]["en"]["reranked"][0], places=4)
        self.assertIn("re-ranked", self.read("space/report.html").decode())

    def test_it_is_not_done_twice_and_damage_is_mended(self):
        self.succeed(*self.make)
        before = {name: self.read(f"space/{name}") for name in ("manifest.json", "pairs/es+de.wbmap", "pairs/de+es.wbmap")}
        self.write("space/pairs/es+de.wbmap", before["pairs/es+de.wbmap"][:100])
        self.write("space/manifest.json", b"")
        self.succeed(*self.make, "--threads", "3")
        for name, content in before.items():
            self.assertEqual(self.read(f"space/{name}"), content, name)

    def test_csls_alone(self):
        result = self.succeed(*self.make, "--no-rerank")
        self.assertNotIn("re-ranked", result.stdout)
        self.assertNotIn("reranked", self.manifest()["scores"]["star"]["es"]["de"])
        self.assertEqual(os.listdir(self.path("space/pairs")), [])


if __name__ == "__main__":
    unittest.main()
