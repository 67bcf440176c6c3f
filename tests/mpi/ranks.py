"""What the tests of wordbridge-mpi share: starting it with several processes."""

import os
import pathlib
import shutil
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from program import CommandLineTest  # noqa: E402

PROGRAM = pathlib.Path(os.environ.get("WORDBRIDGE_BINARY_DIR", ".")) / "wordbridge-mpi"
OVER_TCP = ("--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo")


@unittest.skipUnless(PROGRAM.exists() and shutil.which("mpirun"), "there is no MPI here: wordbridge-mpi is not built")
class RanksTest(CommandLineTest):
    def start_ranks(self, count, *arguments, options=()):
        environment = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        return subprocess.Popen(["mpirun", "--oversubscribe", "--bind-to", "none", "-np", str(count), *options,
                                 str(PROGRAM), *arguments], cwd=self.folder, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)

    def run_ranks(self, count, *arguments, options=()):
        with self.start_ranks(count, *arguments, options=options) as process:
            stdout, stderr = process.communicate(timeout=120)
        return process.returncode, stdout.decode(), stderr.decode()

    def ranks_of(self, process):
        """The processes that mpirun has started, once there are any."""
        deadline = time.monotonic() + 60
        ranks = []
        while not ranks and process.poll() is None and time.monotonic() < deadline:
            ranks = [int(pid) for pid in subprocess.run(["pgrep", "-P", str(process.pid)], stdout=subprocess.PIPE,
                                                        check=False).stdout.split()]
        return ranks
