"""Builds the Python package: a PEP 517 backend that drives CMake and needs nothing but Python itself.

pip calls build_wheel(); what is compiled stays in build/python-<tag>, so that installing again is quick. Settings:
    pip install . --config-settings build-dir=DIRECTORY     compile there, for instance in an existing build
    pip install . --config-settings cmake-args="-G Ninja"   further arguments for CMake
"""

import base64
import csv
import hashlib
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = "wordbridge"
SUMMARY = "Word vectors of different languages in one space"


def version():
    """As CMakeLists.txt has it."""
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(wordbridge VERSION ([0-9.]+)", text).group(1)


def tag():
    """Of this interpreter and machine: cp311-cp311-linux_x86_64."""
    implementation = {"cpython": "cp", "pypy": "pp"}[sys.implementation.name]
    interpreter = f"{implementation}{sys.version_info[0]}{sys.version_info[1]}"
    flags = sysconfig.get_config_var("abiflags") or ""
    platform = re.sub(r"[^0-9A-Za-z_]", "_", sysconfig.get_platform())
    return f"{interpreter}-{interpreter}{flags}-{platform}"


def metadata():
    """The text of METADATA."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return (f"Metadata-Version: 2.1\nName: {PACKAGE}\nVersion: {version()}\nSummary: {SUMMARY}\nLicense: MIT\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy\nDescription-Content-Type: text/markdown\n\n" + readme)


def run(command):
    print("+", shlex.join(map(str, command)), flush=True)
    try:
        subprocess.run(command, check=True)
    except FileNotFoundError:
        sys.exit(f"{command[0]} is needed to build wordbridge, and is not installed; packages.txt lists what is")
    except subprocess.CalledProcessError as error:
        # What the command says stands above; a traceback of this file would bury it.
        sys.exit(f"{command[0]} failed (exit code {error.returncode}): its message above says why")


def compiled(settings):
    """Compiles; gives the folder that holds the package."""
    settings = settings or {}
    build = pathlib.Path(settings.get("build-dir") or ROOT / "build" / f"python-{tag()}")
    # Of a virtual environment, the interpreter that it was made of, which has the headers.
    interpreter = pathlib.Path(sys.executable).resolve()
    arguments = ["-DWORDBRIDGE_PYTHON=ON", f"-DPython3_EXECUTABLE={interpreter}"]
    if not (build / "CMakeCache.txt").exists():
        arguments += ["-DCMAKE_BUILD_TYPE=Release", "-DWORDBRIDGE_TESTS=OFF", "-DWORDBRIDGE_STUDIO=OFF",
                      "-DWORDBRIDGE_UNITY=ON"]
        if shutil.which("ninja"):
            arguments += ["-G", "Ninja"]
    run(["cmake", "-S", ROOT, "-B", build, *arguments, *shlex.split(settings.get("cmake-args", ""))])
    run(["cmake", "--build", build, "--target", "wordbridge_python", "--parallel", str(os.cpu_count() or 1)])
    return build / "python"


class Wheel:
    """A wheel being written: a zip file with a list of what is in it."""

    def __init__(self, folder):
        self.name = f"{PACKAGE}-{version()}-{tag()}.whl"
        self.information = f"{PACKAGE}-{version()}.dist-info"
        self._zip = zipfile.ZipFile(pathlib.Path(folder) / self.name, "w", zipfile.ZIP_DEFLATED)
        self._record = []

    def add(self, path, data):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")
        self._record.append((path, f"sha256={digest}", len(data)))
        self._write(path, data)

    def _write(self, path, data):
        # The same sources, the same bytes: no times.
        entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
        entry.external_attr = 0o100644 << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        self._zip.writestr(entry, data)

    def finish(self):
        for name, text in files_of_information().items():
            self.add(f"{self.information}/{name}", text.encode("utf-8"))
        lines = io.StringIO()
        csv.writer(lines, lineterminator="\n").writerows([*self._record, (f"{self.information}/RECORD", "", "")])
        self._write(f"{self.information}/RECORD", lines.getvalue().encode("utf-8"))
        self._zip.close()
        return self.name


def files_of_information():
    wheel = f"Wheel-Version: 1.0\nGenerator: wordbridge_build\nRoot-Is-Purelib: false\nTag: {tag()}\n"
    return {"METADATA": metadata(), "WHEEL": wheel, "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8")}


def stripped(library):
    """The bytes of a library without its symbols, where there is a program to strip them."""
    if not shutil.which("strip"):
        return library.read_bytes()
    copy = library.with_suffix(".stripped")
    try:
        subprocess.run(["strip", "--strip-unneeded", "-o", copy, library], check=True)
        return copy.read_bytes()
    finally:
        copy.unlink(missing_ok=True)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = compiled(config_settings)
    wheel = Wheel(wheel_directory)
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for path in sorted((ROOT / "python" / PACKAGE).iterdir()):
        if path.suffix in (".py", ".pyi") or path.name == "py.typed":
            wheel.add(f"{PACKAGE}/{path.name}", path.read_bytes())
    wheel.add(f"{PACKAGE}/_core{suffix}", stripped(folder / PACKAGE / f"_core{suffix}"))
    return wheel.finish()


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The build folder, in which sources are links, joins sys.path."""
    folder = compiled(config_settings).resolve()
    wheel = Wheel(wheel_directory)
    wheel.add(f"{PACKAGE}.pth", f"{folder}\n".encode())
    return wheel.finish()


def build_sdist(sdist_directory, config_settings=None):
    name = f"{PACKAGE}-{version()}"
    ignored = {"build", ".git", "__pycache__", ".pytest_cache", ".mypy_cache", "wordbridge-cache"}
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        archive.add(ROOT, name, filter=lambda entry: None if pathlib.PurePath(entry.name).name in ignored else entry)
        information = metadata().encode("utf-8")
        entry = tarfile.TarInfo(f"{name}/PKG-INFO")
        entry.size = len(information)
        archive.addfile(entry, io.BytesIO(information))
    return f"{name}.tar.gz"


def get_requires_for_build_wheel(config_settings=None):
    return []


get_requires_for_build_editable = get_requires_for_build_sdist = get_requires_for_build_wheel


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / f"{PACKAGE}-{version()}.dist-info"
    folder.mkdir()
    for name, text in files_of_information().items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel
