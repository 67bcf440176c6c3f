"""Whatever is given, the answer is an exception that says why, never a crash."""

import os

import numpy as np
import pytest

import wordbridge as wb

NAN = np.array([[1, 2], [np.nan, 0]], dtype=np.float32)
GOOD = np.eye(2, dtype=np.float32)


@pytest.mark.parametrize("words, array, error", [
    (["a", "b"], NAN, wb.UsageError),
    (["a", "b"], np.array([[1e300, 0], [0, 1]]), wb.UsageError),
    (["a", "b"], GOOD.astype(complex), TypeError),
    (["a", "b"], np.array([["x", "y"], ["z", "w"]]), TypeError),
    (["a", "b"], np.array([[None, None], [None, None]]), TypeError),
    (["a", "b"], GOOD[0], wb.UsageError),
    (["a", "b"], GOOD[None], wb.UsageError),
    (["a", "b"], np.float32(3), wb.UsageError),
    (["a"], GOOD, wb.UsageError),
    (["a", "a"], GOOD, wb.UsageError),
    (["a", "b"], np.zeros((2, 0), dtype=np.float32), wb.UsageError),
    ("ab", GOOD, TypeError),
    ([b"a", b"b"], GOOD, TypeError),
    ([1, 2], GOOD, TypeError),
    (3, GOOD, TypeError),
    (None, None, TypeError),
    (["a", "b"], None, TypeError),
    (["a", "b"], "text", TypeError),
    (["a", "b"], object(), TypeError),
])
def test_vectors_that_cannot_be(words, array, error):
    with pytest.raises(error):
        wb.WordVectors(words, array)


def test_the_first_bad_row_is_named():
    with pytest.raises(wb.UsageError, match="vector 1 "):
        wb.WordVectors(["a", "b"], NAN)


@pytest.mark.parametrize("words", [["a\0b", ""], ["\ud800x", "y"], [" ", "\n"]])
def test_odd_words_are_kept_or_refused(words, tmp_path):
    try:
        vectors = wb.WordVectors(words, GOOD)
    except (wb.Error, UnicodeError):
        return
    assert vectors.words == tuple(words)
    assert vectors[words[0]].tolist() == [1, 0]
    vectors.save(tmp_path / "x.wbvec")


@pytest.mark.filterwarnings("ignore::wordbridge.WordbridgeWarning")
def test_no_words_at_all(small, tmp_path):
    empty = wb.WordVectors([], np.zeros((0, 2), dtype=np.float32))
    assert len(empty) == 0 and empty.array.shape == (0, 2) and empty.words == ()
    space = wb.CommonSpace(empty, small[1])
    assert space.translate("up") == []
    assert wb.CommonSpace(small[0], empty).translate("up", 3) == []
    for call in (
        lambda: wb.align(empty, small[1], [("a", "b")], method="procrustes"),
        lambda: wb.align(empty, empty, method="wasserstein"),
        lambda: wb.identical_words(empty, empty),
        lambda: space.evaluate([("up", "arriba")]),
    ):
        with pytest.raises(wb.Error):
            call()
    try:
        empty.save(tmp_path / "empty.vec")
        empty.inspect()
        space.hubs(), space.induce(mutual=True), space.false_friends()
    except wb.Error:
        pass


PATHS = ["missing/x.vec", "", "a\0b", "/proc/nothing/x", 3, None, object(), b"missing\xff.vec", ["x"]]


