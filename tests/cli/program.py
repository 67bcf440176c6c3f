"""What the tests of the command line share: running the program, and small files to run it on."""

import math
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import unittest

# Whoever starts the tests by nohup, or in the background of a script, has these ignored, and every child would inherit
# that. A handler is not inherited: programs start with the default, as from a terminal.
for ignored, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, lambda *_: None)):
    if signal.getsignal(ignored) == signal.SIG_IGN:
        signal.signal(ignored, handler)

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORDBRIDGE = os.path.abspath(os.environ.get("WORDBRIDGE", ROOT / "build/release/wordbridge"))
SANITIZED = os.environ.get("WORDBRIDGE_SANITIZED") == "1"
DIMENSION = 8
WORDS = 150
TRAIN = 90  # the first words are the training lexicon, the others the test lexicon


def random_rows(rng, count, dimension=DIMENSION):
    return [[rng.gauss(0, 1) for _ in range(dimension)] for _ in range(count)]


def random_rotation(rng, dimension=DIMENSION):
    """Orthonormal rows, by Gram and Schmidt."""
    rows = []
    while len(rows) < dimension:
        row = [rng.gauss(0, 1) for _ in range(dimension)]
        for other in rows:
            overlap = sum(a * b for a, b in zip(row, other))
            row = [a - overlap * b for a, b in zip(row, other)]
        length = math.sqrt(sum(a * a for a in row))
        rows.append([a / length for a in row])
    return rows


def vec_text(words, rows, header=True):
    lines = [f"{len(words)} {len(rows[0])}"] if header else []
    lines += [" ".join([word] + [f"{value:.5f}" for value in row]) for word, row in zip(words, rows)]
    return "\n".join(lines) + "\n"


def read_vec(path):
    """Words and rows of a text file with a header."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    words, rows = [], []
    for line in lines[1:]:
        fields = line.split(" ")
        words.append(fields[0])
        rows.append([float(field) for field in fields[1:]])
    return words, rows


class CommandLineTest(unittest.TestCase):
    """A new folder for each test, with two languages in it: word eI of en.vec translates word sI of es.vec."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="wordbridge-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        rng = random.Random(1)
        self.source_words = [f"e{i}" for i in range(WORDS)]
        self.target_words = [f"s{i}" for i in range(WORDS)]
        self.source_rows = random_rows(rng, WORDS)
        rotation = random_rotation(rng)
        self.target_rows = [
            [sum(w * x for w, x in zip(row_of_w, x_row)) + rng.gauss(0, 0.02) for row_of_w in rotation]
            for x_row in self.source_rows
        ]
        self.write("en.vec", vec_text(self.source_words, self.source_rows))
        self.write("es.vec", vec_text(self.target_words, self.target_rows))
        self.write("train.txt", "".join(f"e{i} s{i}\n" for i in range(TRAIN)))
        self.write("test.txt", "".join(f"e{i}\ts{i}\n" for i in range(TRAIN, WORDS)))

    def path(self, name):
        return str(self.folder / name)

    def write(self, name, content):
        path = self.folder / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content, encoding="utf-8", newline="")
        return str(path)

    def read(self, name):
        return (self.folder / name).read_bytes()

    def names(self):
        """All files of the folder, temporary ones too."""
        return sorted(path.name for path in self.folder.iterdir())

    def start(self, *arguments, **options):
        settings = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
                    "cwd": self.folder}
        settings.update(options)
        return subprocess.Popen([WORDBRIDGE, *arguments], **settings)

    def run_program(self, *arguments, input=None, **options):
        """Runs the program; the result has returncode, stdout and stderr (text)."""
        if input is not None:
            options["stdin"] = subprocess.PIPE
        with self.start(*arguments, **options) as process:
            data = input.encode("utf-8") if isinstance(input, str) else input
            stdout, stderr = process.communicate(data, timeout=120)
        return subprocess.CompletedProcess(arguments, process.returncode, (stdout or b"").decode("utf-8", "replace"),
                                           (stderr or b"").decode("utf-8", "replace"))

    def succeed(self, *arguments, **options):
        result = self.run_program(*arguments, **options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def fail(self, code, *arguments, **options):
        """Runs the program, which must end with `code` and one line on standard error; returns that line."""
        if not isinstance(code, int):  # unittest's own fail(message)
            super().fail(code)
        before = self.names()
        result = self.run_program("--quiet", *arguments, **options)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stdout, "")
        self.assertRegex(result.stderr, r"\Awordbridge: [^\n]+\n\Z")
        self.assertEqual(self.names(), before, "a failure leaves nothing behind")
        return result.stderr[len("wordbridge: "):-1]

    def align(self, name="m.wbmap", *options):
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", name, *options)
        return name
