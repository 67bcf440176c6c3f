"""What the tests of the Python package share. They run from the root of the sources, whose data/sample they read."""

import os
import pathlib
import signal

import numpy as np
import pytest

import wordbridge as wb

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data/sample"


@pytest.fixture(autouse=True, scope="session")
def ctrl_c():
    """Ctrl-C interrupts, also where whoever started the tests has it ignored (nohup, the background of a script)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def from_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="session")
def program():
    """The program of the same build."""
    path = os.environ.get("WORDBRIDGE")
    if not path:
        pytest.skip("the program is not named by WORDBRIDGE")
    return path


@pytest.fixture(scope="session")
def en():
    return wb.read_vectors(SAMPLE / "en.vec.xz", max_words=200_000)


@pytest.fixture(scope="session")
def es():
    return wb.read_vectors(SAMPLE / "es.vec.xz", max_words=200_000)


@pytest.fixture(scope="session")
def lexicon(en, es):
    return wb.read_lexicon(SAMPLE / "en-es.train.txt", en, es)


@pytest.fixture(scope="session")
def mapping(en, es, lexicon):
    return wb.align(en, es, lexicon, method="procrustes")


@pytest.fixture(scope="session")
def reranking(en, es, lexicon):
    return wb.align(en, es, lexicon, method="procrustes", rerank=True)


@pytest.fixture(scope="session")
def space(mapping, en, es):
    return wb.CommonSpace(mapping, en, es)


@pytest.fixture
def small():
    """Two languages of three words whose vectors are worked out by hand: a quarter turn brings one to the other."""
    source = wb.WordVectors(["up", "right", "left"], np.array([[0, 2], [1, 0], [-3, 0]], dtype=np.float32))
    target = wb.WordVectors(["arriba", "derecha", "izquierda"], np.array([[-1, 0], [0, 1], [0, -1]], dtype=np.float32))
    return source, target


@pytest.fixture
def large():
    """Random vectors, so many that work with them takes long."""
    rng = np.random.default_rng(1)
    words = [f"w{i}" for i in range(60_000)]
    return tuple(wb.WordVectors(words, rng.standard_normal((60_000, 200), dtype=np.float32)) for _ in range(2))
