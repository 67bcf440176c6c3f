"""Terminals, pipes and signals."""

import os
import pathlib
import pty
import signal
import subprocess
import sys
import time
import unittest

from program import WORDBRIDGE, CommandLineTest

PATIENCE = 60  # seconds after which something that should happen has not


def wait_until(condition):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not happen in time")
        time.sleep(0.01)


class PipeTest(CommandLineTest):
    def test_inputs_may_be_pipes(self):
        self.align("expected.wbmap")
        os.mkfifo(self.path("pipe.vec"))
        with self.start("align", "pipe.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap") as process:
            with open(self.path("pipe.vec"), "wb") as pipe:
                pipe.write(self.read("en.vec"))
            process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        expected, actual = (self.succeed("export", name).stdout for name in ("expected.wbmap", "m.wbmap"))
        self.assertEqual(actual, expected)

    def test_standard_input(self):
        self.align("expected.wbmap")
        self.succeed("align", "-", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", input=self.read("en.vec"))
        self.assertEqual(self.succeed("export", "m.wbmap").stdout, self.succeed("export", "expected.wbmap").stdout)
        self.succeed("inspect", "-", input=self.read("en.vec"))
        self.assertEqual(self.succeed("export", "-", input=self.read("m.wbmap")).stdout,
                         self.succeed("export", "m.wbmap").stdout)

    def test_closed_streams_are_not_mistaken_for_files(self):
        command = f"'{WORDBRIDGE}' align en.vec es.vec --lexicon train.txt -o m.wbmap"
        for closed, code in (("2>&-", 0), ("<&-", 0), (">&-", 0), ("<&- >&- 2>&-", 0), ("--json >&-", 1)):
            result = subprocess.run(["bash", "-c", f"{command} {closed}"], cwd=self.folder, timeout=PATIENCE, check=False,
                                    stderr=subprocess.DEVNULL)
            self.assertEqual(result.returncode, code, closed)
            self.succeed("inspect", "m.wbmap")

    def test_a_reader_that_leaves_is_no_error(self):
        self.align()
        self.write("words.txt", "\n".join(self.source_words * 400))
        command = f"'{WORDBRIDGE}' translate m.wbmap en.vec es.vec -q < words.txt | head -n 1"
        result = subprocess.run(["bash", "-c", command + "; exit ${PIPESTATUS[0]}"], cwd=self.folder,
                                capture_output=True, text=True, timeout=PATIENCE, check=False)
        self.assertEqual(result.stderr, "")
        self.assertEqual(len(result.stdout.splitlines()), 1)
        self.assertEqual(result.returncode, 128 + signal.SIGPIPE)

    def test_no_progress_in_pipes(self):
        result = self.slowly_read()
        self.assertNotIn("\r", result)
        self.assertNotIn("\x1b", result)

    def slowly_read(self, stderr=subprocess.PIPE):
        """Feeds a file slowly enough for a bar; returns standard error."""
        os.mkfifo(self.path("slow.vec"))
        with self.start("convert", "slow.vec", "out.vec", stderr=stderr) as process:
            with open(self.path("slow.vec"), "wb") as pipe:
                pipe.write(self.read("en.vec"))
                pipe.flush()
                time.sleep(0.7)
            _, text = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        return (text or b"").decode()


class TerminalTest(CommandLineTest):
    def on_terminal(self, *arguments, typed=b"", stream="stdout", feed=None, environment=None):
        """Runs the program with the stream (and standard input, where something is typed) on a terminal; returns what
        appears there."""
        master, slave = pty.openpty()
        options = {stream: slave, "env": {**os.environ, "TERM": "xterm", **(environment or {})}}
        if typed:
            options["stdin"] = slave
        process = self.start(*arguments, **options)
        os.close(slave)
        if typed:
            os.write(master, typed)
        seen = bytearray()
        if feed:
            feed(process, lambda: bytes(seen))
        try:
            while piece := os.read(master, 65536):
                seen += piece
        except OSError:  # the other end is closed
            pass
        os.close(master)
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        return seen.decode()

    def test_translations_for_people(self):
        self.align()
        text = self.on_terminal("translate", "m.wbmap", "en.vec", "es.vec", "E100", "--count", "2", "-q")
        self.assertRegex(text, r"\AE100 \(e100\)\r\n +-?\d\.\d{4}  s100\r\n +-?\d\.\d{4}  s\d+\r\n\Z")

    def test_typed_words(self):
        self.align()
        text = self.on_terminal("translate", "m.wbmap", "en.vec", "es.vec", "--count", "1", typed=b"e100\n\x04")
        self.assertIn("s100", text)

    def test_progress_bar(self):
        os.mkfifo(self.path("slow.vec"))
        piece = self.read("en.vec")

        def feed(_process, _seen):
            with open(self.path("slow.vec"), "wb") as pipe:
                header, rows = piece.split(b"\n", 1)
                pipe.write(header + b"\n")
                end = time.monotonic() + 1.5
                number = 0
                while time.monotonic() < end:
                    # New words all the time: readers tell of their progress block by block.
                    for row in rows.splitlines(keepends=True):
                        pipe.write(b"w%d_" % number + row)
                        number += 1
                    pipe.flush()

        text = self.on_terminal("convert", "slow.vec", "out.vec", stream="stderr", feed=feed)
        self.assertIn("\rreading slow.vec  ", text)
        self.assertIn("/s", text)
        last_line = text.rstrip("\r\n").rsplit("\n", 1)[-1]
        self.assertIn("out.vec written", last_line)
        self.assertNotIn("\x1b[K", last_line.split("out.vec")[1])

    def test_no_bar_where_it_is_not_wanted(self):
        for arguments, environment in ((["--quiet"], {}), ([], {"TERM": "dumb"})):
            text = self.on_terminal("align", "en.vec", "es.vec", "--lexicon", "train.txt", "-o", "m.wbmap", *arguments,
                                    stream="stderr", environment=environment)
            self.assertNotIn("\x1b", text)


class SignalTest(CommandLineTest):
    def has_output_open(self, process):
        """Whether the process has a file of the folder open other than its input; it may have no name."""
        folder = pathlib.Path(f"/proc/{process.pid}/fd")
        opened = []
        for descriptor in folder.iterdir():
            try:
                opened.append(os.readlink(descriptor))
            except FileNotFoundError:  # closed since
                pass
        real = os.path.realpath(self.folder) + "/"
        return any(path.startswith(real) and not path.endswith("endless.vec") for path in opened)

    def interrupt(self, number):
        """Stops a conversion in the middle."""
        self.write("out.vec", "precious")
        os.mkfifo(self.path("endless.vec"))
        before = self.names()
        process = self.start("convert", "endless.vec", "out.vec")
        with open(self.path("endless.vec"), "wb") as pipe:
            pipe.write(self.read("en.vec") * 20)  # the program looks at the first 64 KiB before it opens the output
            pipe.flush()
            wait_until(lambda: self.has_output_open(process))
            process.send_signal(number)
            stdout, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(stdout, b"")
        self.assertEqual(self.read("out.vec"), b"precious")
        return process.returncode, [name for name in self.names() if name not in before]

    def test_interrupt_leaves_nothing(self):
        self.assertEqual(self.interrupt(signal.SIGINT), (-signal.SIGINT, []))

    def test_terminate_leaves_nothing(self):
        self.assertEqual(self.interrupt(signal.SIGTERM), (-signal.SIGTERM, []))

    def test_hang_up_leaves_nothing(self):
        self.assertEqual(self.interrupt(signal.SIGHUP), (-signal.SIGHUP, []))

    def test_kill_leaves_no_output(self):
        code, left = self.interrupt(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        self.assertTrue(all(name.endswith(".tmp") for name in left), left)

    def test_nobody_waits_where_signals_are_ignored(self):
        """Under nohup, or in the background of a script, these tests are the same."""
        tests = ["test_interrupt_leaves_nothing", "test_hang_up_leaves_nothing"]
        result = subprocess.run(["env", "--ignore-signal=INT,HUP", sys.executable, "-B", "-m", "unittest",
                                 *(f"terminal_test.SignalTest.{test}" for test in tests)],
                                cwd=pathlib.Path(__file__).parent, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                timeout=4 * PATIENCE, check=False)
        self.assertEqual(result.returncode, 0, result.stdout.decode())

    def test_shells_see_130_and_143(self):
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            fifo = self.path(f"endless{number}.vec")
            os.mkfifo(fifo)
            # With job control a background job keeps SIGINT.
            script = f"set -m; '{WORDBRIDGE}' convert {fifo} out{number}.vec & echo $!; wait $!"
            with subprocess.Popen(["bash", "-c", script], cwd=self.folder, stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL) as shell:
                child = int(shell.stdout.readline())
                with open(fifo, "wb"):  # the program has started once it opens its end
                    os.kill(child, number)
                    self.assertEqual(shell.wait(timeout=PATIENCE), code)

    def test_ignored_signals_stay_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

        os.mkfifo(self.path("endless.vec"))
        process = self.start("convert", "endless.vec", "out.vec", preexec_fn=ignore)
        with open(self.path("endless.vec"), "wb") as pipe:
            process.send_signal(signal.SIGHUP)
            pipe.write(self.read("en.vec"))
        process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)


if __name__ == "__main__":
    unittest.main()
