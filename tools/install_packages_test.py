"""install_packages installs what is missing, only that, and says so in one line where it cannot."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).parent / "install_packages"
PACKAGES = (SCRIPT.parent.parent / "packages.txt").read_text(encoding="utf-8")
BUILD = PACKAGES.split("[build]\n")[1].split("[test]")[0].split()
TEST = PACKAGES.split("[test]\n")[1].split("[bench]")[0].split()


class InstallPackagesTest(unittest.TestCase):
    def run_script(self, *sections, installed=(), user="0", commands=("dpkg-query", "apt-get"), apt_code=0):
        """Runs it with stand-ins for the commands that look at or change the machine."""
        stand_ins = {
            "dpkg-query": "for p in " + " ".join(installed) + "; do echo \"ii  $p\"; done; exit 1",
            "apt-get": f'echo "$*" >>"$LOG"; [[ $1 == update ]] || exit {apt_code}',
            "sudo": 'echo "sudo" >>"$LOG"; exec "$@"',
            "id": f"echo {user}",
        }
        with tempfile.TemporaryDirectory() as folder:
            for name in ("bash", "sed", "dirname", "mktemp", "rm", "tail", "env"):
                path = next(p for p in (f"/usr/bin/{name}", f"/bin/{name}") if os.path.exists(p))
                os.symlink(path, f"{folder}/{name}")
            for name in (*commands, "id"):
                path = pathlib.Path(folder, name)
                path.write_text(f"#!/bin/bash\n{stand_ins[name]}\n", encoding="utf-8")
                path.chmod(0o755)
            log = pathlib.Path(folder, "log")
            log.touch()
            result = subprocess.run([f"{folder}/bash", SCRIPT, *sections], capture_output=True, text=True,
                                    env={"PATH": folder, "LOG": str(log)})
            return result, log.read_text(encoding="utf-8").splitlines()

    def test_nothing_missing_nothing_done(self):
        result, log = self.run_script("build", "test", installed=BUILD + TEST)
        self.assertEqual((result.returncode, result.stdout, result.stderr, log), (0, "", "", []))

    def test_only_what_is_missing(self):
        result, log = self.run_script("build", "test", installed=[p for p in BUILD + TEST if p not in ("cmake", "python3")])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Installing 2 missing packages: cmake python3\n", result.stdout)
        self.assertTrue(log[0].startswith("update"))
        self.assertTrue(log[1].endswith(" cmake python3"), log)

    def test_a_section_alone(self):
        _, log = self.run_script("build", installed=BUILD)
        self.assertEqual(log, [])

    def test_with_sudo_where_not_root(self):
        result, log = self.run_script("build", installed=BUILD[1:], user="1000",
                                      commands=("dpkg-query", "apt-get", "sudo"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(log[0], "sudo")

    def assert_refused(self, result, reason, packages):
        self.assertEqual(result.returncode, 1)
        self.assertIn(reason, result.stderr)
        self.assertTrue(result.stderr.splitlines()[-1].endswith("Please install: " + " ".join(packages)), result.stderr)

    def test_neither_root_nor_sudo(self):
        result, log = self.run_script("build", installed=BUILD[2:], user="1000")
        self.assert_refused(result, "not root and there is no sudo", BUILD[:2])
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertEqual(log, [])

    def test_no_apt(self):
        result, _ = self.run_script("build", installed=BUILD[1:], commands=("dpkg-query",))
        self.assert_refused(result, "there is no apt-get", BUILD[:1])

    def test_apt_fails(self):
        result, _ = self.run_script("build", installed=BUILD[1:], apt_code=100)
        self.assert_refused(result, "apt-get could not install", BUILD[:1])

    def test_not_debian(self):
        result, _ = self.run_script("build", commands=())
        self.assertEqual(result.returncode, 0)
        self.assertIn("not a Debian system", result.stderr)

    def test_an_unknown_section(self):
        result, _ = self.run_script("tests", installed=BUILD)
        self.assertEqual(result.returncode, 2)


if __name__ == "__main__":
    unittest.main()
