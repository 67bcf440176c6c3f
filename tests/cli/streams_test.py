"""Outputs that are no files, and words that hold anything"""

import os
import pathlib
import pty
import subprocess
import threading
import unittest

from program import WORDBRIDGE, CommandLineTest, vec_text

HOSTILE = ["tab\there", "new\x0bline", "esc\x1b[31m", "back\\slash", "\\t", "c1\u0085x", "nul\x00x", "del\x7f", "=1+1",
           "-", "# comment", "#", "a b", "\u00a0x", "\\x41", "bell\x07", "quote\"", "x\\", "日本"]


class StreamTest(CommandLineTest):
    def run_bytes(self, *arguments, **options):
        return subprocess.run([WORDBRIDGE, *arguments], cwd=self.folder, capture_output=True, timeout=60, check=False,
                              **options)

    def test_a_dash_is_standard_output(self):
        self.align()
        for arguments, option in ((["convert", "en.vec"], []), (["apply", "m.wbmap", "en.vec"], ["-o"])):
            for form in ("text", "word2vec", "native"):
                self.succeed(*arguments, *option, "file.out", "--to", form)
                result = self.run_bytes(*arguments, *option, "-", "--to", form, "-q")
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                self.assertEqual(result.stdout, self.read("file.out"))
        result = self.run_bytes("convert", "en.vec", "-")
        self.assertIn(b"standard output written", result.stderr)
        self.assertFalse(os.path.exists(self.path("-")))

    def test_a_dash_for_induced_pairs(self):
        self.align()
        self.succeed("induce", "m.wbmap", "en.vec", "es.vec", "-o", "out.tsv")
        result = self.run_bytes("induce", "m.wbmap", "en.vec", "es.vec", "-o", "-", "-q")
        self.assertEqual(result.stdout, self.read("out.tsv"))

    def test_from_a_pipe_to_a_pipe(self):
        result = self.run_bytes("convert", "-", "-", "-q", input=self.read("en.vec"))
        self.succeed("convert", "en.vec", "file.vec")
        self.assertEqual(result.stdout, self.read("file.vec"))
        self.write("-", "a file of that name")
        result = self.run_bytes("convert", "-", "-", "-q", input=self.read("en.vec"))
        self.assertEqual(result.stdout, self.read("file.vec"))
        self.assertEqual(self.read("-"), b"a file of that name")

    def test_named_pipes_and_devices(self):
        self.succeed("convert", "en.vec", "file.wbvec")
        os.mkfifo(self.path("pipe"))
        got = []
        reader = threading.Thread(target=lambda: got.append(pathlib.Path(self.path("pipe")).read_bytes()))
        reader.start()
        self.succeed("convert", "en.vec", "pipe", "--to", "native")
        reader.join(timeout=60)
        self.assertEqual(got, [self.read("file.wbvec")])
        self.assertEqual(self.run_bytes("convert", "en.vec", "/dev/stdout", "--to", "native", "-q").stdout,
                         self.read("file.wbvec"))
        self.succeed("convert", "en.vec", "/dev/null", "--to", "text")
        self.assertIn("No space left", self.fail(1, "convert", "en.vec", "/dev/full", "--to", "text"))

    def test_what_a_pipe_cannot_hold(self):
        self.assertIn("two files", self.fail(2, "convert", "en.vec", "-", "--to", "npy"))
        self.assertIn("--to", self.fail(2, "convert", "en.vec", "/dev/null"))

    def test_nothing_reaches_the_pipe_where_reading_fails(self):
        self.write("bad.vec", self.read("en.vec") + b"e9999 1 2\n")
        result = self.run_bytes("convert", "bad.vec", "-", "-q")
        self.assertEqual((result.returncode, result.stdout), (1, b""))


class HostileWordTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        count = len(HOSTILE)
        words = HOSTILE + self.source_words[count:]
        self.write("words.txt", "\n".join(words) + "\n")
        self.write("plain.vec", vec_text(self.source_words, self.source_rows))
        self.succeed("convert", "plain.vec", "hostile.npy")
        self.write("hostile.vocab", "\n".join(words) + "\n")
        self.succeed("convert", "hostile.npy", "hostile.wbvec", "--vocabulary", "hostile.vocab")
        self.succeed("align", "plain.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap")
        self.words = words

    def test_induced_pairs_come_back(self):
        self.succeed("induce", "m.wbmap", "hostile.wbvec", "hostile.wbvec", "-o", "out.tsv")
        lines = self.read("out.tsv").decode().split("\n")[1:-1]
        self.assertEqual(len(lines), len(self.words))
        self.assertTrue(all(len(line.split("\t")) == 5 for line in lines))
        result = self.succeed("align", "hostile.wbvec", "hostile.wbvec", "--lexicon", "out.tsv", "-o", "n.wbmap",
                              "--method", "procrustes")
        self.assertIn(f"{len(lines)} of {len(lines)} source words, {len(lines)} of {len(lines)} pairs", result.stderr)

    def on_terminal(self, *arguments):
        """What the program shows on a terminal."""
        parent, child = pty.openpty()
        process = subprocess.Popen([WORDBRIDGE, *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=child,
                                   stderr=child, env={**os.environ, "TERM": "dumb"})
        os.close(child)
        shown = b""
        while True:
            try:
                piece = os.read(parent, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
        process.wait(timeout=60)
        os.close(parent)
        return shown

    def test_terminals_are_not_steered(self):
        files = ["m.wbmap", "hostile.wbvec", "hostile.wbvec"]
        for arguments in (["translate", *files, "esc\x1b[31m", "c1\u0085x", "bell\x07", "--criterion", "nn"],
                          ["translate", *files, "esc\x1b[31m", "--json"], ["inspect", "hostile.wbvec"],
                          ["induce", *files], ["convert", "hostile.npy", "-", "--vocabulary", "hostile.vocab"],
                          ["inspect", "esc\x1b[31m\u009b.vec"]):
            shown = self.on_terminal(*arguments)
            self.assertNotIn(b"\x1b", shown, arguments)
            self.assertNotIn(b"\x07", shown, arguments)
            self.assertNotIn(b"\xc2\x85", shown, arguments)
            self.assertNotIn(b"\xc2\x9b", shown, arguments)
        self.assertIn(b"esc\\x1b[31m", self.on_terminal("translate", *files, "esc\x1b[31m"))

    def test_pipes_get_the_bytes(self):
        result = subprocess.run([WORDBRIDGE, "inspect", "hostile.wbvec", "-q"], cwd=self.folder, capture_output=True,
                                timeout=60, check=True)
        self.assertIn(b"esc\x1b[31m", result.stdout)


if __name__ == "__main__":
    unittest.main()
