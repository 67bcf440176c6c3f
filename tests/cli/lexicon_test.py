"""Lexicons that are not for the vectors they come with: refused, with the option that helps; lexicons that are, pass"""

import unittest

from program import ROOT, TRAIN, CommandLineTest, vec_text

SAMPLE = ROOT / "data/sample"


class LexiconTest(CommandLineTest):
    def refused(self, lexicon, *options, source="en.vec", target="es.vec"):
        return self.fail(1, "align", source, target, "--lexicon", lexicon, "-o", "m.wbmap", "--method", "procrustes",
                         *options)

    def share_words(self, count):
        """Some words are the same string in both languages, as numbers and names are."""
        names = [f"x{i}" for i in range(count)]
        self.write("en.vec", vec_text(self.source_words[count:] + names, self.source_rows))
        self.write("es.vec", vec_text(self.target_words[count:] + names, self.target_rows))
        return "".join(f"{name} {name}\n" for name in names)

    def test_swapped_columns(self):
        shared = self.share_words(5)
        self.write("swapped.txt", "".join(f"s{i} e{i}\n" for i in range(5, TRAIN)) + shared)
        line = self.refused("swapped.txt")
        self.assertIn("5 pairs are in the vocabularies, and 90 with the two sides swapped", line)
        self.assertIn("--swap-lexicon", line)
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "swapped.txt", "--swap-lexicon", "-o", "a.wbmap")
        self.write("straight.txt", "".join(f"e{i} s{i}\n" for i in range(5, TRAIN)) + shared)
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "straight.txt", "-o", "b.wbmap")
        measure = ["evaluate", "translation", "en.vec", "es.vec", "--csv", "--lexicon"]
        for mapping in ("a.wbmap", "b.wbmap"):
            measure = ["evaluate", "translation", mapping, "en.vec", "es.vec", "--csv", "--lexicon"]
            self.assertIn("--swap-lexicon", self.fail(1, *measure, "swapped.txt"))
            self.assertEqual(self.succeed(*measure, "swapped.txt", "--swap-lexicon").stdout,
                             self.succeed(*measure, "straight.txt").stdout)
        self.assertIn("leave --swap-lexicon out", self.refused("straight.txt", "--swap-lexicon"))
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "swapped.txt", "--unchecked-lexicon", "-o", "c.wbmap")
        self.assertIn("--lexicon FILE", self.fail(2, "align", "en.vec", "es.vec", "--identical-words",
                                                  "--swap-lexicon", "-o", "m.wbmap"))

    def test_swapped_validation(self):
        shared = self.share_words(5)
        self.write("swapped.txt", "".join(f"s{i} e{i}\n" for i in range(TRAIN, TRAIN + 40)) + shared)
        self.write("train.txt", "".join(f"e{i} s{i}\n" for i in range(5, TRAIN)))
        line = self.fail(1, "align", "en.vec", "es.vec", "--lexicon", "train.txt", "--validation", "swapped.txt", "-o",
                         "m.wbmap", "--method", "rcsls")
        self.assertIn("swapped.txt: 5 pairs are in the vocabularies, and 45 with the two sides swapped", line)

    def test_another_letter_case(self):
        self.write("upper.txt", "".join(f"E{i} S{i}\n" for i in range(5, TRAIN)) + "e1 s1\n")
        line = self.refused("upper.txt")
        self.assertIn("1 pair is in the vocabularies as written, and 86 in another letter case", line)
        self.assertIn("--case title", line)
        for policy in ("lower", "title", "exact"):
            self.succeed("align", "en.vec", "es.vec", "--lexicon", "upper.txt", "--case", policy, "--method",
                         "procrustes", "-o", "a.wbmap")

    def sample(self, language):
        return str(SAMPLE / f"{language}.vec.xz")

    def test_vectors_of_another_language(self):
        lexicon = str(SAMPLE / "en-es.train.txt")
        for source, target, said in (("en", "en", "target vectors seem to be of another language"),
                                     ("es", "es", "source vectors seem to be of another language"),
                                     ("en", "de", "target vectors seem to be of another language"),
                                     ("de", "es", "source vectors seem to be of another language"),
                                     ("es", "en", "--swap-lexicon")):
            with self.subTest(source=source, target=target):
                self.assertIn(said, self.refused(lexicon, source=self.sample(source), target=self.sample(target)))

    def test_lexicons_of_the_sample_pass(self):
        for pair in ("en-es", "es-en", "en-de", "de-en", "en-fr", "fr-en"):
            source, target = (self.sample(language) for language in pair.split("-"))
            for words in ("0", "300"):
                with self.subTest(pair=pair, words=words):
                    self.succeed("align", source, target, "--lexicon", str(SAMPLE / f"{pair}.train.txt"), "--method",
                                 "procrustes", "--max-words", words, "-o", "m.wbmap")


if __name__ == "__main__":
    unittest.main()
