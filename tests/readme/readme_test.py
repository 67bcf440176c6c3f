"""Every command that README.md, the tour and the tutorial show is run on the sample, and what they show comes out.

In the documents,
- a block ```console holds commands, behind `$ `, and what they print. A line `...` stands for any lines; times are not
  compared, fractions only to six percent, because another processor may round differently.
- a block ```sh holds commands alone, whose success is all that is checked;
- a block ```cpp is the program in examples/ that the comment above it names, which the build compiles;
- a block ```python is run by the tests of the Python package (python/tests/documentation_test.py);
- a block ```cmake is part of the project in tests/install/consumer, which tests/install builds.
Other blocks must be ```text. Commands run in a folder of their own that sees the sample under data/ and the program
under test as build/release/wordbridge and as wordbridge.
"""

import os
import pathlib
import pty
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WORDBRIDGE_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"])
# Each goes on where the one before ends.
CHAINS = [["README.md", "docs/tour.md", "docs/library.md"], ["docs/tutorial.md"], ["docs/embedding-models.md"], ["docs/dictionaries.md"]]
DOCUMENTS = sum(CHAINS, [])

# Commands that cannot run here, each with the reason.
NOT_RUN = {
    "./test": "is what runs this test",
    "git clone": "needs the network",
    "sudo ": "changes the machine; the same without sudo is tested in tests/install",
}

# Commands that answer until they are told to end.
SERVERS = ("wordbridge studio", "wordbridge serve")

