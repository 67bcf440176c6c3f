"""A precompiled header is made again where a header in it was replaced by one with an older time, as packages do"""

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent / "refresh_precompiled"
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(p CXX)
include_directories(SYSTEM include)
add_library(p STATIC p.cc)
target_precompile_headers(p PRIVATE <system.h>)
"""


class RefreshTest(unittest.TestCase):
    def build(self, *command, code=0):
        result = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                timeout=300, check=False)
        if code is not None:
            self.assertEqual(result.returncode, code, result.stdout)
        return result.stdout

    def header(self, text):
        """A new file with an old time."""
        path = self.folder / "include/system.h"
        path.parent.mkdir(exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text)
        os.utime(path, (10**9, 10**9))

    def test_replaced_headers(self):
        compiler = shutil.which("clang++") or "c++"
        with tempfile.TemporaryDirectory(prefix="wordbridge-refresh-") as folder:
            self.folder = pathlib.Path(folder)
            (self.folder / "CMakeLists.txt").write_text(PROJECT)
            (self.folder / "p.cc").write_text("int p() { return value; }\n")
            self.header("const int value = 1;\n")
            self.build("cmake", "-G", "Ninja", "-B", "build", f"-DCMAKE_CXX_COMPILER={compiler}")
            self.build(SCRIPT, "build")  # nothing was built yet
            self.build("cmake", "--build", "build")
            self.assertEqual(self.build(SCRIPT, "build"), "")
            self.assertIn("no work to do", self.build("cmake", "--build", "build"))
            self.header("const int value = 22;\n")
            self.assertIn("no work to do", self.build("cmake", "--build", "build"))  # ninja sees nothing
            self.assertIn("system.h is newer", self.build(SCRIPT, "build"))
            self.build("cmake", "--build", "build")
            self.assertEqual(self.build(SCRIPT, "build"), "")


if __name__ == "__main__":
    unittest.main()
