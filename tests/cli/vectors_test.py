"""wordbridge apply, convert and inspect"""

import gzip
import json
import math
import subprocess
import unittest

from program import DIMENSION, WORDBRIDGE, WORDS, CommandLineTest, read_vec, vec_text


def length(row):
    return math.sqrt(sum(value * value for value in row))


class ApplyTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align()

    def test_brings_both_sides_together(self):
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "en.aligned.vec")
        self.succeed("apply", "m.wbmap", "es.vec", "--side", "target", "-o", "es.aligned.vec")
        words, source = read_vec(self.path("en.aligned.vec"))
        _, target = read_vec(self.path("es.aligned.vec"))
        self.assertEqual(words, self.source_words)
        for x, y in zip(source, target):
            self.assertAlmostEqual(length(x), 1, places=4)
            self.assertGreater(sum(a * b for a, b in zip(x, y)), 0.98)

    def test_no_unit_keeps_lengths(self):
        self.align("raw.wbmap", "--method", "procrustes", "--normalize", "none")
        self.succeed("apply", "raw.wbmap", "en.vec", "--no-unit", "-o", "mapped.vec")
        _, rows = read_vec(self.path("mapped.vec"))
        for before, after in zip(self.source_rows, rows):
            self.assertAlmostEqual(length(before), length(after), places=3)

    def test_takes_more_words_than_the_mapping_was_fitted_on(self):
        self.align("short.wbmap", "--max-words", "100")
        result = self.succeed("apply", "short.wbmap", "en.vec", "-o", "out.vec", "-q")
        self.assertEqual(result.stderr, "", "the first 100 words are those of the mapping: no warning")
        self.assertEqual(len(read_vec(self.path("out.vec"))[0]), WORDS)
        self.succeed("apply", "short.wbmap", "en.vec", "-o", "out.vec", "--max-words", "10")
        self.assertEqual(len(read_vec(self.path("out.vec"))[0]), 10)

    def test_warns_of_other_vectors(self):
        result = self.succeed("apply", "m.wbmap", "es.vec", "-o", "out.vec", "-q")
        self.assertIn("they are its target vectors", result.stderr)
        self.write("other.vec", vec_text(self.source_words, self.target_rows[::-1]))
        result = self.succeed("apply", "m.wbmap", "other.vec", "-o", "out.vec", "-q")
        self.assertEqual(result.stderr, "wordbridge: warning: other.vec: not the source vectors that the mapping was fitted "
                                        f"on (en.vec, {WORDS} words): words or values differ\n")

    def test_other_formats_and_compression(self):
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "plain.vec")
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "packed.vec.gz")
        self.assertEqual(gzip.decompress(self.read("packed.vec.gz")), self.read("plain.vec"))
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "x.dat", "--to", "word2vec")
        self.succeed("convert", "x.dat", "back.vec")
        self.assertEqual(self.read("back.vec"), self.read("plain.vec"))

    def test_same_whatever_the_threads(self):
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "one.vec", "--threads", "1")
        self.succeed("apply", "m.wbmap", "en.vec", "-o", "two.vec", "--threads", "2")
        self.assertEqual(self.read("one.vec"), self.read("two.vec"))

    def test_wrong_dimension(self):
        self.write("short.vec", vec_text(self.source_words, [row[:5] for row in self.source_rows]))
        self.assertEqual(self.fail(2, "apply", "m.wbmap", "short.vec", "-o", "out.vec"),
                         "the mapping takes source vectors of dimension 8, but short.vec has dimension 5")