BLOCK = re.compile(r"^(?:<!-- (?P<note>.*?) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
TIME = re.compile(r"\b\d+(\.\d+)? (ms|s|min)\b|\b\d+:\d\d min\b")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def blocks(document):
    """(line number, note, kind, text) of each fenced block."""
    text = (SOURCE / document).read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match["note"], match["kind"], match["text"]


def commands_of(kind, text):
    """[(command, lines shown below it)]."""
    commands = []
    continued = False
    for line in text.splitlines():
        if continued:
            commands[-1][0] += "\n" + line
        elif kind == "sh":
            if line.strip() and not line.startswith("#"):
                commands.append([line, []])
            else:
                continue
        elif line.startswith("$ "):
            commands.append([line[2:], []])
        elif commands:
            commands[-1][1].append(line)
        else:
            raise AssertionError(f"a console block begins with '$ ', not with: {line}")
        continued = line.endswith("\\") and (continued or kind == "sh" or line.startswith("$ "))
    return [(command, shown) for command, shown in commands]


def same_number(shown, found):
    if "." not in shown:
        return shown == found
    return abs(float(shown) - float(found)) <= max(0.06 * abs(float(shown)), 0.01)


def same_line(shown, found):
    """Equal words; numbers may differ a little, times at will."""
    shown, found = (TIME.sub("<time>", " ".join(line.split())) for line in (shown, found))
    if NUMBER.sub("#", shown) != NUMBER.sub("#", found):
        return False
    return all(same_number(a, b) for a, b in zip(NUMBER.findall(shown), NUMBER.findall(found)))


def matches(shown, found):
    """Whether the shown lines are the found ones, `...` standing for any number of lines."""
    if not shown:
        return not found
    if shown[0].strip() == "...":
        return any(matches(shown[1:], found[i:]) for i in range(len(found) + 1))
    return bool(found) and same_line(shown[0], found[0]) and matches(shown[1:], found[1:])


class Shell:
    """Runs commands as a person would see them: standard output is a terminal."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "build").mkdir()
        (folder / "build/release").symlink_to(BUILD)
        for name in ("data", "demo", "tools", "packages.txt", "CMakeLists.txt", "CMakePresets.json"):
            (folder / name).symlink_to(SOURCE / name)
        self.environment = os.environ | {
            "PATH": f"{pathlib.Path(os.environ['WORDBRIDGE']).parent}:{os.environ['PATH']}",
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "120",
        }

    def run(self, command):
        """(exit code, lines): first what went to standard error, then to standard output."""
        master, slave = pty.openpty()
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(["bash", "-c", "set -euo pipefail\n" + command], cwd=self.folder,
                                       env=self.environment, stdin=subprocess.DEVNULL, stdout=slave, stderr=errors)
            os.close(slave)
            output = b""
            while True:
                try:
                    piece = os.read(master, 65536)
                except OSError:  # how Linux says that the last writer has closed the terminal
                    break
                if not piece:
                    break
                output += piece
            os.close(master)
            code = process.wait()
            errors.seek(0)
            text = errors.read() + output.replace(b"\r\n", b"\n")
        return code, text.decode("utf-8").splitlines()


    def serve(self, command):
        """The same for a server, which is told to end as soon as it has said where it answers."""
        with subprocess.Popen(["bash", "-c", "exec " + command], cwd=self.folder, env=self.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            address = process.stdout.readline()
            process.terminate()
            output, errors = process.communicate()
        return process.returncode, (errors + address + output).decode("utf-8").splitlines()


class ReadmeTest(unittest.TestCase):
    def test_every_command_runs_and_prints_what_is_shown(self):
        for chain in CHAINS:
            with tempfile.TemporaryDirectory() as folder:
                shell = Shell(pathlib.Path(folder))
                for document, (line, _, kind, text) in ((one, block) for one in chain for block in blocks(one)):
                    if kind in ("console", "sh"):
                        for command, shown in commands_of(kind, text):
                            with self.subTest(f"{document}:{line}: {command}"):
                                self.check(shell, kind, command, shown)

    def test_the_shortest_ways_in(self):
        """The commands of the first table, on the sample under the names that the table uses, and its picture."""
        readme = (SOURCE / "README.md").read_text(encoding="utf-8")
        table = re.search(r"^\| you want to \|.*?\n\n", readme, re.S | re.M)[0]
        commands = [command for command in re.findall(r"`(wordbridge [^`]*)`", table)
                    if "..." not in command and "DATA" not in command]
        self.assertGreaterEqual(len(commands), 5)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            shell = Shell(folder)
            for name, file in (("en.vec", "en.vec.xz"), ("es.vec", "es.vec.xz")):
                self.check(shell, "sh", f"wordbridge convert data/sample/{file} {name}", [])
            for name in ("new.npy", "old.npy", "queries.npy", "1900.vec", "2000.vec"):
                self.check(shell, "sh", f"wordbridge convert en.vec {name} --max-words 2000", [])
            for name, file in (("en-es.txt", "en-es.train.txt"), ("test.txt", "en-es.test.txt")):
                (folder / name).symlink_to(SOURCE / "data/sample" / file)
            sample = SOURCE / "data/sample"
            pairs = [line.split() for line in (sample / "en-es.train.txt").read_text(encoding="utf-8").splitlines()]
            for column, name in enumerate(("en.txt", "es.txt")):
                (folder / name).write_text("".join(f"{pair[column]}\n" for pair in pairs), encoding="utf-8")
            (folder / "languages.toml").write_text(
                'pivot = "en"\nmax-words = 2000\n'
                + "".join(f'[languages.{one}]\nvectors = "{sample}/{one}.vec.xz"\n' for one in ("en", "es", "de"))
                + "".join(f'[lexicons.{one}-en]\ntrain = "{sample}/{one}-en.train.txt"\n' for one in ("es", "de")))
            for command in commands:
                with self.subTest(command):
                    self.check(shell, "sh", command, [])
            code, drawn = shell.run("tools/readme_picture report.html")
            self.assertEqual(code, 0, drawn)
        word = re.compile(r">([^<>]+)</text>")
        shown = set(word.findall((SOURCE / "docs/pictures/one-space.svg").read_text(encoding="utf-8")))
        self.assertGreaterEqual(len(shown), 20)
        # Another processor may round differently, and find room for other words.
        self.assertGreaterEqual(len(shown & set(word.findall("\n".join(drawn)))), len(shown) / 2)

    def check(self, shell, kind, command, shown):
        if any(command.startswith(start) for start in NOT_RUN):
            return
        code, found = shell.serve(command) if command.startswith(SERVERS) else shell.run(command)
        self.assertEqual(code, 0, "\n".join(found))
        if kind == "console":
            self.assertTrue(matches(shown, found), "\nshown:\n" + "\n".join(shown) + "\nfound:\n" + "\n".join(found))

    def test_every_program_shown_is_one_that_is_built(self):
        for document in DOCUMENTS:
            for line, note, kind, text in blocks(document):
                with self.subTest(f"{document}:{line}"):
                    self.assertIn(kind, ("console", "sh", "cpp", "cmake", "python", "text"))
                    if kind == "cpp":
                        self.assertEqual(text, (SOURCE / note).read_text(encoding="utf-8"))
                    if kind == "cmake":
                        consumer = SOURCE / "tests/install/consumer/CMakeLists.txt"
                        self.assertIn(text, consumer.read_text(encoding="utf-8"))

    def test_links_lead_somewhere(self):
        for document in sorted(SOURCE.glob("*.md")) + sorted(SOURCE.glob("docs/**/*.md")):
            for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", document.read_text(encoding="utf-8")):
                if not target.startswith(("http://", "https://", "mailto:")):
                    with self.subTest(f"{document.name}: {target}"):
                        self.assertTrue((document.parent / target).exists())


class MatchingTest(unittest.TestCase):
    """The comparison itself can fail."""

    def test_numbers_and_times(self):
        self.assertTrue(same_line("P@1 44.0 (0.3 s)", "P@1  44.9 (12.25 s)"))
        self.assertFalse(same_line("100 words", "101 words"))
        self.assertFalse(same_line("P@1 44.0", "P@1 47.0"))
        self.assertFalse(same_line("house casa", "house coche"))

    def test_gaps(self):
        self.assertTrue(matches(["a", "...", "d"], ["a", "b", "c", "d"]))
        self.assertFalse(matches(["a", "d"], ["a", "b", "d"]))
        self.assertFalse(matches(["a", "...", "d"], ["a", "b"]))
        self.assertTrue(matches([], []))
        self.assertFalse(matches([], ["unexpected"]))


if __name__ == "__main__":
    unittest.main()
