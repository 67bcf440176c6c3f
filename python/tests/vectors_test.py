import warnings

import numpy as np
import pytest

import wordbridge as wb


def test_arrays_are_shared_not_copied():
    array = np.arange(6, dtype=np.float32).reshape(3, 2)
    vectors = wb.WordVectors(["a", "b", "c"], array)
    assert np.shares_memory(vectors.array, array)
    assert np.shares_memory(vectors["b"], array)
    assert vectors.array.dtype == np.float32 and not vectors.array.flags.writeable
    with pytest.raises(ValueError):
        vectors.array[0, 0] = 1


def test_memory_outlives_its_makers():
    array = np.arange(6, dtype=np.float32).reshape(3, 2)
    vectors = wb.WordVectors(["a", "b", "c"], array)
    seen = vectors.array
    row = vectors["c"]
    del array, vectors
    assert seen.tolist() == [[0, 1], [2, 3], [4, 5]] and row.tolist() == [4, 5]


@pytest.mark.parametrize("array", [
    np.array([[1, 2], [3, 4]]),
    np.array([[1.0, 2.0], [3.0, 4.0]]),
    np.array([[1, 3], [2, 4]], dtype=np.float32).T,
    np.array([[1, 0, 2], [3, 0, 4]], dtype=np.float32)[:, ::2],
    np.array([[1, 2], [3, 4]], dtype=">f4"),
    np.array([[1, 2], [3, 4]], dtype=np.float16),
    memoryview(np.array([[1, 2], [3, 4]], dtype=np.float32)),
    [[1, 2], [3, 4]],
])
def test_other_layouts_are_converted(array):
    vectors = wb.WordVectors(["a", "b"], array)
    assert vectors.array.tolist() == [[1, 2], [3, 4]]
    assert vectors.array.flags.c_contiguous


def test_unaligned_memory_is_copied():
    raw = np.zeros(17, dtype=np.uint8)
    array = raw[1:].view(np.float32).reshape(2, 2)
    assert not array.flags.aligned
    assert wb.WordVectors(["a", "b"], array).array.tolist() == [[0, 0], [0, 0]]


def test_looking_up():
    vectors = wb.WordVectors(["naïve", "夜"], np.eye(2))
    assert "夜" in vectors and "day" not in vectors and 3 not in vectors
    assert vectors["夜"].tolist() == [0, 1]
    assert vectors[["夜", "naïve"]].tolist() == [[0, 1], [1, 0]]
    assert vectors.index("夜") == 1
    assert vectors.get("day") is None and vectors.get("day", 5) == 5
    assert list(vectors) == ["naïve", "夜"] and len(vectors) == 2
    with pytest.raises(KeyError):
        vectors["day"]
    with pytest.raises(KeyError):
        vectors.index("day")


def test_rows_and_neighbors(small, lexicon):
    up, right, left = small[0]
    assert small[0][0].tolist() == [0, 2] and small[0][-1].tolist() == [-3, 0]
    assert small[0][:2].tolist() == [[0, 2], [1, 0]] and small[0][[0, "left"]].tolist() == [[0, 2], [-3, 0]]
    assert small[0][[]].shape == (0, 2) and small[0][np.int64(1)].tolist() == [1, 0]
    assert small[0].most_similar("right", 2) == [("up", 0.0), ("left", -1.0)]
    assert small[0].most_similar([-5.0, 0.0], 1) == [("left", 1.0)]
    assert small[0].most_similar("right", topn=1) == [("up", 0.0)]  # as gensim calls it
    with pytest.raises(KeyError):
        small[0].most_similar("down")
    assert lexicon[0] == lexicon.pairs[0] and lexicon[:2] == lexicon.pairs[:2]
    assert wb.WordVectors({"a": [1, 2], "b": [3, 4]})["b"].tolist() == [3, 4]


def test_from_memory_and_objects(tmp_path, small):
    import io

    table = np.arange(6, dtype=np.float32).reshape(3, 2)
    np.save(tmp_path / "x.npy", table)
    np.savez(tmp_path / "words.npz", words=np.array(["a", "夜", "c"]), vectors=table)
    np.savez_compressed(tmp_path / "bare.npz", table)
    (tmp_path / "list.txt").write_text("a\n夜\nc\n", encoding="utf-8")
    for path, words in [("x.npy", ["a", "夜", "c"]), ("words.npz", None), ("bare.npz", ("a", "夜", "c")),
                        ("bare.npz", tmp_path / "list.txt"), ("x.npy", tmp_path / "list.txt")]:
        vectors = wb.read_vectors(tmp_path / path, vocabulary=words)
        assert vectors.words == ("a", "夜", "c") and np.array_equal(vectors.array, table)
    assert wb.read_vectors(tmp_path / "x.npy", vocabulary=["a", "b", "c"], max_words=2).words == ("a", "b")
    small[0].save(tmp_path / "x.vec.gz")
    small[0].save(tmp_path / "x.vec")
    for stream in (open(tmp_path / "x.vec.gz", "rb"), io.BytesIO((tmp_path / "x.vec").read_bytes()),
                   io.StringIO((tmp_path / "x.vec").read_text())):
        with stream:
            assert wb.read_vectors(stream).words == small[0].words
    (tmp_path / "x.kv").write_bytes(b"\x80\x04\x95")
    for call, kind, reason in [
        (lambda: wb.read_vectors(tmp_path / "bare.npz"), wb.InputError, "one of words are expected; there is arr_0"),
        (lambda: wb.read_vectors(tmp_path / "x.npy", vocabulary=["a"]), wb.InputError, "1 words for 3 vectors"),
        (lambda: wb.read_vectors(tmp_path / "x.vec", vocabulary=["a"]), wb.UsageError, "NumPy's files"),
        (lambda: wb.read_vectors(tmp_path / "no.npy", vocabulary=["a"]), FileNotFoundError, "no.npy"),
        (lambda: wb.read_vectors(tmp_path / "x.kv"), wb.InputError, "KeyedVectors.load"),
        (lambda: wb.read_vectors(io.BytesIO(b"2 2\na 1 2\nb 1 x\n")), wb.InputError, "the file object:3: "),
    ]:
        with pytest.raises(kind, match=reason):
            call()


