"""Inputs with bytes that are wrong, missing or too many: one line of error at most, never a crash or a hang"""

import bz2
import ctypes
import ctypes.util
import gzip
import hashlib
import json
import lzma
import random
import shutil
import unittest

from hostile import SEED, SECONDS, Deadline, HostileTest, misbehavior
from program import ROOT, WORDS

INTERESTING = [0, 1, 9, 10, 13, 27, 32, 35, 45, 48, 57, 92, 127, 128, 194, 255]


XXHASH = ctypes.CDLL(ctypes.util.find_library("xxhash") or "libxxhash.so.0")
XXHASH.XXH3_64bits.restype = ctypes.c_uint64
XXHASH.XXH3_64bits.argtypes = [ctypes.c_char_p, ctypes.c_size_t]


def xxh3(data):
    return XXHASH.XXH3_64bits(bytes(data), len(data)).to_bytes(8, "little")


def signed_vectors(data):
    """A .wbvec whose checksums fit what stands in it, as far as the places that it names are there: what is refused then
    is refused for what it says."""
    data = bytearray(data)
    if len(data) < 128:
        return bytes(data)
    number = lambda at, size=8: int.from_bytes(data[at:at + size], "little")
    rows, dimension, words, index, size = number(16), number(24), number(32), number(48), len(data)
    for block in range(min((size - index) // 64, 1 + rows // 8192) if index < size else 0):
        entry = index + 64 * block
        table, first, count = 128 + 4 * dimension * 8192 * block, number(entry), number(entry + 8)
        length = 4 * dimension * min(8192, rows - 8192 * block)
        if table + length <= size:
            data[entry + 16:entry + 24] = xxh3(data[table:table + length])
        if words + first + count <= size:
            data[entry + 24:entry + 32] = xxh3(data[words + first:words + first + count])
    data[72:80] = xxh3(data[index:]) if index < size else bytes(8)
    data[120:128] = xxh3(data[:120])
    return bytes(data[:size])


def signed_mapping(data):
    """A .wbmap with a checksum that fits."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


class Mutator:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def mutate(self, data):
        data = bytearray(data)
        for _ in range(self.rng.choice((1, 1, 1, 2, 5, 20))):
            if not data:
                break
            at = self.rng.randrange(min(len(data), 300)) if self.rng.random() < 0.5 else self.rng.randrange(len(data))
            what = self.rng.randrange(8)
            if what == 0:
                data[at] ^= 1 << self.rng.randrange(8)
            elif what == 1:
                data[at] = self.rng.choice(INTERESTING)
            elif what == 2:
                del data[at:]
            elif what == 3:
                del data[at:at + self.rng.randrange(1, 16)]
            elif what == 4:
                data[at:at] = data[at:at + self.rng.randrange(1, 64)]
            elif what == 5:
                data[at:at] = bytes(self.rng.choice(INTERESTING) for _ in range(self.rng.randrange(1, 9)))
            elif what == 6:  # a number of some width, very large or very small
                width = self.rng.choice((2, 4, 8))
                value = self.rng.choice((0, 1, (1 << 8 * width) - 1, 1 << 8 * width - 1, (1 << 8 * width - 1) - 1))
                data[at:at + width] = value.to_bytes(width, "little")
            else:
                data[at:at] = self.rng.choice((b"99999999999", b"-1", b"nan", b"1e400", b"\n", b"\t", b" ", b"\xef\xbb\xbf"))
        return bytes(data)


class MutationTest(HostileTest):
    def setUp(self):
        super().setUp()
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "procrustes", "--normalize",
                     "unit,center,unit", "-o", "m.wbmap")
        self.tried = 0
        self.failures_found = []
        self.counts = {}

    def attack(self, name, data, commands, sign, mutator):
        """Writes a mutated file and runs one of the commands on it."""
        mutated = sign(mutator.mutate(data))
        self.write(name, mutated)
        arguments = mutator.rng.choice(commands)
        before = set(self.names())
        code, stderr = self.end(*arguments, "--threads", "2")
        self.tried += 1
        self.counts[code] = self.counts.get(code, 0) + 1
        reason = misbehavior(code, stderr)
        left = [left for left in self.hidden() if left not in before]
        if reason or left:
            kept = ROOT / "build" / f"hostile-{SEED}-{self.tried}-{name}"
            if kept.parent.exists():
                kept.write_bytes(mutated)
            self.failures_found.append(f"{' '.join(arguments)}: {reason or left}: {stderr[-300:]} (kept as {kept})")
        for left in set(self.names()) - before:
            path = self.folder / left
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink()

    def attack_all(self, cases, seconds):
        deadline = Deadline(seconds)
        mutator = Mutator(SEED)
        while not deadline:
            for name, data, commands, *sign in cases:
                if deadline:
                    break
                self.attack(name, data, commands, sign[0] if sign else bytes, mutator)
        self.tell(f"{self.tried} runs, exit codes {dict(sorted(self.counts.items(), key=str))}, "
                  f"{len(self.failures_found)} misbehaved")
        self.assertEqual(self.failures_found, [])

    def vector_commands(self, name):
        return [["convert", name, "out.vec"], ["convert", name, "out.wbvec", "--lenient"],
                ["convert", name, "out.npy", "--max-words", "7"], ["apply", "m.wbmap", name, "-o", "out.bin"],
                ["apply", "m.wbmap", name, "-o", "out.vec", "--lenient"], ["inspect", name],
                ["align", name, "es.vec", "--lexicon", "train.txt", "--method", "procrustes", "-o", "out.wbmap"],
                ["translate", "m.wbmap", name, "es.vec", "e1", "unseen"],
                ["induce", "m.wbmap", name, "es.vec", "-o", "out.tsv", "--lenient"],
                ["neighbors", name, "e1", "--target", "es.vec", "--mapping", "m.wbmap"],
                ["report", "m.wbmap", name, "es.vec", "--lexicon", "test.txt", "-o", "out.html"],
                ["evaluate", "translation", "m.wbmap", name, "es.vec", "--lexicon", "test.txt"]]

    def test_vectors(self):
        cases = []
        text = self.read("en.vec")
        files = {"x.vec": text, "glove.txt": text.split(b"\n", 1)[1], "x.vec.gz": gzip.compress(text),
                 "x.vec.xz": lzma.compress(text), "x.vec.bz2": bz2.compress(text)}
        for name in ("x.wbvec", "x.w2v", "x.vec.zst", "x.npy"):
            self.succeed("convert", "en.vec", name)
            files[name] = self.read(name)
        files["x.vocab"] = self.read("x.vocab")
        self.write("y.vocab", self.read("x.vocab"))
        self.write("y.npy", self.read("x.npy"))
        self.write("y.vocab", self.read("x.vocab"))
        for name in ("subwords.bin", "classifier.bin", "quantized.ftz", "pruned.ftz"):
            files[name] = (ROOT / "tests/formats/fasttext" / name).read_bytes()
        for name, data in files.items():
            if name == "x.vocab":
                cases.append(("y.vocab", data, self.vector_commands("y.npy")))
                cases.append(("named.txt", data, [c + ["--vocabulary", "named.txt"] for c in
                                                  (["convert", "y.npy", "out.vec"], ["inspect", "y.npy"])]))
            else:
                cases.append((name, data, self.vector_commands(name)))
        self.write("x.vocab", self.read("y.vocab"))
        kept = (ROOT / "tests/formats/safetensors/several.safetensors").read_bytes()
        cases.append(("z.safetensors", kept, [["convert", "z.safetensors", "out.vec", "--format", "safetensors:table"],
                                              ["convert", "z.safetensors", "out.npy", "--lenient"],
                                              ["inspect", "z.safetensors"]]))
        cases.append(("items.npy", self.read("x.npy"), [["convert", "item?.npy", "out.npy", "--ids", "y.vocab"],
                                                        ["convert", "items.npy", "out.f16", "--format", "raw:f16:8"]]))
        self.attack_all(cases, SECONDS / 2)

    def test_behind_checksums_that_fit(self):
        """Whoever forges a file also makes its checksums: what counts is what readers do with all that it says."""
        self.succeed("convert", "en.vec", "x.wbvec")
        vectors = self.read("x.wbvec")
        self.assertEqual(signed_vectors(vectors), vectors)
        mapping = self.read("m.wbmap")
        self.assertEqual(signed_mapping(mapping), mapping)
        commands = self.vector_commands("x.wbvec")
        of_mapping = [command for command in commands if "m.wbmap" in command]
        models = {name: (ROOT / "tests/formats/fasttext" / name).read_bytes()
                  for name in ("subwords.bin", "classifier.bin", "quantized.ftz", "pruned.ftz")}
        reranker = (ROOT / "tests/formats/mapping-reranker-v1.wbmap").read_bytes()
        bad = [["bad.wbmap" if part == "m.wbmap" else "en.vec" if part == "x.wbvec" else part for part in command]
               for command in of_mapping] + [["inspect", "bad.wbmap"], ["export", "bad.wbmap"],
                                             ["invert", "bad.wbmap", "-o", "out.wbmap"],
                                             ["compose", "bad.wbmap", "bad.wbmap", "-o", "out.wbmap"]]
        model_commands = lambda name: [["inspect", name], ["convert", name, "out.wbvec", "--max-words", "3"],
                                       ["translate", name, name, "the", "unseen", "-n", "1"],
                                       ["neighbors", name, "unseen"], ["convert", name, "out.vec", "--lenient"]]
        cases = [("x.wbvec", vectors, commands, signed_vectors)] * 2 + [("bad.wbmap", mapping, bad, signed_mapping),
                                                                     ("bad.wbmap", reranker, bad, signed_mapping)]
        cases += [(name, data, model_commands(name)) for name, data in models.items()]
        self.attack_all(cases, SECONDS / 2)

    def test_other_inputs(self):
        files = ["m.wbmap", "en.vec", "es.vec"]
        self.succeed("export", "m.wbmap", "-o", "w.txt")
        self.succeed("induce", *files, "-o", "induced.tsv")
        analogies = "".join(f"e{i} e{i + 1} e{i + 2} e{i + 3}\n" for i in range(0, WORDS - 4, 4))
        similar = "".join(f"e{i}\te{i + 1}\t{i % 10}.5\n" for i in range(0, WORDS - 4, 4))
        experiment = {"name": "x", "title": "X", "kind": "translation", "rows": [{"name": "a"}], "columns": [{"name": "b"}]}
        for path in sorted((ROOT / "experiments").glob("n*.json")):
            experiment = json.loads(path.read_text(encoding="utf-8"))
        (self.folder / "data").mkdir()
        lexicon = [["align", "en.vec", "es.vec", "--lexicon", "lexicon.txt", "--method", "procrustes", "-o", "out.wbmap"],
                   ["align", "en.vec", "es.vec", "--lexicon", "lexicon.txt", "--method", "procrustes", "--lenient", "-o",
                    "out.wbmap"],
                   ["report", *files, "--lexicon", "lexicon.txt", "-o", "out.html"],
                   ["evaluate", "translation", *files, "--lexicon", "lexicon.txt"]]
        mapping = ["bad.wbmap", "en.vec", "es.vec"]
        cases = [
            ("lexicon.txt", self.read("train.txt"), lexicon),
            ("lexicon.txt", self.read("induced.tsv"), lexicon),
            ("lexicon.txt", gzip.compress(self.read("train.txt")), lexicon),
            ("bad.wbmap", self.read("m.wbmap"), [["apply", "bad.wbmap", "en.vec", "-o", "out.vec"], ["export", "bad.wbmap"],
                                                 ["inspect", "bad.wbmap"], ["translate", *mapping, "e1"],
                                                 ["invert", "bad.wbmap", "-o", "out.wbmap"],
                                                 ["compose", "bad.wbmap", "m.wbmap", "-o", "out.wbmap"],
                                                 ["report", *mapping, "--lexicon", "test.txt", "-o", "out.html"]]),
            ("bad.txt", self.read("w.txt"), [["import", "bad.txt", "--normalize", "unit", "-o", "out.wbmap"]]),
            ("analogies.txt", analogies.encode(), [["evaluate", "analogy", "en.vec", "analogies.txt"],
                                                   ["evaluate", "analogy", "en.vec", "analogies.txt", "--lenient"]]),
            ("similar.tsv", similar.encode(), [["evaluate", "similarity", "en.vec", "similar.tsv"],
                                               ["evaluate", "similarity", "en.vec", "similar.tsv", "--lenient"]]),
            ("bad.json", json.dumps(experiment).encode(), [["reproduce", "bad.json", "--data", "data", "--cache", "cache"]]),
        ]
        self.attack_all(cases, SECONDS / 2)


if __name__ == "__main__":
    unittest.main()
