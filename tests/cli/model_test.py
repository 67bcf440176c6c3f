"""wordbridge apply on fastText models: what comes out is a fastText model"""

import math
import pathlib
import shutil
import struct
import subprocess
import unittest

from program import ROOT, CommandLineTest, read_vec

MODELS = ROOT / "tests/formats/fasttext"
UNSEEN = ["unforeseen", "grüße", "xyzzy", "bridges"]


def dimension_of(path):
    return struct.unpack("<i", pathlib.Path(path).read_bytes()[8:12])[0]


class ModelTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        shutil.copy(MODELS / "subwords.bin", self.folder / "en.bin")
        self.succeed("convert", "en.bin", "en.txt")
        self.words, self.rows = read_vec(self.path("en.txt"))
        self.dimension = len(self.rows[0])
        self.write("pairs.txt", "".join(f"{word}\t{word}\n" for word in self.words if not word.startswith("</")))
        # Another order of the words makes a map that is not the identity.
        order = self.words[1:] + self.words[:1]
        rows = [[value + 0.3 for value in row] for row in self.rows]
        self.write("es.txt", f"{len(order)} {self.dimension}\n" + "".join(
            f"{word} {' '.join(map(str, row))}\n" for word, row in zip(order, rows)))

    def mapping(self, normalization):
        self.succeed("align", "en.bin", "es.txt", "--lexicon", "pairs.txt", "--method", "procrustes", "--normalize",
                     normalization, "-o", "m.wbmap")

    def vectors(self, model, words=None):
        """What wordbridge reads from a model."""
        self.succeed("convert", model, "read.txt")
        return dict(zip(*read_vec(self.path("read.txt"))))

    def fasttext_vectors(self, model, words):
        program = shutil.which("fasttext")
        if program is None:
            self.skipTest("the program fasttext is not installed (Debian package fasttext)")
        result = subprocess.run([program, "print-word-vectors", model], input="\n".join(words) + "\n", text=True,
                                capture_output=True, cwd=self.folder, timeout=60, check=True)
        lines = [line.rstrip().split(" ") for line in result.stdout.splitlines()]
        return {fields[0]: [float(field) for field in fields[1:]] for fields in lines}

    def assert_near(self, actual, expected, within=1e-6):
        self.assertEqual(len(actual), len(expected))
        scale = max(1.0, max(map(abs, expected)))
        self.assertLess(max(abs(a - b) for a, b in zip(actual, expected)), within * scale)

    def test_is_exact_without_unit(self):
        for normalization in ("none", "center"):
            self.mapping(normalization)
            self.succeed("apply", "m.wbmap", "en.bin", "-o", "aligned.bin", "--no-unit")
            self.succeed("apply", "m.wbmap", "en.bin", "-o", "expected.txt", "--no-unit")
            read = self.vectors("aligned.bin")
            for word, row in zip(*read_vec(self.path("expected.txt"))):
                self.assert_near(read[word], row)

    def test_directions_are_exact_with_unit(self):
        for normalization in ("unit", "center,unit"):
            self.mapping(normalization)
            result = self.succeed("apply", "m.wbmap", "en.bin", "-o", "aligned.bin")
            self.assertIn("their lengths are not 1", result.stderr)
            self.succeed("apply", "m.wbmap", "en.bin", "-o", "expected.txt")
            read = self.vectors("aligned.bin")
            for word, row in zip(*read_vec(self.path("expected.txt"))):
                length = math.sqrt(sum(value * value for value in read[word]))
                self.assert_near([value / length for value in read[word]], row, 1e-5)

    def test_fasttext_reads_it_and_knows_unseen_words(self):
        self.mapping("center")
        self.succeed("apply", "m.wbmap", "en.bin", "-o", "aligned.bin", "--no-unit")
        before = self.fasttext_vectors("en.bin", self.words + UNSEEN)
        after = self.fasttext_vectors("aligned.bin", self.words + UNSEEN)
        self.write("before.vec", f"{len(before)} {self.dimension}\n" + "".join(
            f"{word} {' '.join(map(str, row))}\n" for word, row in before.items()))
        self.succeed("apply", "m.wbmap", "before.vec", "-o", "expected.txt", "--no-unit")
        for word, row in zip(*read_vec(self.path("expected.txt"))):
            self.assert_near(after[word], row, 1e-4)  # fasttext prints five digits

    def test_another_dimension(self):
        smaller = self.dimension - 3
        self.write("w.txt", f"{smaller} {self.dimension}\n" + "".join(
            " ".join(str((7 * i + 3 * j) % 11 - 5) for j in range(self.dimension)) + "\n" for i in range(smaller)))
        self.succeed("import", "w.txt", "--normalize", "none", "-o", "m.wbmap")
        self.succeed("apply", "m.wbmap", "en.bin", "-o", "aligned.bin", "--no-unit")
        self.succeed("apply", "m.wbmap", "en.bin", "-o", "expected.txt", "--no-unit")
        self.assertEqual(dimension_of(self.path("aligned.bin")), smaller)
        read = self.vectors("aligned.bin")
        for word, row in zip(*read_vec(self.path("expected.txt"))):
            self.assert_near(read[word], row)
        self.assertEqual(len(self.fasttext_vectors("aligned.bin", ["bridge"])["bridge"]), smaller)

    def test_word2vec_stays_reachable(self):
        self.mapping("unit")
        self.succeed("apply", "m.wbmap", "en.bin", "-o", "w2v.bin", "--to", "word2vec")
        self.assertTrue(self.read("w2v.bin").startswith(f"{len(self.words)} {self.dimension}\n".encode()))
        self.succeed("apply", "m.wbmap", "en.txt", "-o", "text.bin")
        self.assertTrue(self.read("text.bin").startswith(f"{len(self.words)} {self.dimension}\n".encode()))
        self.succeed("apply", "m.wbmap", "en.bin", "-o", "model.dat", "--to", "fasttext")
        self.succeed("apply", "m.wbmap", "en.bin", "-o", "model.bin")
        self.assertEqual(self.read("model.dat"), self.read("model.bin"))

    def test_pipes(self):
        self.mapping("unit")
        self.succeed("apply", "m.wbmap", "en.bin", "-o", "model.bin")
        self.succeed("apply", "m.wbmap", "-", "-o", "piped.bin", input=self.read("en.bin"))
        self.assertEqual(self.read("piped.bin"), self.read("model.bin"))

    def test_same_bytes_for_any_number_of_threads(self):
        self.mapping("unit")
        results = set()
        for threads in ("1", "2", "7"):
            self.succeed("apply", "m.wbmap", "en.bin", "-o", "model.bin", "--threads", threads)
            results.add(self.read("model.bin"))
        self.assertEqual(len(results), 1)

    def test_what_means_of_rows_cannot_follow(self):
        self.mapping("unit,center,unit")
        error = self.fail(2, "apply", "m.wbmap", "en.bin", "-o", "out.bin")
        self.assertIn("'unit,center,unit', which means of rows cannot follow", error)
        self.assertIn("--approximate", error)
        result = self.succeed("apply", "m.wbmap", "en.bin", "-o", "out.bin", "--approximate")
        self.assertRegex(result.stderr, r"approximated: mean cosine 0\.[0-9]{4} with the mapped vectors of [0-9]+ words")

    def test_what_cannot_be(self):
        self.mapping("unit")
        shutil.copy(MODELS / "quantized.ftz", self.folder / "en.ftz")
        self.assertIn("quantized", self.fail(1, "apply", "m.wbmap", "en.ftz", "-o", "out.bin"))
        self.assertIn("no fastText model", self.fail(2, "apply", "m.wbmap", "en.txt", "--to", "fasttext", "-o", "o.bin"))
        self.assertIn("--max-words", self.fail(2, "apply", "m.wbmap", "en.bin", "--max-words", "3", "-o", "o.bin"))
        self.assertIn("--approximate", self.fail(2, "apply", "m.wbmap", "en.bin", "--approximate", "-o", "o.vec"))
        self.write("cut.bin", self.read("en.bin")[:-10])
        self.fail(1, "apply", "m.wbmap", "cut.bin", "-o", "out.bin")

    def test_warns_of_another_model(self):
        self.mapping("unit")
        shutil.copy(MODELS / "words.bin", self.folder / "other.bin")
        if dimension_of(self.path("other.bin")) == self.dimension:
            result = self.succeed("apply", "m.wbmap", "other.bin", "-o", "out.bin", "-q")
            self.assertIn("not the source vectors", result.stderr)
        else:
            self.assertIn("dimension", self.fail(2, "apply", "m.wbmap", "other.bin", "-o", "out.bin"))


if __name__ == "__main__":
    unittest.main()
