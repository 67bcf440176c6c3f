"""The bytes that commands write depend neither on the number of threads nor on the format of their input"""

import hashlib
import os
import pathlib
import random
import shutil
import tempfile
import unittest

from program import SANITIZED, CommandLineTest, vec_text

FORMATS = {"text": "vec", "gzip": "vec.gz", "native": "wbvec", "numpy": "npy", "word2vec": "w2v"}
THREADS = ("1", "2", "3", "7")
ROWS = 3000 if SANITIZED else 12000  # megabytes of text: several blocks, of which each thread reads some
DIMENSION = 50
# The last bits of this core's products depend most on how many rows are multiplied at once.
CORE = {"OPENBLAS_CORETYPE": "Haswell"} if "avx2" in pathlib.Path("/proc/cpuinfo").read_text() else {}


class SameBytesTest(CommandLineTest):
    """A folder for each format; the files have the same names everywhere, because mappings keep them."""

    @classmethod
    def setUpClass(cls):
        rng = random.Random(3)
        rows = [[rng.uniform(-1, 1) for _ in range(DIMENSION)] for _ in range(ROWS)]
        cls.texts = {
            "en": vec_text([f"e{i}" for i in range(ROWS)], rows),
            "es": vec_text([f"s{i}" for i in range(ROWS)], rows[1:] + rows[:1]),
        }

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="wordbridge-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = self.root = pathlib.Path(folder.name)
        lexicon = "".join(f"e{i} s{i * 11 % ROWS}\n" for i in range(0, ROWS, 7))
        for language, text in self.texts.items():
            self.write(f"{language}.vec", text)
        for name, extension in FORMATS.items():
            (self.root / name).mkdir()
            self.write(f"{name}/lexicon.txt", lexicon)
            for language in self.texts:
                self.succeed("convert", f"{language}.vec", f"{name}/{language}.{extension}")
                shutil.move(self.root / name / f"{language}.{extension}", self.root / name / f"{language}.data")
                if extension == "npy":
                    shutil.move(self.root / name / f"{language}.vocab", self.root / name / f"{language}.data.vocab")

    def outputs(self, outputs, *arguments, formats=FORMATS):
        """Runs the command with each number of threads in the first folder, and with one of them in each other; the
        distinct hashes of what it writes."""
        hashes = {}
        for number, name in enumerate(formats):
            self.folder = self.root / name
            for threads in THREADS if number == 0 else THREADS[number % len(THREADS):][:1]:
                self.succeed(*arguments, "--threads", threads, "--quiet", env={**os.environ, **CORE})
                digest = " ".join(hashlib.sha256(self.read(output)).hexdigest() for output in outputs)
                hashes.setdefault(digest, []).append((name, threads))
        self.folder = self.root
        return hashes

    def assert_same(self, outputs, *arguments, formats=FORMATS):
        hashes = self.outputs(outputs, *arguments, formats=formats)
        self.assertEqual(len(hashes), 1, f"{' '.join(arguments)}: {list(hashes.values())}")

    def test_convert(self):
        for output in ("out.vec.gz", "out.w2v"):
            with self.subTest(output=output):
                self.assert_same([output], "convert", "en.data", output)
        self.assert_same(["out.npy", "out.vocab"], "convert", "en.data", "out.npy")

    def test_commands_with_a_mapping(self):
        self.assert_same(["m.wbmap"], "align", "en.data", "es.data", "--lexicon", "lexicon.txt", "--method", "procrustes",
                         "--normalize", "unit,center,unit", "-o", "m.wbmap")
        self.assert_same(["out.txt"], "export", "m.wbmap", "-o", "out.txt")
        for output in ("out.vec.zst", "out.wbvec"):
            with self.subTest(output=output):
                self.assert_same([output], "apply", "m.wbmap", "en.data", "-o", output)
        self.assert_same(["out.tsv"], "induce", "m.wbmap", "en.data", "es.data", "--last-rank", "1000", "-o", "out.tsv")


if __name__ == "__main__":
    unittest.main()
