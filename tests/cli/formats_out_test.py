"""Formats that other programs read: databases and sentence encoders"""

import json
import sqlite3
import struct
import unittest

from program import CommandLineTest, DIMENSION, WORDS


class FormatsOutTest(CommandLineTest):
    def test_sqlite(self):
        self.succeed("convert", "en.vec", "en.sql")
        database = sqlite3.connect(":memory:")
        self.addCleanup(database.close)
        database.executescript(self.read("en.sql").decode("utf-8"))
        rows = database.execute("SELECT word, rank, vector FROM words ORDER BY rank").fetchall()
        self.assertEqual([row[:2] for row in rows], [(f"e{i}", i + 1) for i in range(WORDS)])
        expected = [float(field) for field in self.read("en.vec").decode().splitlines()[5].split(" ")[1:]]
        for value, given in zip(struct.unpack(f"<{DIMENSION}f", rows[4][2]), expected):
            self.assertAlmostEqual(value, given, places=6)
        self.assertEqual(database.execute("SELECT rank FROM words WHERE word = 'e9'").fetchall(), [(10,)])

    def test_postgres(self):
        self.succeed("convert", "en.vec", "en.copy")
        lines = self.read("en.copy").decode().splitlines()
        self.assertEqual(len(lines), WORDS)
        word, rank, vector = lines[4].split("\t")
        self.assertEqual((word, rank), ("e4", "5"))
        self.assertEqual(len(json.loads(vector)), DIMENSION)  # pgvector's text is a JSON list
        self.assertEqual(self.succeed("convert", "en.vec", "-", "--to", "postgres").stdout.encode(),
                         self.read("en.copy"))

    def test_encoder(self):
        self.align("m.wbmap", "--no-rerank")
        self.succeed("prepare", "m.wbmap", "en.vec", "es.vec", "-o", "m.wbspace")
        self.succeed("encoder", "m.wbmap", "en.vec", "es.vec", "-o", "one")
        self.succeed("encoder", "m.wbspace", "-o", "two")
        for name in ("model.safetensors", "tokenizer.json", "tokenizer_config.json", "config.json", "modules.json", "model.vocab"):
            self.assertEqual(self.read(f"one/{name}"), self.read(f"two/{name}"))
        content = self.read("one/model.safetensors")
        length = struct.unpack("<Q", content[:8])[0]
        header = json.loads(content[8:8 + length])
        rows = 1 + 2 * WORDS
        self.assertEqual(header["embeddings"], {"dtype": "F32", "shape": [rows, DIMENSION],
                                                "data_offsets": [0, 4 * rows * DIMENSION]})
        self.assertEqual((8 + length) % 8, 0)
        self.assertEqual(len(content), 8 + length + 4 * rows * DIMENSION)
        vocabulary = json.loads(self.read("one/tokenizer.json"))["model"]["vocab"]
        self.assertEqual(sorted(vocabulary.values()), list(range(rows)))
        # Our own reader, with the words beside: translations lie near each other.
        self.assertIn("s7", self.succeed("neighbors", "one/model.safetensors", "e7", "-n", "1").stdout)
        self.assertIn("wanted", self.fail(2, "encoder", "m.wbmap", "en.vec", "-o", "x"))
        self.assertIn("leave", self.fail(2, "encoder", "m.wbspace", "en.vec", "-o", "x"))


if __name__ == "__main__":
    unittest.main()
