import subprocess

import numpy as np
import pytest

import wordbridge as wb


def test_files_come_back(tmp_path, mapping):
    mapping.save(tmp_path / "en-es.wbmap")
    again = wb.Mapping.load(tmp_path / "en-es.wbmap")
    assert again == mapping and np.array_equal(again.W, mapping.W)
    assert again.provenance == mapping.provenance
    assert again.provenance["method"] == again.method == "procrustes"
    assert again.provenance["lexicon"].endswith("1260 of 1260 source words, 1692 of 1692 pairs")


def test_transforming_arrays(en, mapping):
    rows = mapping.transform(en.array[:50])
    unit = en.array[:50] / np.linalg.norm(en.array[:50], axis=1, keepdims=True)
    wanted = unit @ mapping.W.T
    assert np.allclose(mapping.transform(en.array[:50], unit=False), wanted, atol=1e-5)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    rows[0, 0] = 5  # is the caller's own
    assert mapping.transform(en.array[:0]).shape == (0, 100)


def test_transforming_vectors(en, mapping):
    aligned = mapping.transform(en)
    assert isinstance(aligned, wb.WordVectors) and aligned.words == en.words
    assert np.array_equal(aligned.array[:50], mapping.transform(en.array)[:50])


def test_other_vectors_are_noticed(es, mapping):
    with pytest.warns(wb.WordbridgeWarning, match="not the source vectors"):
        mapping.transform(es)


@pytest.mark.parametrize("name", ["out.vec", "out.wbvec"])
def test_files_of_any_size(program, tmp_path, mapping, name):
    mapping.save(tmp_path / "m.wbmap")
    mapping.transform_file("data/sample/en.vec.xz", tmp_path / ("p" + name))
    subprocess.run([program, "apply", tmp_path / "m.wbmap", "data/sample/en.vec.xz", "-o", tmp_path / name, "--quiet"],
                   check=True)
    assert (tmp_path / name).read_bytes() == (tmp_path / ("p" + name)).read_bytes()


def test_fasttext_models_stay_models(tmp_path):
    path = "tests/formats/fasttext/subwords.bin"
    model = wb.read_vectors(path)
    mapping = wb.align(model, model, wb.identical_words(model, model), method="procrustes")
    remark = mapping.transform_file(path, tmp_path / "mapped.bin")
    assert "length" in remark
    mapped = wb.read_vectors(tmp_path / "mapped.bin")
    assert mapped.has_subwords
    a, b = mapped["neverseen"], mapping.transform(model)["neverseen"]
    assert a @ b / np.linalg.norm(a) / np.linalg.norm(b) > 0.999


def test_the_way_back_and_onwards(mapping, en, es):
    back = mapping.invert()
    assert np.allclose(back.W, mapping.W.T, atol=1e-5)
    round_trip = mapping.compose(back)
    assert np.allclose(round_trip.W, np.eye(100), atol=1e-4)
    with pytest.raises(wb.UsageError):
        mapping.compose(mapping)


def test_what_is_lost_is_told(en, es, lexicon):
    stretched = wb.align(en, es, lexicon, method="least-squares")
    with pytest.warns(wb.WordbridgeWarning, match="not orthogonal"):
        stretched.invert()


def test_plain_matrices(tmp_path, mapping, en, es):
    text = mapping.export(tmp_path / "W.txt")
    assert (tmp_path / "W.txt").read_text() == text and text.startswith("100 100\n")
    again = wb.import_matrix(tmp_path / "W.txt")
    assert np.array_equal(again.W, mapping.W)
    bare = mapping.export(header=False)
    assert np.allclose(np.loadtxt(bare.splitlines()), mapping.W.T)
    with pytest.raises(wb.UsageError):
        wb.import_matrix(tmp_path / "W.txt", normalize="center")
    centered = wb.import_matrix(tmp_path / "W.txt", normalize="center", source=en, target=es)
    assert centered.normalization() == "center"
    with pytest.raises(wb.UsageError, match="target side"):
        mapping.export(side="target")


def test_both_sides_may_move(en, es, lexicon):
    mapping = wb.align(en, es, lexicon, method="smith")
    assert mapping.V is not None and mapping.V.shape[1] == 100
    assert mapping.input_dimension("target") == 100


def test_inspection_and_displays(mapping, en, es, lexicon):
    assert mapping.inspect()["source"]["singular_values"]["max"] == pytest.approx(1, abs=1e-4)
    assert repr(mapping) == "<Mapping by procrustes: 100 x 100>"
    trained = wb.align(en, es, lexicon, method="rcsls", epochs=3, learning_rate=5)
    assert "<svg" in trained._repr_html_() and "<svg" not in mapping._repr_html_()
    assert [step["epoch"] for step in trained.training][:2] == [0, 1]
    assert isinstance(trained.log(), list)


def test_views_are_read_only_and_stay_valid(en, es, lexicon):
    matrix = wb.align(en, es, lexicon, method="procrustes").W
    assert matrix.shape == (100, 100) and np.isfinite(matrix).all()
    with pytest.raises(ValueError):
        matrix[0, 0] = 1


def test_items_in_parts_and_resumed(tmp_path, mapping):
    array = np.random.default_rng(2).normal(size=(2500, 100)).astype(np.float16)
    np.save(tmp_path / "x.npy", array)
    mapping.transform_file(tmp_path / "x.npy", tmp_path / "whole.npy", resume=True)
    for part in (1, 2):
        mapping.transform_file(tmp_path / "x.npy", tmp_path / f"part{part}.npy", part=(part, 2))
    whole = np.load(tmp_path / "whole.npy")
    np.testing.assert_array_equal(whole, np.concatenate([np.load(tmp_path / f"part{part}.npy") for part in (1, 2)]))
    np.testing.assert_array_equal(whole, mapping.transform(array.astype(np.float32)))
    with pytest.raises(wb.UsageError):
        mapping.transform_file(tmp_path / "x.npy", tmp_path / "y.npy", part=(3, 2))
