"""`cmake --install` gives a library that another project finds, compiles against and links, and the program."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["WORDBRIDGE_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["WORDBRIDGE_BINARY_DIR"])


def run(*command, cwd=None):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=cwd)
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

    def test_a_project_uses_either_library(self):
        project, build = pathlib.Path(self.folder.name) / "project", pathlib.Path(self.folder.name) / "consumer"
        shutil.copytree(SOURCE / "tests/install/consumer", project)
        shutil.copy(SOURCE / "examples/translate.cc", project / "main.cc")
        run("cmake", "-S", project, "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DCMAKE_CXX_COMPILER={cached('CMAKE_CXX_COMPILER')}")
        run("cmake", "--build", build)
        shown = re.search(r"```console\n\$ [^\n]*examples/translate\n(.*?)```", (SOURCE / "docs/library.md").read_text("utf-8"), re.S)
        for name in ("consumer", "static"):
            self.assertEqual(run(build / name, cwd=SOURCE), shown.group(1))
        needed = run("readelf", "--dynamic", build / "consumer")
        self.assertIn("libwordbridge.so." + ".".join(cached("CMAKE_PROJECT_VERSION").split(".")[:2]), needed)
        self.assertNotIn("libwordbridge", run("readelf", "--dynamic", build / "static"))

    def test_each_public_header_stands_alone(self):
        folder = self.prefix / "include"
        headers = sorted(path.relative_to(folder) for path in folder.rglob("*"))
        self.assertEqual(headers, sorted(path.relative_to(SOURCE / "include") for path in (SOURCE / "include").rglob("*")))
        for header in folder.rglob("*.h"):
            run(cached("CMAKE_CXX_COMPILER"), "-std=c++20", "-fsyntax-only", "-x", "c++", f"-I{folder}", header)

    def test_the_shared_library_shows_its_own_names_only(self):
        (library,) = [path for path in self.prefix.rglob("libwordbridge.so.*") if not path.is_symlink()][:1]
        names = run("nm", "--dynamic", "--defined-only", "--demangle", library).splitlines()
        names = [line.split(maxsplit=2)[2] for line in names]
        self.assertIn("wordbridge::methods[abi:cxx11]()" if "wordbridge::methods[abi:cxx11]()" in names
                      else "wordbridge::methods()", names)
        self.assertEqual([name for name in names if "wordbridge::" not in name], [])
        for hidden in ("wordbridge::svd", "wordbridge::ThreadPool", "wordbridge::Int8"):
            self.assertEqual([name for name in names if name.startswith(hidden)], [])

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
