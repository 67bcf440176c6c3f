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
    assert len(space.induce(ranks=(1, 100)).to_pandas()) == len(space.induce(ranks=(1, 100)))
    assert "rank" in space.evaluate("data/sample/en-es.test.txt").to_pandas().columns
    assert len(space.hubs(2, queries=100).to_pandas()) == 2


def test_scikit_learn():
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng(1)
    x = rng.standard_normal((80, 4))
    y = x @ np.linalg.qr(rng.standard_normal((4, 4)))[0]
    for estimator in (wb.Procrustes(unit=True), wb.Aligner("least-squares"), wb.RCSLS(epochs=2, learning_rate=1.0)):
        twin = clone(estimator)
        assert twin is not estimator and twin.get_params() == estimator.get_params()
        assert twin.fit(x, y).transform(x).shape == (80, 4)
    pipeline = make_pipeline(StandardScaler(with_std=False), wb.Procrustes(normalize="none"))
    assert np.allclose(pipeline.fit(x, y - y.mean(axis=0)).transform(x), y - y.mean(axis=0), atol=1e-4)
    search = GridSearchCV(wb.Procrustes(), {"normalize": ["none", "unit", "unit,center"]}, cv=3).fit(x, y)
    assert search.best_score_ == pytest.approx(1, abs=1e-4)


def test_estimators_without_scikit_learn(en, es):
    rng = np.random.default_rng(2)
    x = rng.standard_normal((30, 3))
    turned = x @ np.linalg.qr(rng.standard_normal((3, 3)))[0]
    procrustes = wb.Procrustes(normalize="none")
    with pytest.raises(wb.NotFittedError):
        procrustes.transform(x)
    assert np.allclose(procrustes.fit_transform(x, turned), turned, atol=1e-5)
    assert np.allclose(procrustes.transform_target(turned), turned, atol=1e-6)
    assert procrustes.score(x, turned) == pytest.approx(1, abs=1e-5)
    assert procrustes.mapping_.method == "procrustes" and procrustes.n_features_in_ == 3
    assert repr(wb.Procrustes(unit=True)) == "Procrustes(unit=True)"
    assert wb.VecMap().fit(x, turned).transform(x).shape == (30, 3)
    assert wb.Smith().fit(x, turned).transform(x).shape[0] == 30
    assert wb.LeastSquares().set_params(unit=True).unit
    for call in (lambda: wb.Procrustes(odd=1), lambda: wb.Procrustes().set_params(odd=1),
                 lambda: wb.Procrustes().fit(x, turned[:3]), lambda: wb.Aligner("odd").fit(x, turned)):
        with pytest.raises((TypeError, wb.UsageError)):
            call()


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
    with pytest.raises(wb.UsageError):
        space.plot("zyx")


def test_tqdm(en, es, lexicon, capfd):
    pytest.importorskip("tqdm")
    wb.align(en, es, lexicon, method="rcsls", epochs=2, learning_rate=1, progress=True)
    assert "%" in capfd.readouterr().err
