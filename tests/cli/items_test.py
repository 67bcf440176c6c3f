"""Tables of numbers whose rows are items, their mapping in parts, sentences, and drift."""

import json
import random
import struct
import unittest

from program import DIMENSION, WORDS, CommandLineTest, random_rotation, read_vec, vec_text


def npy(rows, kind="<f4"):
    code = {"<f4": "<f", "<f2": "<e", "<f8": "<d", ">f4": ">f"}[kind]
    text = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}\n".encode()
    numbers = b"".join(struct.pack(code, value) for row in rows for value in row)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + numbers


class ItemsTest(CommandLineTest):
    """The rows of en.vec as items, without their words."""

    def setUp(self):
        super().setUp()
        self.align()
        self.write("en.npy", npy(self.source_rows))

    def test_rows_are_items(self):
        result = self.succeed("inspect", "en.npy")
        self.assertIn(f"{WORDS} items x {DIMENSION} (NumPy, numbered items)", result.stderr)
        self.succeed("convert", "en.npy", "out.vec")
        self.assertEqual(read_vec(self.path("out.vec"))[0], [str(i) for i in range(WORDS)])
        self.write("ids", "".join(f"doc/{i}\n" for i in range(WORDS)))
        self.succeed("convert", "en.npy", "out.vec", "--ids", "ids")
        self.assertEqual(read_vec(self.path("out.vec"))[0][7], "doc/7")

    def test_every_type_of_numbers_gives_the_same_rows(self):
        self.succeed("convert", "en.npy", "halves.npy", "--to", "npy:f16")
        self.succeed("convert", "halves.npy", "halves.vec")
        self.succeed("convert", "en.npy", "en.f16")
        self.succeed("convert", "en.f16", "raw.vec", "--format", f"raw:f16:{DIMENSION}")
        self.assertEqual(self.read("raw.vec"), self.read("halves.vec"))
        header = json.dumps({"x": {"dtype": "F16", "shape": [WORDS, DIMENSION],
                                   "data_offsets": [0, WORDS * DIMENSION * 2]}}).encode()
        self.write("en.safetensors", struct.pack("<Q", len(header)) + header + self.read("en.f16"))
        self.succeed("convert", "en.safetensors", "safe.vec")
        self.assertEqual(self.read("safe.vec"), self.read("halves.vec"))

    def test_many_files_are_one_table(self):
        self.write("a-1.npy", npy(self.source_rows[:40]))
        self.write("a-2.npy", npy(self.source_rows[40:], "<f8"))
        self.succeed("convert", "a-?.npy", "joined.vec")
        self.succeed("convert", "en.npy", "whole.vec")
        self.assertEqual(len(read_vec(self.path("joined.vec"))[0]), WORDS)
        self.write("list", "a-1.npy\na-2.npy\n")
        self.succeed("convert", "@list", "listed.vec")
        self.assertEqual(self.read("listed.vec"), self.read("joined.vec"))
        self.assertIn("also an input", self.fail(2, "convert", "a-?.npy", "a-1.npy"))
        self.assertIn("no file has such a name", self.fail(1, "convert", "b-*.npy", "out.vec"))

    def test_align_and_apply_take_items(self):
        self.write("es.npy", npy(self.target_rows))
        self.write("pairs", "".join(f"{i} {i}\n" for i in range(WORDS)))
        result = self.succeed("align", "en.npy", "es.npy", "--lexicon", "pairs", "-o", "i.wbmap", "--method", "procrustes")
        self.assertIn(f"{WORDS} items x {DIMENSION}", result.stderr)
        self.succeed("apply", "i.wbmap", "en.npy", "-o", "out.npy")
        self.assertFalse((self.folder / "out.vocab").exists())
        self.succeed("apply", "m.wbmap", "en.npy", "-o", "new.npy", "--resume", "-q")
        self.succeed("apply", "m.wbmap", "en.npy", "-o", "old.npy", "-q")
        self.assertEqual(self.read("new.npy"), self.read("old.npy"))

    def test_parts_join_to_the_same_bytes(self):
        rng = random.Random(5)
        rows = [[rng.gauss(0, 1) for _ in range(DIMENSION)] for _ in range(3000)]
        self.write("big.npy", npy(rows, "<f2"))
        self.succeed("apply", "m.wbmap", "big.npy", "-o", "whole.npy", "--to", "npy:f16", "-q")
        for part in (1, 2, 3):
            self.succeed("apply", "m.wbmap", "big.npy", "-o", f"p{part}.npy", "--to", "npy:f16", "--part", f"{part}/3",
                         "--resume", "-q")
        self.succeed("convert", "p?.npy", "joined.npy", "--to", "npy:f16")
        self.assertEqual(self.read("joined.npy"), self.read("whole.npy"))
        for wrong in ("0/3", "4/3", "x", "1/", "1/3/"):
            self.assertIn("--part", self.fail(2, "apply", "m.wbmap", "big.npy", "-o", "out.npy", "--part", wrong))
        self.assertIn("too many", self.fail(2, "apply", "m.wbmap", "big.npy", "-o", "out.npy", "--part", "1/4"))
        self.assertIn("tables of numbers", self.fail(2, "apply", "m.wbmap", "en.vec", "-o", "out.npy", "--part", "1/2"))

    def test_bad_tables_have_one_line(self):
        rows = [list(row) for row in self.source_rows]
        rows[4][2] = float("nan")
        self.write("bad.npy", npy(rows))
        self.assertIn("bad.npy: row 5 ('4'): the vector holds NaN", self.fail(1, "convert", "bad.npy", "out.npy"))
        self.assertIn("would change its number", self.fail(1, "convert", "bad.npy", "out.npy", "--lenient"))
        self.succeed("convert", "bad.npy", "out.vec", "--lenient")
        self.write("cut.npy", npy(self.source_rows)[:-1])
        self.assertIn("cut.npy: the table of", self.fail(1, "apply", "m.wbmap", "cut.npy", "-o", "out.npy"))
        self.write("int.npy", npy(self.source_rows).replace(b"'<f4'", b"'<i4'"))
        self.assertIn("type <i4", self.fail(1, "convert", "int.npy", "out.npy"))
        self.assertIn("raw:TYPE:DIMENSION", self.fail(2, "convert", "en.npy", "out.npy", "--format", "raw:f16"))
        self.assertIn("ids are for tables", self.fail(2, "convert", "en.vec", "out.npy", "--ids", "train.txt"))
        self.write("large.npy", npy([[1e6] * DIMENSION]))
        self.assertIn("too large for float16", self.fail(1, "convert", "large.npy", "out.f16"))


class SentencesTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.align()
        rng = random.Random(2)
        chosen = [[rng.randrange(WORDS) for _ in range(6)] for _ in range(200)]
        self.write("a", "".join(" ".join(f"e{i}" for i in row) + ".\n" for row in chosen))
        self.write("b", "".join(" ".join(f"S{i}" for i in reversed(row)) + " !\n" for row in chosen))

    def test_translations_are_found(self):
        call = ["evaluate", "sentences", "m.wbmap", "en.vec", "es.vec", "--source-text", "a", "--target-text", "b"]
        answer = json.loads(self.succeed(*call, "--queries", "50", "--json").stdout)
        self.assertEqual([(one["criterion"], one["direction"]) for one in answer["results"]],
                         [("nn", "source-target"), ("csls", "source-target"), ("nn", "target-source"),
                          ("csls", "target-source")])
        for one in answer["results"]:
            self.assertEqual((one["queries"], one["candidates"]), (50, 200))
            self.assertGreater(one["precision"]["1"]["percent"], 95)
            self.assertLess(one["precision"]["1"]["low"], one["precision"]["1"]["percent"])
        table = self.succeed(*call).stdout
        self.assertIn("tokens are words, weighted by 200 sentences, the candidates among them", table)

    def test_errors(self):
        files = ["m.wbmap", "en.vec", "es.vec"]
        self.write("short", "e1\n")
        self.assertIn("b:2: short has only 1 line",
                      self.fail(1, "evaluate", "sentences", *files, "--source-text", "short", "--target-text", "b"))
        self.assertIn("--target-text", self.fail(2, "evaluate", "sentences", *files, "--source-text", "a"))
        self.assertIn("none", self.fail(1, "evaluate", "sentences", *files, "--source-text", "none", "--target-text", "b"))


class DriftTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        rng = random.Random(3)
        rotation = random_rotation(rng)
        rows = [[sum(w * x for w, x in zip(line, row)) + rng.gauss(0, 0.1) for line in rotation]
                for row in self.source_rows]
        for changed in (11, 77):
            rows[changed] = [-value for value in rows[changed]]
        self.write("new.vec", vec_text(self.source_words, rows))

    def test_planted_words_come_first(self):
        result = self.succeed("drift", "en.vec", "new.vec", "--count", "5", "--json")
        answer = json.loads(result.stdout)
        self.assertEqual({word["word"] for word in answer["words"][:2]}, {"e11", "e77"})
        self.assertEqual(answer["shared"], WORDS)
        self.assertIn(answer["significant"], (2, 3, 4))  # few words in few dimensions: not quite normal
        self.assertIn("150 words compared", result.stderr)
        lines = self.succeed("drift", "en.vec", "new.vec", "-q").stdout.splitlines()
        self.assertEqual(lines[0].split("\t")[0], "word")
        self.assertEqual(len(lines), 21)
        self.succeed("drift", "en.vec", "new.vec", "--count", "0", "-o", "all.tsv")
        self.assertEqual(self.read("all.tsv").count(b"\n"), WORDS + 1)

    def test_errors(self):
        self.write("wide.vec", vec_text(["e1"], [[1.0] * (DIMENSION + 1)]))
        self.assertIn("cannot be compared", self.fail(2, "drift", "en.vec", "wide.vec"))
        self.assertIn("share 0 words", self.fail(2, "drift", "en.vec", "es.vec"))
        self.assertIn("between 0 and 1", self.fail(2, "drift", "en.vec", "new.vec", "--false-discoveries", "2"))
        self.assertIn("also an input", self.fail(2, "drift", "en.vec", "new.vec", "-o", "new.vec"))


if __name__ == "__main__":
    unittest.main()
