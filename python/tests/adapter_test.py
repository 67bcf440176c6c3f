"""wb.Adapter and wb.adapt: new queries for an old index."""

import io
import subprocess
import threading

import numpy as np
import pytest

import wordbridge as wb


@pytest.fixture(scope="module")
def spaces():
    rng = np.random.default_rng(1)
    new = rng.standard_normal((300, 6)).astype(np.float32)
    rotation = np.linalg.qr(rng.standard_normal((6, 6)))[0]
    return new, (2 * new @ rotation + [1, 0, 3, 0, 0, 2]).astype(np.float32)


def test_recovers_a_rotation_with_scale_and_shift(spaces):
    new, old = spaces
    adapter = wb.Adapter(passes=2).fit(new, old)
    assert adapter.report_["chosen"] == "procrustes"
    assert np.allclose(adapter.transform(new), old, atol=1e-3)
    assert adapter.score(new, old) == 1
    assert np.allclose(new @ adapter.W.T + adapter.b, old, atol=1e-3)


def test_one_query_is_a_row_of_many(spaces):
    new, old = spaces
    adapter = wb.adapt(new, old, map="ridge")
    many = adapter.transform(new)
    assert adapter.transform(new[3]).shape == (6,)
    assert np.allclose(adapter.transform(new[3]), many[3], atol=1e-4)
    assert np.allclose(adapter.transform(new[:5]), many[:5], atol=1e-4)
    adapter.unit = True
    assert np.allclose(np.linalg.norm(adapter.transform(new), axis=1), 1, atol=1e-5)
    assert np.allclose(np.linalg.norm(adapter.transform(new[0])), 1, atol=1e-5)


