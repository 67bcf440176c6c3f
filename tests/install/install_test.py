"""`cmake --install` gives a library that another project finds, compiles against and links, and the program."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WORDBRIDGE_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"])


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result.stdout


def cached(name):
    """A value of the build's CMake cache."""
    for line in (BUILD / "CMakeCache.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(name + ":"):
            return line.partition("=")[2]
    raise KeyError(name)


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)

    def test_a_project_finds_and_uses_the_library(self):
        build = pathlib.Path(self.folder.name) / "consumer"
        run("cmake", "-S", SOURCE / "tests/install/consumer", "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}")
        run("cmake", "--build", build)
        version = cached("CMAKE_PROJECT_VERSION")
        # Two unit rows with the cosine 0.6: the larger singular value is sqrt(1.6).
        self.assertEqual(run(build / "consumer"), f"{version} 2 1.265 64\n")

    def test_the_headers_are_there_and_no_tests(self):
        headers = {str(path.relative_to(self.prefix / "include")) for path in self.prefix.rglob("*.h")}
        self.assertIn("wordbridge/linalg/matrix.h", headers)
        self.assertEqual([name for name in headers if "_test" in name], [])
        self.assertEqual(list(self.prefix.rglob("*_test*")), [])

    def test_the_program_runs_from_its_new_place(self):
        self.assertIn(cached("CMAKE_PROJECT_VERSION"), run(self.prefix / "bin/wordbridge", "--version"))

    def test_the_completion_is_the_program_s_own(self):
        completion = self.prefix / "share/bash-completion/completions/wordbridge"
        self.assertEqual(completion.read_text(encoding="utf-8"), run(os.environ["WORDBRIDGE"], "completion", "bash"))
        run("bash", "-n", completion)

    def test_the_licence_is_there(self):
        self.assertEqual(len(list(self.prefix.rglob("LICENSE"))), 1)


if __name__ == "__main__":
    unittest.main()
