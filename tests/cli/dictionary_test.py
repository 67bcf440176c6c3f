"""wordbridge induce --entries: dictionaries, each opened by a program that has nothing to do with wordbridge"""

import csv
import io
import json
import os
import pathlib
import random
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from program import ROOT, WORDS, CommandLineTest, vec_text

#: Words that mean something to one format or another, and their translations.
ODD = [("<b>", "&amp;"), ("new_york", "nueva_york"), ("\"q\"", "a,b"), ("^$/", "{}[]"), ("ñandú", "Äpfel"), ("#", "=1+1")]


def foreign(*command, input=None, **options):
    """What another program says; it must succeed."""
    result = subprocess.run(command, input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if result.returncode != 0:
        raise AssertionError(f"{command}: {result.returncode}\n{result.stderr.decode(errors='replace')}")
    return result.stdout.decode("utf-8")


class DictionaryTest(CommandLineTest):
    """Noisy vectors, words of which two thirds are cognates, and pairs of odd words that are known."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rng = random.Random(5)
        cls.words, taken = list(ODD), set()
        while len(cls.words) < WORDS:
            word = "".join(rng.choice("pbtdkgmnlr") + rng.choice("aeiou") for _ in range(rng.choice((3, 4))))
            other = word + "s" if rng.random() < 0.7 else "".join(rng.choice("vwxzjq") + rng.choice("aeiou")
                                                                for _ in range(3))
            if word not in taken and other not in taken:
                taken.update((word, other))
                cls.words.append((word, other))

    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        noisy = [[value + rng.gauss(0, 0.7) for value in row] for row in self.target_rows]
        self.write("en.vec", vec_text([word for word, _ in self.words], self.source_rows))
        self.write("es.vec", vec_text([word for _, word in self.words], noisy))
        self.write("train.txt", "".join(f"{a}\t{b}\n" for a, b in self.words[:90]) + f"{self.words[20][0]}\tsecond one\n")
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "procrustes", "--rerank",
                     "-o", "m.wbmap")
        self.files = ["m.wbmap", "en.vec", "es.vec"]
        self.head, self.translation = self.words[20]

    def induce(self, output, *options):
        return self.succeed("induce", *self.files, "--entries", "-o", output, *options).stderr

    def need(self, *programs):
        """Every one of them is in packages.txt."""
        for program in programs:
            self.assertTrue(shutil.which(program) or os.path.exists(f"/usr/sbin/{program}"), f"{program} is not installed")

    def test_tables(self):
        told = self.induce("en-es.tsv")
        lines = [line.split("\t") for line in self.read("en-es.tsv").decode().splitlines()]
        self.assertEqual(lines[0], ["# source", "target", "p_translation", "p_first", "rank", "source_frequency",
                                    "target_frequency", "known", "forms"])
        known = [line for line in lines if line[0] == self.head]
        self.assertEqual([line[1] for line in known[:2]], [self.translation, "second one"])
        self.assertEqual([line[4:8] for line in known[:2]], [["1", "21", "21", "known"], ["2", "21", "", "known"]])
        guessed = [line for line in lines[1:] if line[7] == "guessed"]
        self.assertTrue(guessed and all(0 <= float(line[2]) <= 1 and 0 <= float(line[3]) <= 1 for line in guessed))
        self.assertRegex(told, r"en-es\.tsv: [0-9]+ entries with [0-9]+ translations, tsv")
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "en-es.tsv", "-o", "n.wbmap", "--method", "procrustes")
        self.induce("en-es.csv")
        table = list(csv.DictReader(io.StringIO(self.read("en-es.csv").decode())))
        self.assertEqual([(row["source"], row["target"]) for row in table if row["source"] == '"q"'][0], ('"q"', "a,b"))
        self.induce("en-es.jsonl")
        entries = [json.loads(line) for line in self.read("en-es.jsonl").decode().splitlines()]
        self.assertEqual(entries[0]["lang_code"], "en")
        self.assertEqual(entries[0]["translations"][0]["lang"], "Spanish")
        self.assertEqual(len({entry["word"] for entry in entries}), len(entries))

    def test_stardict(self):
        self.need("sdcv")
        self.induce("en-es.ifo")
        self.assertEqual([name for name in self.names() if name.startswith("en-es")],
                         ["en-es.dict", "en-es.idx", "en-es.ifo"])
        environment = {**os.environ, "HOME": self.path("."), "LC_ALL": "C.UTF-8"}
        ask = ["sdcv", "-n", "-j", "-e", "-x", "-2", self.path("."), "-0", "-1"]
        for word, other in [(self.head, self.translation), ("<b>", "&amp;"), ("new york", "nueva york"), ("ñandú", "Äpfel"),
                            ("#", "=1+1")]:
            answer = json.loads(foreign(*ask, word, env=environment, cwd=self.path(".")))
            self.assertEqual(len(answer), 1, word)
            self.assertIn(other, answer[0]["definition"])
        listed = foreign("sdcv", "-l", "-x", "-2", self.path("."), env=environment, cwd=self.path("."))
        entries = sum(1 for line in self.read_entries())
        self.assertRegex(listed, rf"en-es\s+{entries}")
        for entry in self.read_entries():  # every headword is found by the index
            word = entry["word"].replace("_", " ")
            self.assertTrue(json.loads(foreign(*ask, "--", word, env=environment, cwd=self.path("."))), word)

    def read_entries(self):
        self.induce("all.jsonl")
        return [json.loads(line) for line in self.read("all.jsonl").decode().splitlines()]

    def test_dictd(self):
        self.need("dictd", "dictunformat", "dictfmt")
        self.induce("en-es.index")
        self.write("dictd.conf", f'access {{ allow * }}\ndatabase en-es {{ data "{self.path("en-es.dict")}"\n'
                                 f'index "{self.path("en-es.index")}" }}\n')
        os.chmod(self.folder, 0o755)  # started by root, it becomes somebody else
        headwords = [entry["word"].replace("_", " ") for entry in self.read_entries()]
        self.assertIn("ñandú", headwords)
        quoted = [f"'{word}'" if '"' in word else f'"{word}"' for word in headwords]
        session = "".join(f"define en-es {word}\r\n" for word in quoted) + "show info en-es\r\nquit\r\n"
        dictd = shutil.which("dictd") or "/usr/sbin/dictd"
        answer = foreign(dictd, "-i", "--stdin2stdout", "-c", self.path("dictd.conf"), "--locale", "C.UTF-8",
                         input=session.encode())
        self.assertEqual(answer.count("\n150 "), len(headwords), "every headword is found")
        self.assertNotIn("\n552 ", answer)
        self.assertIn(f"1. {self.translation} (known)", answer)
        self.assertIn(f"{len(headwords)} headwords from en to es", answer)
        text = foreign("dictunformat", self.path("en-es.index"), input=self.read("en-es.dict"))
        again = foreign("dictfmt", "-t", "--utf8", "--allchars", "--columns", "0", "--quiet", "--headword-separator", "%%%",
                        "again", input=text.encode(), cwd=self.path("."))
        self.assertEqual(again, "")
        own = [line.split("\t")[0] for line in self.read("en-es.index").decode().splitlines()]
        theirs = [line.split("\t")[0] for line in self.read("again.index").decode().splitlines()]
        self.assertEqual([word for word in own if not word.startswith("00-")],
                         [word for word in theirs if not word.startswith("00-")], "in the order of dictfmt")

    def test_apertium(self):
        self.need("lt-comp", "lt-proc", "xmllint")
        self.induce("en-es.dix", "--both")
        foreign("xmllint", "--noout", "--dtdvalid", "/usr/share/lttoolbox/dix.dtd", self.path("en-es.dix"))
        foreign("lt-comp", "lr", self.path("en-es.dix"), self.path("lr.bin"))
        foreign("lt-comp", "rl", self.path("en-es.dix"), self.path("rl.bin"))
        answer = foreign("lt-proc", "-b", self.path("lr.bin"), input=f"^{self.head}$ ^new york$\n".encode())
        self.assertIn(f"^{self.head}/{self.translation}", answer)
        self.assertIn("second one", answer)
        self.assertIn("^new york/nueva york", answer)
        back = foreign("lt-proc", "-b", self.path("rl.bin"), input=f"^{self.translation}$\n".encode())
        self.assertIn(f"/{self.head}", back)

    def test_tmx(self):
        self.need("lt-tmxcomp", "lt-tmxproc", "xmllint")
        self.induce("en-es.tmx", "--both")
        foreign("xmllint", "--noout", self.path("en-es.tmx"))
        compiled = foreign("lt-tmxcomp", "en-es", self.path("en-es.tmx"), self.path("tmx.bin"))
        self.assertRegex(compiled, r"en->es [0-9]+ [0-9]+")
        tree = ElementTree.parse(self.path("en-es.tmx"))
        units = [[segment.text for segment in unit.iter("seg")] for unit in tree.iter("tu")]
        self.assertIn(["<b>", "&amp;"], units)
        self.assertIn([self.head, "second one"], units)
        self.assertEqual(len(units), len({tuple(unit) for unit in units}), "both directions, each pair once")

    def test_lift(self):
        self.need("xmllint")
        self.induce("en-es.lift", "--both")
        schema = str(ROOT / "tests/formats/dictionaries/lift-0.13.rng")
        for name in ("en-es.en-es.lift", "en-es.es-en.lift"):
            foreign("xmllint", "--noout", "--relaxng", schema, self.path(name))
        gloss = foreign("xmllint", "--xpath",
                        f"string(//entry[lexical-unit/form/text='{self.head}']/sense[2]/gloss[@lang='es']/text)",
                        self.path("en-es.en-es.lift"))
        self.assertEqual(gloss.strip(), "second one")

    def test_tei(self):
        self.need("xmllint")
        self.induce("en-es.tei")
        quote = foreign("xmllint", "--xpath",
                        f"string(//*[local-name()='entry'][.//*[local-name()='orth']='{self.head}']"
                        "//*[local-name()='quote'][1])", self.path("en-es.tei"))
        self.assertEqual(quote.strip(), self.translation)
        sheet = pathlib.Path("/usr/share/freedict/xsl/tei2c5.xsl")
        if sheet.exists() and shutil.which("xsltproc"):  # FreeDict's own reader
            text = foreign("xsltproc", str(sheet), self.path("en-es.tei"))
            self.assertIn(f"\n{self.head}\n", text)
            self.assertIn("second one", text)

    def test_both_directions(self):
        told = self.induce("x.tsv", "--both", "--last-rank", "60")
        self.assertIn("x.en-es.tsv, x.es-en.tsv", told)
        back = [line.split("\t") for line in self.read("x.es-en.tsv").decode().splitlines()]
        self.assertIn([self.translation, self.head, "known"], [[line[0], line[1], line[7]] for line in back])
        self.assertTrue(any(line[7] == "guessed" for line in back[1:]))
        named = self.succeed("induce", *self.files, "--entries", "--both", "--languages", "eng,spa", "-o", "y.lift").stderr
        self.assertIn("y.eng-spa.lift, y.spa-eng.lift", named)

    def test_the_same_for_any_number_of_threads(self):
        for threads in ("1", "3"):
            self.induce(f"{threads}.dix", "--both", "--threads", threads)
        self.assertEqual(self.read("1.dix"), self.read("3.dix"))

    def test_what_is_asked_for(self):
        self.induce("few.tsv", "--precision", "0.99")
        self.induce("many.tsv", "--recall", "0.99")
        few, many = (len(self.read(name).splitlines()) for name in ("few.tsv", "many.tsv"))
        self.assertLessEqual(few, many)
        self.induce("new.tsv", "--exclude", "train.txt", "--only", "new")
        self.assertFalse(any(line.split("\t")[7] == "known" for line in self.read("new.tsv").decode().splitlines()[1:]))
        self.induce("guessed.tsv", "--ignore-known")
        self.assertNotIn(b"\tknown\t", self.read("guessed.tsv").split(b"\n", 1)[1])
        self.assertNotIn(b"second one", self.read("guessed.tsv"))

    def test_wrong_use(self):
        entries = ["induce", *self.files, "--entries"]
        self.assertIn("stardict is several files", self.fail(2, *entries, "--format", "stardict"))
        self.assertIn("ends in .ifo", self.fail(2, *entries, "--format", "stardict", "-o", "x.txt"))
        self.assertIn("go with --entries", self.fail(2, "induce", *self.files, "--format", "tmx"))
        self.assertIn("go with --entries", self.fail(2, "induce", *self.files, "--both"))
        self.assertIn("--count", self.fail(2, *entries, "--count", "3"))
        self.assertIn("two tags", self.fail(2, *entries, "--languages", "en"))
        self.assertIn("excludes", self.fail(2, *entries, "--precision", "0.5", "--recall", "0.5"))
        self.assertIn("probabilities", self.fail(2, *entries, "--criterion", "csls"))
        self.assertIn("is also an input", self.fail(2, *entries, "-o", "train.txt", "--exclude", "train.txt"))
        self.fail(1, *entries, "-o", "nowhere/x.ifo")


if __name__ == "__main__":
    unittest.main()
