"""wordbridge hub --slurm with a real Slurm: one node on this machine, started here and stopped again."""

import os
import pathlib
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cli"))

from program import CommandLineTest  # noqa: E402

NEEDED = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel"]
FAULTS = pathlib.Path(os.environ.get("WORDBRIDGE_BINARY_DIR", ".")) / "tests/libfault_injection.so"
START_SECONDS, JOB_SECONDS = 20, 100
CONFIGURATION = """ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
NodeName=localhost NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[1]} CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
LIST = """pivot = "en"
joint = true
[languages.en]
vectors = "en.vec"
[languages.es]
vectors = "es.vec"
[languages.fr]
vectors = "fr.vec"
[languages.xx]
vectors = "xx.vec"
[lexicons.en-es]
train = "train.txt"
test = "test.txt"
[lexicons.en-fr]
train = "train.txt"
test = "test.txt"
[lexicons.en-xx]
train = "train.txt"
"""
RESULTS = ["manifest.json", "report.html", "languages/es.wbmap", "languages/fr.wbmap", "joint/es.wbmap",
           "joint/fr.wbmap", "vectors/en.wbvec", "vectors/es.wbvec", "vectors/fr.wbvec"]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Cluster:
    """The daemons of a Slurm with one node, and the environment in which its commands find it."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="wordbridge-slurm-"))
        self.folder.chmod(0o755)
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        configuration = self.folder / "slurm.conf"
        configuration.write_text(CONFIGURATION.format(
            user=pwd.getpwuid(os.getuid()).pw_name, folder=self.folder, ports=free_ports(2)))
        self.environment = {**os.environ, "SLURM_CONF": str(configuration)}
        self.daemons = []

    def start(self):
        """Empty where it runs, else why it does not."""
        self.start_daemon("munged", "--foreground", "--num-threads=1", f"--key-file={self.folder}/munge.key",
                          f"--socket={self.folder}/munge.socket", f"--pid-file={self.folder}/munged.pid",
                          f"--log-file={self.folder}/munged.log", f"--seed-file={self.folder}/munged.seed")
        self.wait(lambda: (self.folder / "munge.socket").exists())
        self.start_daemon("slurmctld", "-D")
        self.start_daemon("slurmd", "-D", "-N", "localhost")
        if self.wait(lambda: "idle" in self.ask("sinfo", "--noheader", "--format=%T")):
            return ""
        last = {name: (self.folder / f"{name}.out").read_text().strip().splitlines()[-1:] for name, _ in self.daemons}
        return f"Slurm does not start here: {last}"

    def start_daemon(self, name, *arguments):
        with open(self.folder / f"{name}.out", "wb") as output:
            self.daemons.append((name, subprocess.Popen([name, *arguments], env=self.environment, stdout=output,
                                                        stderr=output, stdin=subprocess.DEVNULL)))

    def wait(self, is_so, seconds=START_SECONDS):
        deadline = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > deadline or any(process.poll() is not None for _, process in self.daemons):
                return False
            time.sleep(0.05)
        return True

    def ask(self, *command):
        return subprocess.run(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              stdin=subprocess.DEVNULL, check=False, timeout=30).stdout.decode()

    def stop(self):
        for _, process in reversed(self.daemons):
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class SlurmTest(CommandLineTest):
    @classmethod
    def setUpClass(cls):
        missing = [name for name in NEEDED if shutil.which(name) is None]
        if missing:
            raise unittest.SkipTest(f"there is no Slurm here: {', '.join(missing)}")
        cls.cluster = Cluster()
        cls.addClassCleanup(cls.cluster.stop)
        if problem := cls.cluster.start():
            raise unittest.SkipTest(problem)

    def setUp(self):
        super().setUp()
        self.write("fr.vec", self.read("es.vec"))
        self.write("xx.vec", "2 8\nx 1 2\n")
        self.write("list.toml", LIST)

    def hub(self, *arguments):
        return self.run_program("hub", "list.toml", "-o", "space", "--slurm", *arguments, env=self.cluster.environment)

    def queue(self):
        return self.cluster.ask("squeue", "--noheader", "--format=%F_%K %T %R").splitlines()

    def wait_for_jobs(self):
        self.assertTrue(self.cluster.wait(lambda: not self.queue(), JOB_SECONDS), self.queue())

    def log(self, name):
        """All that jobs of this name wrote."""
        return "".join(path.read_text() for path in sorted((self.folder / "space/slurm").glob(f"{name}*.log")))

    def test_the_files_of_one_machine_also_where_a_task_is_killed_and_repeated(self):
        whole = self.run_program("hub", "list.toml", "-o", "whole")
        self.assertEqual(whole.returncode, 1, "one language is damaged")

        # The first time, es is killed between its table and its mapping.
        result = self.hub("--no-submit", "--sbatch", "time=5", "mem=100", "cpus-per-task=2")
        self.assertEqual(result.returncode, 0, result.stderr)
        script = self.folder / "space/slurm/languages.sh"
        text = script.read_text()
        self.assertIn("#SBATCH --time=5\n#SBATCH --mem=100\n#SBATCH --cpus-per-task=2\nset -- en es fr xx\n", text)
        killed = text.replace("exec ", '[ "$1" != es ] || export LD_PRELOAD=' + str(FAULTS) +
                                   " WORDBRIDGE_FAULT_KIND=SIGKILL WORDBRIDGE_FAULT_CALL=30\nexec ")
        script.write_text(killed)
        submitted = self.cluster.ask("sh", str(self.folder / "space/slurm/submit.sh"))
        self.assertRegex(submitted, r"^pivot \d+\nlanguages \d+\njoin \d+\n$")
        self.wait_for_jobs()
        self.assertFalse((self.folder / "space/languages/es.wbmap").exists())
        self.assertIn("es: it has not been aligned yet", self.log("hub-join"))
        self.assertIn("warning: xx: xx.vec:1:", self.log("hub-join"))
        self.assertIn("--threads", script.read_text())

        # The same command again, and once more while its jobs are there.
        for _ in range(2):
            result = self.hub()
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertRegex(result.stdout, r"^languages \d+\njoin \d+\n$")
            self.assertIn("next: squeue --me", result.stderr)
        self.wait_for_jobs()
        for name in RESULTS:
            self.assertEqual(self.read(f"space/{name}"), self.read(f"whole/{name}"), name)
        self.assertEqual([path.name for path in (self.folder / "space/languages").iterdir() if path.name[0] == "."], [])

    def test_what_sbatch_refuses_is_told_and_nothing_stays_submitted(self):
        for option in ("--sbatch", "--sbatch-join"):
            result = self.hub(option, "partition=nowhere")
            self.assertEqual(result.returncode, 1)
            self.assertIn("invalid partition specified: nowhere", result.stderr)
            self.assertIn("wordbridge: sbatch refused space/slurm/submit.sh", result.stderr.splitlines()[-1])
            self.wait_for_jobs()


if __name__ == "__main__":
    unittest.main()