@pytest.mark.parametrize("path", PATHS)
def test_paths_that_cannot_be(path, small, mapping, space, tmp_path):
    calls = [
        lambda: wb.read_vectors(path),
        lambda: small[0].save(path),
        lambda: small[0].save(path, format="text"),
        lambda: wb.convert(path, tmp_path / "x.vec"),
        lambda: wb.convert("data/sample/en.vec.xz", path, format="text", max_words=3),
        lambda: wb.Mapping.load(path),
        lambda: mapping.transform_file(path, tmp_path / "x.vec"),
        lambda: mapping.transform_file("data/sample/en.vec.xz", path),
        lambda: wb.import_matrix(path),
        lambda: space.analogies(path),
        lambda: space.similarity(path),
        lambda: wb.reproduce(path, "data/sample", cache=tmp_path / "cache"),
        lambda: wb.reproduce("experiments/muse.json", path, cache=tmp_path / "cache"),
    ]
    if path != b"missing\xff.vec":  # which can be written
        calls.append(lambda: mapping.save(path))
    if path is not None:
        calls.append(lambda: mapping.export(path) if path != b"missing\xff.vec" else wb.read_vectors(path))
        calls.append(lambda: wb.read_lexicon(path, *small))
        calls.append(lambda: space.evaluate(path))
    for number, call in enumerate(calls):
        if path == b"missing\xff.vec" and number in (1, 2, 4, 7):
            continue
        with pytest.raises((wb.Error, TypeError, ValueError)):
            call()
    assert not (tmp_path / "x.vec").exists()


def test_what_the_system_refuses(tmp_path, mapping, small):
    with pytest.raises(wb.IoError) as caught:
        wb.read_vectors(tmp_path / "missing.vec")
    assert isinstance(caught.value, FileNotFoundError) and caught.value.errno == 2
    assert caught.value.filename == str(tmp_path / "missing.vec")
    with pytest.raises(wb.IoError):
        mapping.save(tmp_path / "no" / "folder.wbmap")
    with pytest.raises(wb.Error):
        wb.read_vectors(tmp_path)
    if os.geteuid() != 0:
        tmp_path.chmod(0o500)
        with pytest.raises(wb.IoError):
            small[0].save(tmp_path / "x.vec")


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"wordbridge", b"\x1f\x8b\x08\x00", b"\xff" * 5000])
def test_files_that_are_something_else(tmp_path, content, small, space):
    path = tmp_path / "x"
    path.write_bytes(content)
    for call in (lambda: wb.read_vectors(path), lambda: wb.Mapping.load(path), lambda: wb.read_lexicon(path, *small),
                 lambda: wb.import_matrix(path), lambda: space.evaluate(path), lambda: space.analogies(path),
                 lambda: space.similarity(path), lambda: wb.reproduce(path, tmp_path, cache=tmp_path / "cache")):
        with pytest.raises((wb.Error, ValueError)):
            call()


@pytest.mark.parametrize("pairs", [3, None, [], [("a",)], [("a", "b", "c", "d")], [(1, 2)], [("up", "arriba", -1)],
                                   [("up", "arriba", float("nan"))], [("up", "arriba", "x")], "", ["ab"],
                                   [("nothing", "here")]])
def test_pairs_that_cannot_be(pairs, small):
    with pytest.raises((wb.Error, TypeError, ValueError)):
        wb.read_lexicon(pairs, *small)
    with pytest.raises((wb.Error, TypeError, ValueError)):
        wb.CommonSpace(*small).evaluate(pairs)
    if pairs is not None:
        with pytest.raises((wb.Error, TypeError, ValueError)):
            wb.align(*small, pairs, method="procrustes")


@pytest.mark.parametrize("array, error", [
    (np.ones((2, 7)), wb.UsageError),
    (np.ones((1, 1, 100)), wb.UsageError),
    (np.full((1, 100), np.inf), wb.UsageError),
    (np.full((1, 100), "x"), TypeError),
    (None, TypeError),
])
def test_arrays_that_a_mapping_does_not_take(mapping, array, error):
    with pytest.raises(error):
        mapping.transform(array)
    with pytest.raises((TypeError, wb.UsageError)):
        wb.Procrustes().fit(array, array[:1] if isinstance(array, np.ndarray) and len(array) > 1 else None)


