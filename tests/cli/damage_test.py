"""Missing, dirty and damaged inputs: what is wrong and where, in one line, and nothing left behind."""

import gzip
import os
import resource
import subprocess
import unittest

from program import SANITIZED, CommandLineTest, vec_text


class DamageTest(CommandLineTest):
    def with_line(self, number, line):
        """bad.vec: en.vec with one line (from 1) replaced."""
        lines = self.read("en.vec").decode().splitlines()
        lines[number - 1] = line
        return self.write("bad.vec", "\n".join(lines) + "\n")

    def align_error(self, code=1, source="bad.vec"):
        return self.fail(code, "align", source, "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap")

    def test_rows_that_are_damaged(self):
        for line in ("e5 1 2 3", "e5 1 2 3 4 5 6 7 nan", "e5 1 2 3 4 5 6 7 1e99", "e5 1 2 3 4 5 6 seven 8"):
            self.with_line(7, line)
            self.assertTrue(self.align_error().startswith("bad.vec:7: "), line)

    def test_lenient_skips_and_counts_them(self):
        self.with_line(7, "e5 1 2 3 4 5 6 7 nan")
        result = self.succeed("align", "bad.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", "--lenient")
        self.assertIn("bad.vec: 149 words", result.stderr)
        self.assertIn("skipped", result.stderr)
        for command in (["convert", "bad.vec", "out.vec"], ["inspect", "bad.vec"],
                        ["apply", "m.wbmap", "bad.vec", "-o", "out.vec"], ["translate", "m.wbmap", "bad.vec", "es.vec", "e1"],
                        ["evaluate", "translation", "m.wbmap", "bad.vec", "es.vec", "--lexicon", "test.txt"]):
            self.assertTrue(self.fail(1, *command).startswith("bad.vec:7: "), command)
            self.succeed(*command, "--lenient")

    def test_what_lenient_skips_is_said_with_quiet(self):
        self.with_line(7, "e5 1 2 3 4 5 6 7 nan")
        self.write("bad.txt", "one\n" + self.read("train.txt").decode())
        align = ["align", "bad.vec", "es.vec", "--lexicon", "bad.txt", "--method", "procrustes", "-o", "m.wbmap"]
        warned = self.succeed(*align, "--lenient", "-q").stderr.splitlines()
        self.assertRegex(warned[0], r"^wordbridge: warning: bad\.vec: 149 words.* 1 damaged row skipped \(first: bad\.vec:7: ")
        self.assertRegex(warned[1], r"^wordbridge: warning: bad\.txt: .*skipped.*bad\.txt:1: ")
        for command in (["convert", "bad.vec", "out.vec"], ["apply", "m.wbmap", "bad.vec", "-o", "out.vec"]):
            warned = self.succeed(*command, "--lenient", "-q").stderr.splitlines()
            self.assertRegex(warned[0], r"^wordbridge: warning: bad\.vec: 149 words.* 1 damaged row skipped")
        self.assertEqual(self.succeed("convert", "en.vec", "out.vec", "--lenient", "-q").stderr, "")

    def test_convert_counts_duplicates(self):
        self.with_line(7, "e4 1 2 3 4 5 6 7 8")
        for output in ("out.vec", "out.wbvec"):
            result = self.succeed("convert", "bad.vec", output)
            self.assertIn(f"{output} written, 1 duplicate kept (", result.stderr)
            self.assertRegex(self.succeed("inspect", output).stderr, "149 words.*1 duplicate set aside")
        self.assertIn("out.vec written (", self.succeed("convert", "en.vec", "out.vec").stderr)

    def test_a_header_that_promises_nothing(self):
        for text in ("0 100\n", "0 100", "\n0 100\n\n"):
            self.write("bad.vec", text)
            self.assertRegex(self.align_error(), r"^bad\.vec:[12]: the header promises no rows \(of dimension 100\), and none "
                                                 r"follow: there are no vectors in the file$")
        self.write("bad.vec", "0 8\n" + self.read("en.vec").decode().split("\n", 1)[1])  # a wrong count is dirt
        self.assertIn("150 words", self.succeed("inspect", "bad.vec").stderr)

    def test_dirt_is_counted(self):
        self.with_line(7, "e4 1 2 3 4 5 6 7 8")
        result = self.succeed("align", "bad.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap")
        self.assertRegex(result.stderr.splitlines()[0], r"bad\.vec: 149 words.*duplicate")

    def test_line_ends_of_old_macs(self):
        """Carriage returns alone end lines: the same words and values come out, of every kind of text."""
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "procrustes", "-o", "m.wbmap")
        self.succeed("export", "m.wbmap", "-o", "w.txt")
        self.succeed("convert", "en.vec", "x.npy")
        self.write("words.txt", "e1\ne2\n")
        self.write("x.vocab", self.read("x.vocab"))
        commands = {"en.vec": ["convert", "{}", "out.wbvec"], "w.txt": ["import", "{}", "-o", "out.wbmap"],
                    "train.txt": ["align", "en.vec", "es.vec", "--lexicon", "{}", "--method", "procrustes", "-o", "out"],
                    "words.txt": ["translate", "m.wbmap", "en.vec", "es.vec", "--input", "{}", "-o", "out"],
                    "x.vocab": ["convert", "x.npy", "out.wbvec", "--vocabulary", "{}"]}
        for name, command in commands.items():
            with self.subTest(name=name):
                text = self.read(name)
                results = []
                (self.folder / "same").mkdir(exist_ok=True)
                for ending in (b"\n", b"\r"):
                    self.write("same/text", text.replace(b"\r\n", b"\n").replace(b"\n", ending))
                    self.succeed(*[part.format("same/text") for part in command])
                    (out,) = [left for left in self.names() if left.startswith("out")]
                    results.append(self.read(out))
                    (self.folder / out).unlink()
                self.assertEqual(results[0], results[1])
        typed = self.succeed("translate", "m.wbmap", "en.vec", "es.vec", "-q", input="e1\re2")
        self.assertEqual(typed.stdout, self.succeed("translate", "m.wbmap", "en.vec", "es.vec", "-q", "e1", "e2").stdout)

    def test_files_that_are_no_vectors(self):
        self.write("bad.vec", "")
        self.assertTrue(self.align_error().startswith("bad.vec: "))
        self.write("bad.vec", "<!DOCTYPE html>\n<html><body>404 not found</body></html>\n")
        self.assertTrue(self.align_error().startswith("bad.vec:"))
        (self.folder / "folder.vec").mkdir()
        self.assertTrue(self.align_error(source="folder.vec").startswith("folder.vec: "))
        self.assertTrue(self.align_error(source="missing.vec").startswith("missing.vec: "))

    def test_a_small_file_that_decompresses_to_an_endless_one(self):
        header = b"10 8\n"
        bomb = gzip.compress(header + b"x" * (200 << 20), 1)
        self.write("bomb.vec.gz", bomb)
        self.write("bomb.txt.gz", gzip.compress(b"e1 s1\n" + b"x" * (200 << 20), 1))
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))}
        for arguments in (["convert", "bomb.vec.gz", "out.vec"],
                          ["align", "bomb.vec.gz", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap"],
                          ["align", "en.vec", "es.vec", "--lexicon", "bomb.txt.gz", "-o", "m.wbmap"]):
            error = self.fail(1, *arguments, **(limit if not SANITIZED else {}))
            self.assertRegex(error, r"^bomb\.[a-z.]*:2: a line of more than 64 MB: not a ")
        os.mkdir(self.path("data"))
        self.write("experiment.gz", gzip.compress(b"[" + b" " * (40 << 20), 1))
        error = self.fail(1, "reproduce", "experiment.gz", "--data", "data")
        self.assertEqual(error, "experiment.gz: has more than 16777216 bytes: not an experiment")

    def test_cut_off_compression(self):
        whole = gzip.compress(self.read("en.vec"))
        self.write("bad.vec.gz", whole[: len(whole) // 2])
        self.assertTrue(self.align_error(source="bad.vec.gz").startswith("bad.vec.gz"))
        result = self.succeed("convert", "bad.vec.gz", "out.vec", "--lenient")
        self.assertRegex(result.stderr, r"bad\.vec\.gz: \d+ words.*skipped \(first: bad\.vec\.gz:\d+: ")

    def test_a_file_cut_in_a_row(self):
        text = self.read("en.vec").rstrip()
        for cut in (1, 30, len(text) // 2):  # in the last number of all, a few numbers before, in the middle
            self.write("bad.vec", text[:-cut].rstrip(b"\n "))
            lines = text[:-cut].count(b"\n") + 1
            if cut > 1:
                self.assertTrue(self.align_error().startswith(f"bad.vec:{lines}: "), cut)
            self.succeed("convert", "bad.vec", "out.vec", "--lenient")

    def test_a_missing_second_file_is_found_before_the_first_is_read(self):
        os.mkfifo(self.path("never-written.vec"))  # reading it would wait for ever
        self.assertIn("missing.vec", self.fail(1, "align", "never-written.vec", "missing.vec", "--lexicon", "train.txt",
                                               "-o", "m.wbmap"))
        self.assertIn("missing.txt", self.fail(1, "align", "never-written.vec", "es.vec", "--lexicon", "missing.txt",
                                               "-o", "m.wbmap"))
        self.align()
        self.assertIn("missing.vec", self.fail(1, "translate", "m.wbmap", "never-written.vec", "missing.vec", "e1"))
        self.write("short.vec", vec_text(self.target_words, [row[:5] for row in self.target_rows]))
        self.assertIn("dimension 5", self.fail(2, "translate", "m.wbmap", "never-written.vec", "short.vec", "e1"))

    def test_outputs_that_cannot_be_written_are_found_before_anything_is_read(self):
        os.mkfifo(self.path("never-written.vec"))
        self.align()
        for arguments in (["align", "never-written.vec", "es.vec", "--lexicon", "train.txt", "-o", "no/m.wbmap"],
                          ["evaluate", "translation", "m.wbmap", "never-written.vec", "es.vec", "--lexicon", "test.txt",
                           "--details", "no/d.tsv"],
                          ["import", "never-written.vec", "-o", "no/m.wbmap"]):
            self.assertRegex(self.fail(1, *arguments), r"\Ano/\S+: cannot create: ")
        for arguments in (["convert", "en.vec", "no/x.vec"], ["apply", "m.wbmap", "en.vec", "-o", "no/x.vec"]):
            self.assertRegex(self.fail(1, *arguments), r"\Ano/\S+: cannot create: ")

    @unittest.skipIf(os.geteuid() == 0, "root may write anywhere")
    def test_folders_without_permission(self):
        (self.folder / "locked").mkdir(mode=0o500)
        self.assertIn("locked", self.fail(1, "convert", "en.vec", "locked/x.vec"))

    def test_lexicons(self):
        for text, line in (("one\n", 1), ("e1 s1\ne2 s2 s3\n", 2)):
            self.write("bad.txt", text)
            self.assertTrue(self.fail(1, "align", "en.vec", "es.vec", "--lexicon", "bad.txt", "-o",
                                      "m.wbmap").startswith(f"bad.txt:{line}: "))
        self.write("bad.txt", "nothing nada\n")
        self.assertTrue(self.fail(1, "align", "en.vec", "es.vec", "--lexicon", "bad.txt", "-o",
                                  "m.wbmap").startswith("bad.txt: "))

    def test_mappings(self):
        self.align()
        good = self.read("m.wbmap")
        bad = {"cut off": good[:-10], "damaged": good[:60] + bytes([good[60] ^ 1]) + good[61:], "empty": b"",
               "not a mapping": self.read("en.vec"), "newer": good[:8] + b"\x07" + good[9:]}
        for what, content in bad.items():
            self.write("bad.wbmap", content)
            for command in (["apply", "bad.wbmap", "en.vec", "-o", "out.vec"], ["export", "bad.wbmap"],
                            ["translate", "bad.wbmap", "en.vec", "es.vec", "e1"]):
                message = self.fail(1, *command)
                self.assertTrue(message.startswith("bad.wbmap: "), message)
                self.assertIn(what, message)

    def test_an_older_file_survives_a_failure(self):
        self.write("out.vec", "precious")
        self.with_line(100, "e98 1 2 3 4 5 6 7 nan")
        self.fail(1, "convert", "bad.vec", "out.vec")
        self.assertEqual(self.read("out.vec"), b"precious")

    def test_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        with open("/dev/full", "wb") as full:
            self.align()
            for command in (["--help"], ["--version"], ["export", "m.wbmap", "-q"], ["inspect", "en.vec", "-q"]):
                result = self.run_program(*command, stdout=full)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, r"\Awordbridge: standard output: cannot write[^\n]*\n\Z")


if __name__ == "__main__":
    unittest.main()