def test_threads_may_ask_at_once(spaces):
    new, old = spaces
    adapter = wb.adapt(new, old, map="ridge")
    expected, found = adapter.transform(new[7]), [None] * 8

    def ask(i):
        for _ in range(50):
            found[i] = adapter.transform(new[7])

    threads = [threading.Thread(target=ask, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(np.array_equal(row, expected) for row in found)


def test_pairs_are_rows_of_both(spaces):
    new, old = spaces
    order = np.random.default_rng(2).permutation(300)
    pairs = [(int(row), int(np.flatnonzero(order == row)[0])) for row in range(0, 300, 2)]
    adapter = wb.adapt(new, old[order], pairs, map="ridge")
    assert np.allclose(adapter.transform(new), old, atol=1e-2)
    assert adapter.report_["pairs"] == 150


def test_word_vectors_are_paired_by_their_ids(spaces):
    new, old = spaces
    ids = [f"i{i}" for i in range(300)]
    adapter = wb.adapt(wb.WordVectors(ids, new), wb.WordVectors(ids[::-1], old[::-1].copy()), map="ridge")
    assert np.allclose(adapter.transform(new), old, atol=1e-2)


def test_both_sides_meet_in_a_space_of_their_own(spaces):
    new, old = spaces
    adapter = wb.adapt(new, old[:, :4], map="both-sides", passes=10)
    assert adapter.transform(new).shape == adapter.transform_items(old[:, :4]).shape == (300, 4)
    assert adapter.report_["chosen"] == "both-sides"
    assert adapter.score(new, old[:, :4]) > 0.5  # by chance 1 in 300; four dimensions leave little room for angles
    one_sided = wb.adapt(new, old, map="ridge")
    items = one_sided.transform_items(old)
    assert np.allclose(items, old / np.linalg.norm(old, axis=1, keepdims=True), atol=1e-5)


def test_saves_and_loads(spaces, tmp_path):
    new, old = spaces
    adapter = wb.adapt(new, old, map="ridge")
    adapter.save(tmp_path / "a.wbmap")
    again = wb.Adapter.load(tmp_path / "a.wbmap")
    assert np.array_equal(again.transform(new[0]), adapter.transform(new[0]))
    assert again.n_features_in_ == 6


def test_onnx_is_the_same_map(spaces):
    onnx = pytest.importorskip("onnx")
    numpy_helper = pytest.importorskip("onnx.numpy_helper")
    new, old = spaces
    adapter = wb.adapt(new, old, map="ridge")
    model = onnx.load(io.BytesIO(adapter.to_onnx(unit=True)))
    onnx.checker.check_model(model, full_check=True)
    values = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    assert [node.op_type for node in model.graph.node] == ["Gemm", "LpNormalization", "Identity"]
    assert np.array_equal(values["W"], adapter.W)
    assert np.array_equal(values["b"], adapter.b)
    # Debian's onnx (1.12) reads and checks, but runs nothing: its three operators by their definitions.
    values[model.graph.input[0].name] = new
    for node in model.graph.node:
        given = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        inputs = [values[name] for name in node.input]
        if node.op_type == "Gemm":
            a = inputs[0].T if given.get("transA") else inputs[0]
            b = inputs[1].T if given.get("transB") else inputs[1]
            result = given.get("alpha", 1) * (a @ b) + given.get("beta", 1) * inputs[2]
        elif node.op_type == "LpNormalization":
            axis = given.get("axis", -1)
            result = inputs[0] / np.linalg.norm(inputs[0], given.get("p", 2), axis=axis, keepdims=True)
        else:
            assert node.op_type == "Identity"
            result = inputs[0]
        values[node.output[0]] = result
    adapter.unit = True
    assert np.allclose(values[model.graph.output[0].name], adapter.transform(new), atol=1e-5)


def test_wrong_uses(spaces):
    new, old = spaces
    with pytest.raises(wb.NotFittedError):
        wb.Adapter().transform(new)
    with pytest.raises(wb.UsageError, match="300 and 299 rows"):
        wb.adapt(new, old[:299])
    with pytest.raises(wb.UsageError, match="a row that its table does not have"):
        wb.adapt(new, old, [(0, 300)])
    with pytest.raises(wb.UsageError, match="criterion 'best'"):
        wb.adapt(new, old, criterion="best")
    with pytest.raises(wb.UsageError, match="magic"):
        wb.adapt(new, old, map="magic")
    with pytest.raises(wb.UsageError, match="dimension"):
        wb.adapt(new, old, map="ridge").transform(new[0, :5])
    with pytest.raises(wb.UsageError, match="not a finite number"):
        wb.adapt(np.full((30, 3), np.nan), new[:30])


def test_faiss_ranks_as_csls(spaces, tmp_path, program):
    """The file of `wordbridge export --inner-product`, read by faiss, against our own ranking."""
    faiss = pytest.importorskip("faiss")
    new, old = spaces
    ids = [f"i{i}" for i in range(300)]
    wb.WordVectors(ids, new).save(tmp_path / "new.vec")
    wb.WordVectors(ids, old).save(tmp_path / "old.vec")
    wb.adapt(new[:100], old[:100] + np.random.default_rng(3).normal(0, 2, (100, 6)), map="ridge").save(tmp_path / "a.wbmap")
    subprocess.run([program, "export", "a.wbmap", "new.vec", "old.vec", "--inner-product", "-o", "items.faiss",
                    "--queries", "queries.npy", "--quiet"], cwd=tmp_path, check=True)
    index, queries = faiss.read_index(str(tmp_path / "items.faiss")), np.load(tmp_path / "queries.npy")
    assert (index.ntotal, index.d) == (300, 7)
    _, found = index.search(queries, 5)
    space = wb.CommonSpace(wb.Mapping.load(tmp_path / "a.wbmap"), wb.read_vectors(tmp_path / "new.vec"),
                           wb.read_vectors(tmp_path / "old.vec"))
    same = 0
    for word, row in zip(ids, found):
        same += list(space.translate(word, 5, criterion="csls").words) == [ids[i] for i in row]
    assert same >= 298  # sums in float may change places of what is as good as equal