def test_sides_and_numbers_that_cannot_be(mapping, space, en, es, small):
    for call, error in [
        (lambda: mapping.transform(en, side="left"), wb.UsageError),
        (lambda: mapping.input_dimension("left"), wb.UsageError),
        (lambda: mapping.normalization(3), TypeError),
        (lambda: mapping.transform(small[0]), wb.UsageError),
        (lambda: mapping.compose(3), TypeError),
        (lambda: space.size("left"), wb.UsageError),
        (lambda: space.words(None), TypeError),
        (lambda: space.array("left"), wb.UsageError),
        (lambda: space.translate(3), TypeError),
        (lambda: space.translate([3]), TypeError),
        (lambda: space.translate("night", 0), wb.UsageError),
        (lambda: space.translate("night", 2**40), wb.UsageError),
        (lambda: space.translate("night", -1), wb.UsageError),
        (lambda: space.translate("night", 1.5), TypeError),
        (lambda: space.translate("night", True), TypeError),
        (lambda: space.translate("night", case="odd"), wb.UsageError),
        (lambda: space.translate("night", side="odd"), wb.UsageError),
        (lambda: space.translate("night", criterion="isf", beta=0), wb.UsageError),
        (lambda: space.translate("night", criterion="isf", beta=float("nan")), wb.UsageError),
        (lambda: space.translate("night", criterion="csls", neighbors=0), wb.UsageError),
        (lambda: space.translate("night", threads=-1), wb.UsageError),
        (lambda: space.translate("night", threads=10**9), wb.UsageError),
        (lambda: space.translate("night", threads="two"), TypeError),
        (lambda: space.translate("night", seed=-1), wb.UsageError),
        (lambda: space.translate("night", progress=3), TypeError),
        (lambda: space.explain("night"), wb.UsageError),
        (lambda: space.neighbors("night", side="odd"), wb.UsageError),
        (lambda: space.neighbors(["night", None]), TypeError),
        (lambda: space.induce(ranks=(5, 2)), wb.UsageError),
        (lambda: space.induce(ranks=(0, 2)), wb.UsageError),
        (lambda: space.induce(direction="sideways"), wb.UsageError),
        (lambda: space.induce(margin=-1), wb.UsageError),
        (lambda: space.induce(margin=float("nan")), wb.UsageError),
        (lambda: space.induce(threshold="x"), TypeError),
        (lambda: space.induce(only="odd"), wb.UsageError),
        (lambda: space.induce(only="new"), wb.UsageError),
        (lambda: space.induce(exclude=3), TypeError),
        (lambda: space.false_friends(criterion="odd"), wb.UsageError),
        (lambda: space.hubs(-1), wb.UsageError),
        (lambda: space.hubs(criterion="odd"), wb.UsageError),
        (lambda: space.evaluate("data/sample/en-es.test.txt", criterion="odd"), wb.UsageError),
        (lambda: space.similarity([]), wb.UsageError),
        (lambda: wb.CommonSpace(), TypeError),
        (lambda: wb.CommonSpace(mapping), TypeError),
        (lambda: wb.CommonSpace(mapping, en), TypeError),
        (lambda: wb.CommonSpace(mapping, "en.vec", "es.vec"), TypeError),
        (lambda: wb.CommonSpace(en, small[0]), wb.UsageError),
        (lambda: wb.CommonSpace(mapping, en, small[0]), wb.UsageError),
        (lambda: wb.CommonSpace(1, 2), TypeError),
        (lambda: wb.Mapping(3), TypeError),
        (lambda: wb.Lexicon(3), TypeError),
        (lambda: wb.align(en, 3, method="procrustes"), TypeError),
        (lambda: wb.align("en.vec", "es.vec"), TypeError),
        (lambda: wb.align(en, es, method=3), TypeError),
        (lambda: wb.read_vectors("data/sample/en.vec.xz", max_words=-1), wb.UsageError),
        (lambda: wb.read_vectors("data/sample/en.vec.xz", max_words=1.5), TypeError),
        (lambda: wb.evaluate_analogies(en, "data/sample/analogies.en.txt", mapping=3), TypeError),
        (lambda: wb.evaluate_similarity(en, "data/sample/en-es.test.txt"), wb.InputError),
        (lambda: en.first(0), wb.UsageError),
        (lambda: en[10**6], IndexError),
        (lambda: en[None], TypeError),
        (lambda: en[[3.5]], TypeError),
        (lambda: en.get(None), TypeError),
    ]:
        with pytest.raises(error):
            call()


