"""Examples of docstrings, of the documents and of the notebook; the stubs."""

import doctest
import importlib
import json
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest

import wordbridge as wb

SANITIZED = os.environ.get("WORDBRIDGE_SANITIZED") == "1"
ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = ["wordbridge"] + [f"wordbridge.{module.name}" for module in pkgutil.iter_modules(wb.__path__)
                            if module.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    module = importlib.import_module(name)
    names = {**vars(wb), **vars(module)}
    assert doctest.testmod(module, extraglobs=names).failed == 0


def test_everything_public_is_documented():
    for name in wb.__all__:
        thing = getattr(wb, name)
        assert thing.__doc__, name
        for method, value in vars(thing).items() if isinstance(thing, type) else ():
            if callable(value) and not method.startswith("_"):
                assert value.__doc__, f"{name}.{method}"


@pytest.mark.parametrize("document", ["docs/python.md", "README.md"])
def test_what_the_documents_show(document, tmp_path, monkeypatch):
    """Blocks of Python run one after the other, in a folder that sees the sample."""
    text = (ROOT / document).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert blocks
    (tmp_path / "data").symlink_to(ROOT / "data")
    (tmp_path / "experiments").symlink_to(ROOT / "experiments")
    monkeypatch.chdir(tmp_path)
    names = {}
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    for number, block in enumerate(blocks):
        if ">>> " in block:
            test = doctest.DocTestParser().get_doctest(block, names, f"{document}:{number}", document, 0)
            runner = doctest.DocTestRunner(optionflags=flags)
            assert runner.run(test, clear_globs=False).failed == 0
            names = test.globs
        else:
            exec(compile(block, f"{document}:{number}", "exec"), names)


@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "docs/notebooks").glob("*.ipynb")))
def test_the_notebook(name, monkeypatch):
    """Every cell runs, in the order they stand in."""
    path = ROOT / "docs/notebooks" / name
    notebook = json.loads(path.read_text(encoding="utf-8"))
    monkeypatch.chdir(path.parent)
    names = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        if "matplotlib" in source or ".plot" in source:
            pytest.importorskip("matplotlib")
        *body, last = source.rstrip().split("\n")
        exec(compile("\n".join(body), f"cell {number}", "exec"), names)
        # The last line is shown, where it is an expression.
        try:
            code = compile(last, f"cell {number}", "eval")
        except SyntaxError:
            exec(compile(source, f"cell {number}", "exec"), names)
            continue
        shown = eval(code, names)
        if type(shown).__module__.startswith("wordbridge") and hasattr(shown, "_repr_html_"):
            assert shown._repr_html_()


def _mypy(*arguments):
    environment = os.environ | {"MYPYPATH": str(pathlib.Path(wb.__file__).parents[1])}
    return subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, env=environment, cwd=ROOT)


@pytest.mark.skipif(SANITIZED, reason="types are the same in every build")
def test_stubs():
    pytest.importorskip("mypy")
    result = _mypy("mypy.stubtest", "wordbridge._core", "--ignore-missing-stub", "--concise", "--allowlist",
                   "python/tests/stubtest_allowlist.txt", "--ignore-unused-allowlist")
    assert result.returncode == 0, result.stdout + result.stderr


#: What a program may say, and what a type checker finds wrong, in the lines that end in "# wrong".
USER = """import wordbridge as wb
en = wb.read_vectors('en.vec')
m: wb.Mapping = wb.align(en, en, [('a', 'b')], method='rcsls', epochs=3)
best: wb.Candidate = wb.CommonSpace(m, en, en).translate('night', 3)[0]
rows: wb.TranslationTable = wb.CommonSpace(m, en, en).translate(['night'], 3)
mapped: wb.WordVectors = m.transform(en)
def by(name: str) -> wb.Mapping: return wb.align(en, en, method=name, self_learn=True)
wb.RCSLS(learning_rate=3.0, constraint='spectral').fit(en.array, en.array).predict(en.array)
wb.read_vectors(3)  # wrong
wb.RCSLS(lerning_rate=3)  # wrong
wb.RCSLS(constraint='square')  # wrong
wb.align(en, en, method='rcsls', lerning_rate=3)  # wrong
wb.align(en, en, method='rcsls', learning_rate='fast')  # wrong
"""


@pytest.mark.skipif(SANITIZED, reason="types are the same in every build")
def test_types(tmp_path):
    """The package itself, and a program that uses it."""
    pytest.importorskip("mypy")
    user = tmp_path / "user.py"
    user.write_text(USER)
    result = _mypy("mypy", "--no-incremental", "--cache-dir", str(tmp_path / "cache"), str(user))
    found = {int(line.split(":")[1]) for line in result.stdout.splitlines() if ": error: " in line}
    assert found == {i for i, line in enumerate(USER.splitlines(), 1) if line.endswith("# wrong")}, result.stdout


def test_packages_that_need_not_be_there():
    """import wordbridge brings NumPy, and none of the others."""
    code = "import sys, wordbridge; print([n for n in ('gensim', 'pandas', 'sklearn', 'matplotlib', 'tqdm', 'faiss')" \
           " if n in sys.modules])"
    path = str(pathlib.Path(wb.__file__).parents[1])
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                            env=os.environ | {"PYTHONPATH": path})
    assert result.stdout.strip() == "[]"
