import copy
import multiprocessing
import pickle

import numpy as np
import pytest

import wordbridge as wb


def again(thing):
    return pickle.loads(pickle.dumps(thing))


def test_vectors(en):
    copied = again(en)
    assert copied.words == en.words and np.array_equal(copied.array, en.array)
    assert copied.path == en.path and copied.checksum() == en.checksum()


def test_vectors_out_of_band(en):
    buffers = []
    data = pickle.dumps(en, protocol=5, buffer_callback=buffers.append)
    assert len(data) < en.array.nbytes / 4
    assert np.array_equal(pickle.loads(data, buffers=buffers).array, en.array)


def test_subwords_survive():
    model = wb.read_vectors("tests/formats/fasttext/subwords.bin")
    assert np.array_equal(again(model)["neverseen"], model["neverseen"])


def test_lexicons_and_mappings(en, es, lexicon, mapping):
    assert again(lexicon).pairs == lexicon.pairs and again(lexicon).coverage == lexicon.coverage
    assert again(mapping) == mapping
    assert wb.align(en, es, again(lexicon), method="procrustes") == mapping
    assert copy.deepcopy(mapping) == mapping
    with pytest.raises((wb.Error, ValueError)):
        wb.mapping._restored(b"no mapping")


def test_spaces_and_results(space):
    copied = again(space)
    assert copied.translate("night", 5) == space.translate("night", 5)
    assert again(space.translate("night", 2)).query == "night"
    assert again(space.translate(["night"], 2)).words == space.translate(["night"], 2).words


def test_results_keep_their_methods(space, reranking, en, es):
    for result in (space.evaluate("data/sample/en-es.test.txt"),
                   wb.CommonSpace(reranking, en, es).evaluate("data/sample/en-es.test.txt")):
        copied = again(result)
        assert type(copied) is wb.TranslationResult and copied == result and str(copied) == str(result)
        assert copied.precision(1) == result.precision(1) and copied.words[3] == result.words[3]
        assert copied.bands([1000]) == result.bands([1000]) and str(copied.bands([1000])) == str(result.bands([1000]))
        assert copied.compare(result)["difference"] == 0


def test_vectors_know_their_space(en, es, mapping):
    aligned = again(mapping.transform(en))
    wb.CommonSpace(aligned, mapping.transform(es, side="target"))


def test_errors():
    error = again(wb.InputError("x.vec", 3, "why"))
    assert (error.path, error.line, str(error)) == ("x.vec", 3, "x.vec:3: why")
    for kind in (wb.IoError, wb.NoAccessError):
        error = again(kind(13, "x: cannot open: Permission denied", "x"))
        assert type(error) is kind and error.errno == 13 and error.filename == "x"


def _translated(arguments):
    space, word = arguments
    return space.translate(word, 3, threads=1).words


_SHARED = None


def _translated_by_the_shared(word):
    return _SHARED.translate(word, 3).words


@pytest.mark.parametrize("how", ["spawn", "forkserver"])
def test_other_processes(how, mapping, en, es):
    space = wb.CommonSpace(mapping, en, es)
    words = ["night", "day"]
    with multiprocessing.get_context(how).Pool(2) as pool:
        assert pool.map(_translated, [(space, word) for word in words]) == [space.translate(w, 3).words for w in words]


def test_forked_processes(space):
    """A space that was used before, without a copy."""
    global _SHARED
    _SHARED = space
    words = ["night", "day", "library"]
    wanted = [space.translate(word, 3).words for word in words]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(_translated_by_the_shared, words) == wanted
