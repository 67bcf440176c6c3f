"""What the hostile tests share: how long they may take, and what a well-behaved end of the program is."""

import os
import pathlib
import re
import resource
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from program import SANITIZED, WORDBRIDGE, CommandLineTest  # noqa: E402

# Of each part; hours find more than the seconds of the everyday run. Other seeds make other cases.
SECONDS = float(os.environ.get("WORDBRIDGE_HOSTILE_SECONDS", "8"))
SEED = int(os.environ.get("WORDBRIDGE_HOSTILE_SEED", "1"))
PATIENCE = 120 if SANITIZED else 30  # seconds after which a run on a tiny file hangs
MEMORY = 3 << 30  # bytes that no tiny file should need


class Deadline:
    def __init__(self, seconds=SECONDS):
        self.end = time.monotonic() + seconds

    def __bool__(self):
        """True once it is over."""
        return time.monotonic() > self.end


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def misbehavior(returncode, stderr):
    """Why a run did not end as it should; empty where it did."""
    text = stderr.decode("utf-8", "replace") if isinstance(stderr, bytes) else stderr
    errors = [line for line in text.splitlines() if line.startswith("wordbridge: ")
              and not line.startswith("wordbridge: warning: ")]
    if returncode not in (0, 1, 2):
        return f"ended with {returncode}"
    for sign in ("internal error", "terminate called", "out of memory", "Assertion", "runtime error", "Sanitizer",
                 "BLAS"):
        if re.search(sign, text):
            return f"said '{sign}'"
    if len(errors) > 1:
        return f"{len(errors)} lines of errors"
    if returncode == 0 and errors:
        return "success with an error"
    if returncode != 0 and not text.strip():
        return "failure without a word"
    return ""


class HostileTest(CommandLineTest):
    """Runs the program where things go wrong; failures carry the command and what it said."""

    def end(self, *arguments, environment=None, stdin=subprocess.DEVNULL):
        """Exit code and standard error; the code is 'hang' where the program does not end."""
        options = {} if SANITIZED else {"preexec_fn": limit_memory}
        try:
            result = subprocess.run([WORDBRIDGE, *arguments], cwd=self.folder, stdin=stdin, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, timeout=PATIENCE, check=False,
                                    env={**os.environ, **(environment or {})}, **options)
        except subprocess.TimeoutExpired:
            return "hang", b""
        return result.returncode, result.stderr

    def hidden(self):
        return [name for name in self.names() if name.startswith(".")]

    def tell(self, text):
        print(f"{type(self).__name__}: {text}", file=sys.stderr)
