"""What is known comes first: the lexicon that a mapping carries, translate --known and --ignore-known"""

import csv
import io
import json
import unittest

from program import CommandLineTest


class KnownTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.write("lexicon.txt", self.read("train.txt").decode() + "e5\ts7\ne5\tnot here\nnew york\tnueva york\ne6\ts6\n")
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "lexicon.txt", "-o", "m.wbmap", "--method", "procrustes")
        self.files = ["m.wbmap", "en.vec", "es.vec"]

    def translate(self, *arguments):
        """[[word, rank, translation, score, known]]"""
        result = self.succeed("translate", *self.files, *arguments)
        return [line.split("\t") for line in result.stdout.splitlines()]

    def test_the_lexicon_of_the_mapping_comes_first(self):
        lines = self.translate("e5", "-n4")
        self.assertEqual([line[2] for line in lines[:3]], ["s5", "s7", "not here"])
        self.assertEqual([line[4] for line in lines], ["known", "known", "known", "guessed"])
        self.assertEqual([line[1] for line in lines], ["1", "2", "3", "4"])
        self.assertEqual(lines[2][3], "", "the vectors do not have it")
        self.assertTrue(float(lines[0][3]) > float(lines[3][3]))
        self.assertEqual([line[2:] for line in self.translate("new york")], [["nueva york", "", "known"]])
        self.assertEqual([line[4] for line in self.translate("e100", "-n2")], ["guessed", "guessed"])

    def test_json_csv_and_people(self):
        answers = json.loads(self.succeed("translate", *self.files, "e5", "new york", "--json", "-n3").stdout)
        self.assertEqual([one["known"] for one in answers[0]["translations"]], [True, True, True])
        self.assertIsNone(answers[0]["translations"][2]["score"])
        self.assertEqual(answers[1]["origin"], "known")
        table = list(csv.reader(io.StringIO(self.succeed("translate", *self.files, "e5", "--csv", "-n4").stdout)))
        self.assertEqual(table[0], ["word", "rank", "translation", "score", "known"])
        self.assertEqual(table[3][2:], ["not here", "", "known"])
        written = self.succeed("translate", *self.files, "e5", "e100", "-o", "out.tsv").stderr
        self.assertIn("2 of 2 words translated, 1 by pairs that are known", written)

    def test_more_pairs_and_none(self):
        self.write("more.txt", "e100\ts3\ne5\textra\n")
        self.assertEqual([line[2] for line in self.translate("e100", "--known", "more.txt", "-n2")], ["s3", "s100"])
        self.assertEqual([line[2] for line in self.translate("e5", "-n4", "--known", "more.txt")],
                         ["s5", "s7", "not here", "extra"])
        guessed = self.translate("e5", "-n3", "--ignore-known")
        self.assertEqual({line[4] for line in guessed}, {"guessed"})
        self.assertEqual(guessed[0][2], "s5")
        self.assertEqual(self.run_program("translate", *self.files, "new york", "--ignore-known").returncode, 1)
        self.assertIn("no pair", self.fail(1, "translate", *self.files, "e1", "--known", self.write("empty.txt", "\n")))
        self.assertIn("--ignore-known",
                      self.fail(2, "translate", *self.files, "e1", "--known", "more.txt", "--ignore-known"))
        self.assertIn("more.tsv", self.fail(2, "translate", *self.files, "e1", "--known", self.write("more.tsv", "a\tb\n"),
                                            "-o", "more.tsv"))

    def test_lexicons_that_must_not_travel(self):
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "lexicon.txt", "-o", "home.wbmap", "--no-lexicon")
        self.assertIn(b"nueva york", self.unpacked("m.wbmap"))
        self.assertNotIn(b"nueva york", self.unpacked("home.wbmap"))
        self.assertIn("93 pairs, carried by the mapping", self.succeed("inspect", "m.wbmap").stdout)
        self.assertIn("does not carry its lexicon", self.succeed("inspect", "home.wbmap").stdout)
        self.assertEqual(json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)["lexicon"]["pairs"], 93)
        self.files[0] = "home.wbmap"
        self.assertEqual({line[4] for line in self.translate("e5")}, {"guessed"})

    def unpacked(self, name):
        """The bytes of a mapping, and what its lexicon holds."""
        import subprocess

        content = self.read(name)
        start = content.rfind(b"\x28\xb5\x2f\xfd")
        if start < 0:
            return content
        return content + subprocess.run(["zstd", "-dc"], input=content[start:-32], stdout=subprocess.PIPE).stdout

    def test_words_that_look_alike_are_not_known(self):
        self.write("en.vec", self.read("es.vec"))
        self.succeed("align", "en.vec", "es.vec", "--identical-words", "-o", "same.wbmap", "--method", "procrustes")
        self.files[0] = "same.wbmap"
        self.assertEqual({line[4] for line in self.translate("s5")}, {"guessed"})

    def test_evaluation_does_not_profit_and_tells(self):
        self.write("wrong.txt", "".join(f"e{i} s{(i + 1) % 90}\n" for i in range(90)))
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "wrong.txt", "-o", "wrong.wbmap", "--method", "procrustes")
        arguments = ["evaluate", "translation", "wrong.wbmap", "en.vec", "es.vec", "--lexicon"]
        result = json.loads(self.succeed(*arguments, "wrong.txt", "--json").stdout)
        self.assertLess(result["precision"]["all"]["1"], 60, "what was learned wrongly is not looked up")
        self.assertEqual((result["lexicon"]["known_words"], result["lexicon"]["known_pairs"]), (90, 90))
        told = self.succeed(*arguments, "wrong.txt").stdout
        self.assertIn("90 pairs of 90 words known from the lexicon of the mapping", told)
        unknown = self.succeed(*arguments, "test.txt")
        self.assertNotIn("known from", unknown.stdout)

    def test_mappings_made_of_it(self):
        self.succeed("invert", "m.wbmap", "-o", "back.wbmap")
        lines = [line.split("\t") for line in
                 self.succeed("translate", "back.wbmap", "es.vec", "en.vec", "s7", "-n3").stdout.splitlines()]
        self.assertEqual([(line[2], line[4]) for line in lines[:2]], [("e7", "known"), ("e5", "known")])


if __name__ == "__main__":
    unittest.main()
