"""Options as typed keyword arguments: they are those of the library's registry, and nothing else."""

import importlib.machinery
import importlib.util
import inspect
import pathlib

import pytest

import wordbridge as wb

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_written_file_is_what_the_registry_says():
    loader = importlib.machinery.SourceFileLoader("python_options", str(ROOT / "tools/python_options"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("python_options", loader))
    loader.exec_module(module)
    written = (ROOT / "python/wordbridge/by_method.py").read_text(encoding="utf-8")
    assert module.text(wb) == written, "run tools/python_options with the built package in PYTHONPATH"


def test_options_are_found():
    shown = inspect.signature(wb.align).parameters
    assert {option.name for method in wb.methods().values() for option in method.options} <= set(shown)
    own = inspect.signature(wb.RCSLS).parameters
    assert "learning_rate" in own and "ridge" not in own and "method" not in own
    assert "ridge" in inspect.signature(wb.Aligner).parameters and "learning_rate" in wb.RCSLS.__doc__
    with pytest.raises(TypeError, match="lerning_rate"):
        wb.RCSLS(lerning_rate=3)


def test_ids_are_no_words():
    """The same ids on both sides, and vectors that have nothing to do with each other: nothing can be translated."""
    import numpy as np

    rng = np.random.default_rng(1)
    ids = [f"item-{i}" for i in range(600)]
    one, other = (wb.WordVectors(ids, rng.standard_normal((600, 20))) for _ in range(2))
    mapping = wb.align(one, other, [(i, i) for i in ids[:300]], method="procrustes", rerank=True)
    result = wb.CommonSpace(mapping, one, other).evaluate([(i, i) for i in ids[300:]], checked=False)
    assert result.precision(10) < 20
    mapping = wb.align(one, other, [(i, i) for i in ids[:300]], method="procrustes", rerank=True,
                       rerank_features="semantic")
    assert wb.CommonSpace(mapping, one, other).evaluate([(i, i) for i in ids[300:]], checked=False).precision(10) < 20
