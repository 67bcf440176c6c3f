"""wordbridge-mpi hub: the files of one machine, made by several processes; what happens where one of them dies."""

import os
import pathlib
import signal
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from ranks import OVER_TCP, RanksTest  # noqa: E402

LIST = """pivot = "es"
[languages.es]
vectors = "es.vec"
[languages.en]
vectors = "en.vec"
[languages.fr]
vectors = "fr.vec"
[lexicons.en-es]
train = "train.txt"
test = "test.txt"
[lexicons.fr-es]
train = "train.txt"
test = "test.txt"
"""
RESULTS = ["manifest.json", "report.html", "languages/en.wbmap", "languages/fr.wbmap", "joint/en.wbmap"]


class MpiTest(RanksTest):
    def setUp(self):
        super().setUp()
        self.write("fr.vec", self.read("en.vec"))
        self.write("list.toml", LIST)
        self.succeed("hub", "list.toml", "--joint", "-o", "one")

    def results(self, folder):
        return {name: self.read(f"{folder}/{name}") for name in RESULTS}

    def test_the_same_files_for_any_number_of_ranks(self):
        for count, options in ((1, ()), (2, OVER_TCP), (3, ()), (4, ())):
            code, stdout, stderr = self.run_ranks(count, "hub", "list.toml", "--joint", "--threads", "1", "-o",
                                                  f"space{count}", options=options)
            self.assertEqual(code, 0, stderr)
            self.assertEqual(stdout.count("The mean over all directions"), 1, "the first rank alone speaks")
            self.assertEqual(self.results(f"space{count}"), self.results("one"), f"{count} ranks")

    def test_a_rank_that_dies_ends_the_job_which_goes_on_with_another_number(self):
        with self.start_ranks(2, "hub", "list.toml", "--joint", "-o", "space") as process:
            ranks = self.ranks_of(process)
            if ranks:
                os.kill(ranks[-1], signal.SIGKILL)
            stderr = process.communicate(timeout=120)[1].decode()
        if process.returncode != 0:
            # What mpirun says depends on how far the rank was.
            self.assertRegex(stderr, r"process rank \d|1 process returned")
        code, _, stderr = self.run_ranks(3, "hub", "list.toml", "--joint", "-o", "space")
        self.assertEqual(code, 0, stderr)
        self.assertEqual(self.results("space"), self.results("one"))

    def test_other_commands_are_for_one_process(self):
        code, _, stderr = self.run_ranks(2, "inspect", "en.vec")
        self.assertEqual(code, 2)
        self.assertIn("several processes share the work of hub, align, evaluate translation, induce; inspect is for one", stderr)


if __name__ == "__main__":
    unittest.main()