class ConvertTest(CommandLineTest):
    def test_every_format_comes_back_the_same(self):
        self.succeed("convert", "en.vec", "first.wbvec")
        self.succeed("convert", "first.wbvec", "reference.vec")
        for name in ("x.w2v", "x.npy", "x.wbvec", "x.vec.gz", "x.vec.zst", "x.vec.xz", "x.txt.bz2"):
            self.succeed("convert", "en.vec", name)
            self.succeed("convert", name, "back.vec")
            self.assertEqual(self.read("back.vec"), self.read("reference.vec"), name)

    def test_reads_standard_input(self):
        self.succeed("convert", "-", "out.vec", input=self.read("en.vec"))
        self.assertEqual(read_vec(self.path("out.vec"))[0], self.source_words)

    def test_reads_compressed_standard_input(self):
        self.succeed("convert", "-", "out.vec", input=gzip.compress(self.read("en.vec")))
        self.assertEqual(read_vec(self.path("out.vec"))[0], self.source_words)

    def test_reads_process_substitution(self):
        self.succeed("convert", "en.vec", "reference.vec")
        (self.folder / "en.vec.gz").write_bytes(gzip.compress(self.read("en.vec")))
        for source in ("<(cat en.vec)", "<(cat en.vec.gz)", "<(gzip -dc en.vec.gz)"):
            subprocess.run(["bash", "-c", f"'{WORDBRIDGE}' convert {source} out.vec -q"], cwd=self.folder, check=True)
            self.assertEqual(self.read("out.vec"), self.read("reference.vec"), source)

    def test_unknown_extension(self):
        self.assertIn("out.xyz", self.fail(2, "convert", "en.vec", "out.xyz"))
        self.succeed("convert", "en.vec", "out.xyz", "--to", "text")

    def test_max_words(self):
        self.succeed("convert", "en.vec", "out.vec", "--max-words", "7")
        self.assertEqual(read_vec(self.path("out.vec"))[0], self.source_words[:7])

    def test_vocabulary_of_a_numpy_file(self):
        self.succeed("convert", "en.vec", "x.npy")
        (self.folder / "x.vocab").rename(self.folder / "elsewhere.words")
        self.assertIn("x.", self.fail(1, "convert", "x.npy", "out.vec"))
        self.succeed("convert", "x.npy", "out.vec", "--vocabulary", "elsewhere.words")
        self.assertEqual(read_vec(self.path("out.vec"))[0], self.source_words)


class InspectTest(CommandLineTest):
    def test_vectors(self):
        result = self.succeed("inspect", "en.vec")
        self.assertIn(str(WORDS), result.stdout)
        self.assertIn("lengths", result.stdout)

    def test_vectors_as_json(self):
        description = json.loads(self.succeed("inspect", "en.vec", "--json", "--lexicon", "train.txt").stdout)
        self.assertEqual((description["words"], description["dimension"]), (WORDS, DIMENSION))
        self.assertEqual(description["lexicon"]["first_column"], {"words": 90, "found": 90})
        self.assertEqual(description["lexicon"]["second_column"], {"words": 90, "found": 0})

    def test_lexicon_coverage(self):
        self.assertIn("90 of 90 words of the first column, 0 of 90 words of the second",
                      self.succeed("inspect", "en.vec", "--lexicon", "train.txt").stdout)

    def test_mapping(self):
        self.align("m.wbmap", "--method", "procrustes", "--seed", "42")
        text = self.succeed("inspect", "m.wbmap").stdout
        for part in ("procrustes", "en.vec", "es.vec", "train.txt", "orthogonal", "42", "mean_cosine"):
            self.assertIn(part, text)
        description = json.loads(self.succeed("inspect", "m.wbmap", "--json").stdout)
        self.assertEqual(description["provenance"]["seed"], 42)
        self.assertAlmostEqual(description["source"]["singular_values"]["min"], 1, places=4)
        self.assertIn("mapping", self.fail(2, "inspect", "m.wbmap", "--lexicon", "train.txt"))

    def test_seed_draws_the_random_pairs(self):
        one = self.succeed("inspect", "en.vec", "--json", "--seed", "1").stdout
        self.assertEqual(self.succeed("inspect", "en.vec", "--json", "--seed", "1").stdout, one)


if __name__ == "__main__":
    unittest.main()
