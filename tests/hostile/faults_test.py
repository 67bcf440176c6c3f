"""Every system call that writes may fail, or be the last one before a signal: the output is the older one or complete,
the exit code is right, and nothing is left behind"""

import os
import pathlib
import shutil
import signal
import unittest

from hostile import SANITIZED, SECONDS, Deadline, HostileTest, misbehavior

LIBRARY = pathlib.Path(os.environ.get("WORDBRIDGE_BINARY_DIR", ".")) / "tests/libfault_injection.so"
MOST_CALLS = 2000
SIGNALS = {name: getattr(signal, name) for name in ("SIGKILL", "SIGINT", "SIGTERM")}


@unittest.skipIf(SANITIZED, "the sanitizers want to be loaded first")
@unittest.skipUnless(LIBRARY.exists(), f"{LIBRARY} is not built")
class FaultTest(HostileTest):
    def setUp(self):
        super().setUp()
        self.succeed("align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "procrustes", "-o", "m.wbmap")
        self.succeed("convert", "en.vec", "en.wbvec")
        self.tried = 0
        self.environment = {}

    def state(self, outputs):
        return tuple(self.read(name) if (self.folder / name).exists() else None for name in outputs)

    def reset(self, older):
        for name, content in older.items():
            if content is None:
                (self.folder / name).unlink(missing_ok=True)
            else:
                self.write(name, content)

    def torn_pair_is_noticed(self, outputs):
        """Two names cannot appear at once; but the reader must see it."""
        table = [name for name in outputs if name.endswith(".npy")]
        return table and self.end("convert", table[0], "back.vec")[0] == 1

    def check(self, older, kind, arguments, complete):
        """Fails call after call until the run passes by itself."""
        outputs = list(older)
        before = tuple(older.values())
        mark = self.folder.parent / (self.folder.name + ".mark")
        self.addCleanup(lambda: mark.unlink(missing_ok=True))
        for call in range(1, MOST_CALLS):
            self.reset(older)
            names = self.names()
            mark.unlink(missing_ok=True)
            code, stderr = self.end(*arguments, "--threads", "1", environment={
                "LD_PRELOAD": str(LIBRARY), "WORDBRIDGE_FAULT_CALL": str(call), "WORDBRIDGE_FAULT_KIND": kind,
                "WORDBRIDGE_FAULT_MARK": str(mark), **self.environment})
            self.tried += 1
            what = f"{' '.join(arguments)}, {kind} in call {call} ({mark.read_text() if mark.exists() else 'none'}): " \
                   f"{code}, {stderr.decode('utf-8', 'replace')}"
            ended = kind in SIGNALS and code == -SIGNALS[kind]
            if not ended:
                self.assertEqual(misbehavior(code, stderr), "", what)
            if kind == "SIGKILL" and self.hidden():  # in the moment in which a file takes the place of another
                self.succeed("convert", "en.vec", "swept.vec")
                (self.folder / "swept.vec").unlink()
            after = self.state(outputs)
            if code == 0:
                self.assertEqual(after, complete, what)
            elif after not in (before, complete):
                self.assertTrue(self.torn_pair_is_noticed(outputs), what)
                (self.folder / "back.vec").unlink(missing_ok=True)
            self.assertEqual([name for name in self.names() if name not in outputs],
                             [name for name in names if name not in outputs], what)
            if not mark.exists():
                self.assertEqual(code, 0, what)
                return
            if self.deadline:
                self.skipped = True
                return
        self.fail(f"{arguments}: no end of calls")

    def run_all(self, *arguments, outputs):
        nothing = {name: None for name in outputs}
        self.reset(nothing)
        # As many words as in the newer ones: nothing but the words tells a torn pair.
        self.write("other.vec", self.read("en.vec").replace(b"e", b"o"))
        self.succeed("convert", "other.vec", "older.npy")
        older = {name: self.read("older.vocab" if name.endswith(".vocab") else "older.npy") for name in outputs}
        self.succeed(*arguments, "--threads", "1")
        complete = self.state(outputs)
        for older in (older, nothing):
            for kind in ("ENOSPC", "EIO", "short", *SIGNALS):
                with self.subTest(arguments=arguments, kind=kind, older=older is not nothing):
                    self.check(older, kind, arguments, complete)
        self.reset(nothing)

    def cases(self, seconds_share, *cases):
        self.deadline = Deadline(seconds_share)
        self.skipped = False
        for arguments, outputs in cases:
            self.run_all(*arguments, outputs=outputs)
        self.tell(f"{self.tried} runs with a fault{', not all in time' if self.skipped else ''}")

    def test_convert(self):
        self.cases(SECONDS, *(((["convert", "en.vec", name], outputs)) for name, outputs in (
            ("out.vec", ["out.vec"]), ("out.vec.gz", ["out.vec.gz"]), ("out.w2v", ["out.w2v"]),
            ("out.wbvec", ["out.wbvec"]), ("out.npy", ["out.npy", "out.vocab"]))),
                   (["convert", "en.wbvec", "out.vec"], ["out.vec"]))

    def test_convert_where_files_have_names(self):
        self.environment = {"WORDBRIDGE_FAULT_NAMES": "1"}
        self.cases(SECONDS, (["convert", "en.vec", "out.vec"], ["out.vec"]),
                   (["convert", "en.vec", "out.npy"], ["out.npy", "out.vocab"]))

    def test_apply(self):
        self.cases(SECONDS, (["apply", "m.wbmap", "en.vec", "-o", "out.vec"], ["out.vec"]),
                   (["apply", "m.wbmap", "en.wbvec", "-o", "out.npy"], ["out.npy", "out.vocab"]))

    def test_a_full_disk_for_checkpoints(self):
        training = ["align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "rcsls",
                    "--learning-rate", "1", "--epochs", "6"]
        self.succeed(*training, "-o", "plain.wbmap")
        full = {"LD_PRELOAD": str(LIBRARY), "WORDBRIDGE_FAULT_FULL": "/state/"}
        (self.folder / "state").mkdir()
        for resume in ([], ["--resume"]):
            before = self.names(), self.state(["state/checkpoint.wbstate"])
            (self.folder / "out.wbmap").unlink(missing_ok=True)
            code, stderr = self.end("--quiet", *training, "-o", "out.wbmap", "--checkpoint", "state", *resume,
                                    environment=full)
            self.assertEqual(code, 0, stderr)
            self.assertRegex(stderr.decode(), r"\Awordbridge: warning: no checkpoint .*No space left on device.*\n\Z")
            self.assertEqual(self.read("out.wbmap"), self.read("plain.wbmap"))
            self.assertEqual(self.state(["state/checkpoint.wbstate"]), before[1], "the last whole one stays")
            # Ended in its third step, a run leaves a checkpoint to go on from.
            mark = self.folder / "mark"
            for call in range(1, MOST_CALLS):
                mark.unlink(missing_ok=True)
                self.end(*training, "-o", "killed.wbmap", "--checkpoint", "state", environment={
                    "LD_PRELOAD": str(LIBRARY), "WORDBRIDGE_FAULT_CALL": str(call), "WORDBRIDGE_FAULT_KIND": "SIGKILL",
                    "WORDBRIDGE_FAULT_MARK": str(mark)})
                if (self.folder / "state/checkpoint.wbstate").exists():
                    break

    def test_small_outputs(self):
        files = ["m.wbmap", "en.wbvec", "es.vec"]
        self.succeed("invert", "m.wbmap", "-o", "back.wbmap")
        self.succeed("export", "m.wbmap", "-o", "matrix.txt")
        self.cases(SECONDS, (["invert", "m.wbmap", "-o", "out.wbmap"], ["out.wbmap"]),
                   (["compose", "m.wbmap", "back.wbmap", "-o", "out.wbmap"], ["out.wbmap"]),
                   (["import", "matrix.txt", "-o", "out.wbmap"], ["out.wbmap"]),
                   (["export", "m.wbmap", "-o", "out.txt"], ["out.txt"]),
                   (["translate", *files, "e1", "-o", "out.txt"], ["out.txt"]),
                   (["evaluate", "translation", *files, "--lexicon", "test.txt", "--details", "out.txt"], ["out.txt"]),
                   (["report", *files, "--lexicon", "test.txt", "-o", "out.html"], ["out.html"]))

    def test_align_and_induce(self):
        self.cases(SECONDS, (["align", "en.vec", "es.vec", "--lexicon", "train.txt", "--method", "procrustes", "-o",
                              "out.wbmap"], ["out.wbmap"]),
                   (["induce", "m.wbmap", "en.wbvec", "es.vec", "-o", "out.tsv"], ["out.tsv"]))

    def test_hub(self):
        """Whatever call fails, repeating the command ends with the same bytes as if nothing had happened."""
        self.write("list.toml", 'pivot = "es"\n[languages.es]\nvectors = "es.vec"\n[languages.en]\n'
                   'vectors = "en.vec"\n[lexicons.en-es]\ntrain = "train.txt"\ntest = "test.txt"\n')
        hub = ["hub", "list.toml", "--threads", "1", "-o"]
        results = ["manifest.json", "report.html", "languages/en.wbmap"]
        self.succeed(*hub, "whole")
        whole = self.state([f"whole/{name}" for name in results])
        mark = self.folder / "mark"
        deadline = Deadline(SECONDS / 6)
        for call in (*range(1, 12), *range(12, MOST_CALLS, 5)):
            for kind in ("ENOSPC", "SIGKILL") if call % 2 else ("EIO", "short"):
                mark.unlink(missing_ok=True)
                code, stderr = self.end(*hub, "space", environment={
                    "LD_PRELOAD": str(LIBRARY), "WORDBRIDGE_FAULT_CALL": str(call), "WORDBRIDGE_FAULT_KIND": kind,
                    "WORDBRIDGE_FAULT_MARK": str(mark)})
                what = f"{kind} in call {call}: {code}, {stderr.decode('utf-8', 'replace')}"
                if code != -signal.SIGKILL:
                    self.assertEqual(misbehavior(code, stderr), "", what)
                self.succeed(*hub, "space")
                self.assertEqual(self.state([f"space/{name}" for name in results]), whole, what)
                shutil.rmtree(self.folder / "space")
                self.tried += 1
            if not mark.exists() or deadline:
                break
        self.tell(f"{self.tried} hubs with a fault")


if __name__ == "__main__":
    unittest.main()
