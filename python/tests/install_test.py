"""`pip install .` in fresh virtual environments that have nothing but NumPy."""

import os
import pathlib
import subprocess
import sys
import tarfile
import zipfile

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("WORDBRIDGE_BINARY_DIR")  # of the release, so that nothing is compiled twice

pytestmark = [
    pytest.mark.skipif(not BUILD, reason="no build folder is named"),
    pytest.mark.skipif(os.environ.get("WORDBRIDGE_SANITIZED") == "1", reason="a sanitizer belongs to the interpreter"),
]

USE = """
import sys, numpy, wordbridge as wb
for name in ("pandas", "gensim", "sklearn", "tqdm", "matplotlib", "pytest"):
    assert name not in sys.modules
    try:
        __import__(name)
        raise SystemExit(name + " is there")
    except ImportError:
        pass
en, es = wb.read_vectors("data/sample/en.vec.xz"), wb.read_vectors("data/sample/es.vec.xz")
mapping = wb.align(en, es, "data/sample/en-es.train.txt", method="procrustes", progress=True)
space = wb.CommonSpace(mapping, en, es)
assert space.translate("night", 1).words == ["noche"]
assert space.evaluate("data/sample/en-es.test.txt")._repr_html_()
assert wb.Procrustes().fit(numpy.eye(3), numpy.eye(3)).transform(numpy.eye(3)).shape == (3, 3)
print(wb.__file__)
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    """A virtual environment of this interpreter with NumPy linked into it."""
    folder = tmp_path_factory.mktemp("venv") / "env"
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True, capture_output=True)
    except subprocess.CalledProcessError as error:
        pytest.skip(f"no virtual environments here: {error.stdout.decode()}")
    site = next(folder.glob("lib/python*/site-packages"))
    numpy = pathlib.Path(np.__file__).parent
    (site / "numpy").symlink_to(numpy)
    for information in [*numpy.parent.glob("numpy-*.dist-info"), *numpy.parent.glob("numpy-*.egg-info"),
                        *numpy.parent.glob("numpy.libs")]:
        (site / information.name).symlink_to(information)
    return folder / "bin/python"


def pip(python, *arguments):
    # No index: an attempt to download anything fails.
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LD_PRELOAD"))}
    result = subprocess.run([python, "-m", "pip", *arguments], cwd=ROOT, capture_output=True, text=True,
                            env=clean | {"PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"})
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def use(python):
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "LD_PRELOAD"))}
    result = subprocess.run([python, "-c", USE], cwd=ROOT, capture_output=True, text=True, env=clean)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout.strip()


def test_pip_install(environment):
    pip(environment, "install", ".", "--config-settings", f"build-dir={BUILD}")
    assert "site-packages" in use(environment)
    assert "wordbridge" in pip(environment, "list")
    pip(environment, "uninstall", "-y", "wordbridge")


def test_editable(environment):
    pip(environment, "install", "-e", ".", "--config-settings", f"build-dir={BUILD}")
    assert "site-packages" not in use(environment)
    pip(environment, "uninstall", "-y", "wordbridge")


@pytest.fixture
def backend(monkeypatch):
    """What pip calls."""
    monkeypatch.syspath_prepend(str(ROOT / "python/build_backend"))
    import wordbridge_build

    return wordbridge_build


def test_what_is_in_a_wheel(backend, tmp_path):
    one, two = (tmp_path / folder for folder in ("one", "two"))
    for folder in (one, two):
        folder.mkdir()
    one /= backend.build_wheel(one, {"build-dir": BUILD})
    two /= backend.build_wheel(two, {"build-dir": BUILD})
    assert one.read_bytes() == two.read_bytes()
    names = zipfile.ZipFile(one).namelist()
    assert {"wordbridge/__init__.py", "wordbridge/py.typed", "wordbridge/_core.pyi"} <= set(names)
    assert sum(name.startswith("wordbridge/_core.") and name.endswith(".so") for name in names) == 1
    assert not any("test" in name for name in names)


def test_sdist(backend, tmp_path):
    name = backend.build_sdist(tmp_path)
    with tarfile.open(tmp_path / name) as archive:
        names = {pathlib.PurePath(*pathlib.PurePath(entry).parts[1:]).as_posix() for entry in archive.getnames()}
    assert {"PKG-INFO", "pyproject.toml", "CMakeLists.txt", "src/align/align.cc",
            "python/build_backend/wordbridge_build.py"} <= names
    assert not any(entry.startswith(("build/", ".git/")) for entry in names)


def test_missing_packages_have_names(tmp_path):
    script = tmp_path / "packages.cmake"
    script.write_text(f"include({ROOT}/cmake/WordbridgePackages.cmake)\n"
                      "wordbridge_require_packages(stdio.h=libc6-dev no/such.h=libnothing-dev nor/this.h=libother-dev)\n")
    result = subprocess.run(["cmake", "-DCMAKE_INCLUDE_PATH=/usr/include", "-P", script], capture_output=True, text=True)
    assert result.returncode != 0 and "packages are missing: libnothing-dev libother-dev\n" in result.stderr


def test_a_second_interpreter_in_the_same_folder(tmp_path):
    """The binding is compiled with the headers of the interpreter that asks, whichever came first."""
    headers = tmp_path / "headers"
    headers.mkdir()
    (headers / "Python.h").touch()
    (tmp_path / "sitecustomize.py").write_text(
        f"import sysconfig\nreal = sysconfig.get_path\n"
        f"sysconfig.get_path = lambda name, *more: {str(headers)!r} if name == 'include' else real(name, *more)\n")
    second = tmp_path / "python3"
    second.write_text(f"#!/bin/sh\nPYTHONPATH={tmp_path} exec {sys.executable} \"$@\"\n")
    second.chmod(0o755)
    # The folder of the package alone, without all that it is linked with.
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.20)\nproject(alone CXX)\ninclude({ROOT}/cmake/WordbridgePackages.cmake)\n"
        f"add_library(wordbridge_report INTERFACE)\nadd_subdirectory({ROOT}/python python)\n")
    found = []
    for interpreter in (sys.executable, second):
        subprocess.run(["cmake", "-S", tmp_path, "-B", tmp_path / "build", "-G", "Ninja", "-DCMAKE_CXX_COMPILER_WORKS=ON",
                        f"-DPython3_EXECUTABLE={interpreter}"], check=True, capture_output=True)
        found.append(str(headers) in (tmp_path / "build/build.ninja").read_text())
    assert found == [False, True]