def test_reading(en):
    assert len(en) == 9738 and en.dimension == 100
    assert en.words[:3] == ("the", "to", "a")
    assert en.summary["format"] == "fastText text" and en.summary["compression"] == "xz"
    first = en.first(10)
    assert len(first) == 10 and np.shares_memory(first.array, en.array)


@pytest.mark.parametrize("name", ["x.vec", "x.vec.gz", "x.w2v", "x.npy", "x.wbvec"])
def test_formats_come_back(tmp_path, small, name):
    source, _ = small
    source.save(tmp_path / name)
    again = wb.read_vectors(tmp_path / name)
    assert again.words == source.words
    assert np.array_equal(again.array, source.array)
    assert again.checksum() == source.checksum()
    wb.convert(tmp_path / name, tmp_path / "copy.vec")
    assert wb.read_vectors(tmp_path / "copy.vec").words == source.words


def test_format_by_name(tmp_path, small):
    small[0].save(tmp_path / "odd", format="native")
    assert wb.read_vectors(tmp_path / "odd").summary["format"].startswith("wordbridge")
    with pytest.raises(wb.UsageError):
        small[0].save(tmp_path / "odd", format="pdf")


def test_bytes_that_are_not_utf8_survive(tmp_path):
    (tmp_path / "x.vec").write_bytes(b"2 1\n\xff\xfe 1\nok 2\n")
    vectors = wb.read_vectors(tmp_path / "x.vec")
    assert vectors.words == ("\udcff\udcfe", "ok")
    assert vectors["\udcff\udcfe"].tolist() == [1]
    vectors.save(tmp_path / "y.vec")
    assert (tmp_path / "y.vec").read_bytes().splitlines()[1].startswith(b"\xff\xfe ")


def test_subwords():
    model = wb.read_vectors("tests/formats/fasttext/subwords.bin")
    assert model.has_subwords
    assert "neverseen" not in model
    vector = model["neverseen"]
    assert vector.shape == (model.dimension,) and np.isfinite(vector).all() and vector.any()


def test_damage_tells_where(tmp_path):
    (tmp_path / "bad.vec").write_text("2 2\na 1 2\nb 1 x\n")
    with pytest.raises(wb.InputError) as caught:
        wb.read_vectors(tmp_path / "bad.vec")
    assert caught.value.path == str(tmp_path / "bad.vec") and caught.value.line == 3
    assert isinstance(caught.value, ValueError) and str(caught.value).startswith(f"{tmp_path}/bad.vec:3: ")
    assert wb.read_vectors(tmp_path / "bad.vec", lenient=True).summary["skipped_rows"] == 1


def test_inspection(en):
    report = en.inspect()
    assert report["words"] == 9738
    assert "suspicious" in str(report) and report._repr_html_().startswith("<pre>")


def test_displays(small):
    assert repr(small[0]) == "<WordVectors: 3 words x 2>"
    assert "<td>up</td>" in small[0]._repr_html_()
    words = wb.WordVectors(["<b>"], np.ones((1, 1)))
    assert "<b>" not in words._repr_html_()


def test_no_warnings_on_the_way(small):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wb.CommonSpace(*small)


def test_tables_without_words_are_items(tmp_path):
    array = np.random.default_rng(1).normal(size=(5, 3)).astype(np.float16)
    np.save(tmp_path / "a.npy", array[:2])
    np.save(tmp_path / "b.npy", array[2:].astype(np.float64))
    vectors = wb.read_vectors(str(tmp_path / "?.npy"))
    assert vectors.words == ("0", "1", "2", "3", "4") and vectors.summary["ids"]
    np.testing.assert_array_equal(vectors.array, array.astype(np.float32))
    vectors.save(tmp_path / "half.npy", format="npy:f16")
    np.testing.assert_array_equal(np.load(tmp_path / "half.npy"), array)
    assert np.load(tmp_path / "half.npy").dtype == np.float16 and not (tmp_path / "half.vocab").exists()
    (tmp_path / "raw").write_bytes(array.tobytes())
    (tmp_path / "ids").write_text("".join(f"d{i}\n" for i in range(5)))
    named = wb.read_vectors(tmp_path / "raw", format="raw:f16:3", ids=tmp_path / "ids")
    assert named["d4"].tolist() == array[4].tolist()
    wb.convert(tmp_path / "raw", tmp_path / "raw.npy", source_format="raw:f16:3")
    np.testing.assert_array_equal(np.load(tmp_path / "raw.npy"), array.astype(np.float32))
    with pytest.raises(wb.UsageError):
        wb.read_vectors(tmp_path / "raw", format="raw:f16")