def test_an_array_that_changes_is_the_owners_affair(small):
    array = np.eye(2, dtype=np.float32)
    vectors = wb.WordVectors(["a", "b"], array)
    array[:] = np.nan
    with pytest.raises(wb.Error):
        wb.CommonSpace(vectors, vectors).translate("a", 1)


def test_messages_are_for_python(space, mapping, en, es, small, tmp_path):
    """No spelling of the command line, the nearest name for a slip of the pen, and what is meant in plain words."""
    for call, message in [
        (lambda: wb.align(*small, [("up", "arriba")], method="rclss"), "method: 'rclss' is none of .* did you mean 'rcsls'"),
        (lambda: wb.align(*small, [("up", "arriba")], method="rcsls", constraint="sepctral"), "did you mean 'spectral'"),
        (lambda: wb.align(*small, [("up", "arriba")], method="rcsls", learning_rate=-1), "^learning_rate must be above 0"),
        (lambda: wb.align(*small, [("up", "arriba")], rerank=True, no_rerank=True), "^rerank and no_rerank contradict"),
        (lambda: wb.align(*small, method="procrustes"), "^method=procrustes learns from a lexicon"),
        (lambda: space.translate("night", criterion="clss"), "did you mean csls"),
        (lambda: space.translate("night", criterion="rerank"), "align with rerank to learn one"),
        (lambda: space.induce(direction="unoin"), "union"),
        (lambda: mapping.transform(en, side="trget"), "did you mean 'target'"),
        (lambda: space.translate("night", threads=-1), "^threads must be 0 or more, not -1"),
        (lambda: space.translate("night", 0), "^count must be 1 or more, not 0"),
        (lambda: space.translate(3), "^words must be words, not int"),
        (lambda: space.induce(ranks=3), "ranks must be a pair"),
        (lambda: wb.read_lexicon(3, *small), "pairs must be a file, a list of pairs"),
        (lambda: wb.reproduce(3, "."), "experiments must be a path"),
        (lambda: wb.CommonSpace(1, 2), "not int"),
        (lambda: wb.adapt(GOOD, GOOD, 7), "^pairs must be pairs of row numbers, not int"),
        (lambda: wb.adapt(GOOD, GOOD, [(0, 1, 2)]), "^pairs must be pairs of row numbers, not 3"),
        (lambda: wb.WordVectors(["a"], np.array([["up", 1]], dtype=object)), "^array must be numbers, but .*'up'"),
        (lambda: mapping.transform(np.array([[1, [2]]], dtype=object)), "must be numbers, but .*'list'"),
        (lambda: small[0].save(tmp_path / "x", format="natvie"), "did you mean 'native'"),
    ]:
        with pytest.raises((wb.Error, TypeError), match=message) as caught:
            call()
        assert "--" not in str(caught.value) and "is wanted" not in str(caught.value)
    with pytest.raises(FileNotFoundError):
        wb.Mapping.load("missing.wbmap")


def test_masks_and_sparse_tables(mapping):
    masked = np.ma.masked_less(np.arange(4.0).reshape(2, 2), 1)
    for call in (lambda: wb.WordVectors(["a", "b"], masked), lambda: mapping.transform(np.ma.masked_less(np.ones((1, 100)), 2)),
                 lambda: wb.CommonSpace(wb.WordVectors(["a", "b"], GOOD)).search(masked)):
        with pytest.raises(wb.UsageError, match="masked"):
            call()
    assert wb.WordVectors(["a", "b"], np.ma.masked_less(GOOD, -1)).array.tolist() == GOOD.tolist()
    sparse = pytest.importorskip("scipy.sparse")
    with pytest.raises(TypeError, match="toarray"):
        wb.WordVectors(["a", "b"], sparse.eye(2).tocsr())


def test_the_core_is_not_fooled():
    from wordbridge import _core

    for name in dir(_core):
        thing = getattr(_core, name)
        if callable(thing) and name not in ("version", "methods", "criteria") and not name.startswith("__"):
            for arguments in ((), (None,), (1, 2, 3), (None,) * 8):
                with pytest.raises(Exception):
                    thing(*arguments)
                    raise ValueError("types may be made of nothing")
