"""gensim, pandas, scikit-learn, faiss, matplotlib and tqdm, each where it is installed."""

import numpy as np
import pytest

import wordbridge as wb


def test_gensim(en, mapping):
    gensim = pytest.importorskip("gensim")
    keyed = mapping.transform(en).to_gensim()
    assert isinstance(keyed, gensim.models.KeyedVectors)
    assert len(keyed) == len(en) and keyed.most_similar("night", topn=1)
    vectors = wb.WordVectors(keyed)
    assert np.shares_memory(vectors.array, keyed.vectors) and vectors.words == en.words
    assert np.shares_memory(en.to_gensim().vectors, en.array)
    nearest = [word for word, _ in en.to_gensim().most_similar("night", topn=3)]
    assert nearest == wb.CommonSpace(en).neighbors("night", 3).words


def test_gensim_keeps_what_it_has(en, mapping):
    gensim = pytest.importorskip("gensim")
    keyed = en.first(50).to_gensim(copy=True, counts=np.arange(50, 0, -1) * 7)
    assert keyed.get_vecattr("the", "count") == 350 and not np.shares_memory(keyed.vectors, en.array)
    with pytest.warns(wb.WordbridgeWarning, match="50 words here"):
        mapped = mapping.transform(keyed)
    assert isinstance(mapped, gensim.models.KeyedVectors) and mapped.get_vecattr("the", "count") == 350
    assert np.allclose(mapped["the"], mapping.transform(en["the"]), atol=1e-6)
    mapped.add_vector("new", np.ones(100, dtype=np.float32))
    assert en.to_gensim().get_vecattr("the", "count") == len(en)
    with pytest.raises(wb.UsageError):
        en.to_gensim(counts=[1, 2])


def test_subwords_do_not_vanish_without_a_word():
    pytest.importorskip("gensim")
    from gensim.models import FastText

    model = FastText([["night", "day", "light"]] * 5, vector_size=8, min_count=1, bucket=100, epochs=1)
    with pytest.warns(wb.WordbridgeWarning, match="subwords .* left out"):
        assert len(wb.WordVectors(model)) == 3
    with pytest.warns(wb.WordbridgeWarning, match="subwords .* left out"):
        wb.read_vectors("tests/formats/fasttext/subwords.bin").to_gensim()


def test_gensim_reads_what_is_written(en, tmp_path):
    gensim = pytest.importorskip("gensim")
    en.first(100).save(tmp_path / "x.w2v")
    keyed = gensim.models.KeyedVectors.load_word2vec_format(str(tmp_path / "x.w2v"), binary=True)
    assert keyed.index_to_key == list(en.words[:100]) and np.array_equal(keyed.vectors, en.array[:100])


def test_pandas(en, es, space):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["night", "day"], "target": ["noche", "día"]})
    lexicon = wb.read_lexicon(frame, en, es)
    assert lexicon.pairs == (("night", "noche"), ("day", "día"))
    assert list(lexicon.to_pandas().columns) == ["source", "target", "weight"]
    assert space.evaluate(frame).precision(10) == 100
    vectors = en.first(5).to_pandas()
    assert vectors.loc["the"].tolist() == en["the"].tolist()
    assert wb.WordVectors(vectors).words == en.words[:5]
    assert list(space.translate(["night"], 2).to_pandas()["rank"]) == [1, 2]
    assert list(space.translate("night", 2).to_pandas().columns) == ["rank", "word", "score", "known"]
    mapped = space.mapping.transform(vectors)
    assert mapped.index.equals(vectors.index) and np.allclose(mapped.loc["the"], space.mapping.transform(en["the"]), atol=1e-6)
    assert len(space.induce(ranks=(1, 100)).to_pandas()) == len(space.induce(ranks=(1, 100)))
    assert "rank" in space.evaluate("data/sample/en-es.test.txt").to_pandas().columns
    assert len(space.hubs(2, queries=100).to_pandas()) == 2


def test_faiss(space):
    faiss = pytest.importorskip("faiss")
    index = faiss.IndexFlatIP(space.dimension)
    index.add(space.array("target"))
    row = space.words("source").index("night")
    scores, ids = index.search(space.array("source")[row : row + 1], 3)
    found = [space.words("target")[i] for i in ids[0]]
    assert found == space.neighbors("night", 3, side="target").words
    assert np.allclose(scores[0], space.neighbors("night", 3, side="target").scores, atol=1e-5)


def test_matplotlib(tmp_path, en, es, lexicon, space, mapping):
    pytest.importorskip("matplotlib")
    trained = wb.align(en, es, lexicon, method="rcsls", epochs=3, learning_rate=5)
    trained.plot_training().figure.savefig(tmp_path / "training.png")
    space.plot(["night", "day", "library"]).figure.savefig(tmp_path / "space.png")
    assert (tmp_path / "space.png").stat().st_size > 1000
    with pytest.raises(wb.UsageError):
        mapping.plot_training()
    with pytest.raises(wb.UsageError), pytest.warns(wb.WordbridgeWarning):
        space.plot("zyx")


def test_tqdm(en, es, lexicon, capfd):
    pytest.importorskip("tqdm")
    wb.align(en, es, lexicon, method="rcsls", epochs=2, learning_rate=1, progress=True)
    assert "%" in capfd.readouterr().err
