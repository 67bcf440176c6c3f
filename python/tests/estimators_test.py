"""Estimators over arrays: what comes out of them, and scikit-learn's own checks where it is installed."""

import pickle

import numpy as np
import pytest

import wordbridge as wb

RNG = np.random.default_rng(1)
X = RNG.standard_normal((80, 4)) * [1, 3, 0.5, 2]
TURN = np.linalg.qr(RNG.standard_normal((4, 4)))[0]


def unit(rows):
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def nearest_is_its_own(rows, others):
    return np.mean(np.argmax(unit(rows) @ unit(others).T, axis=1) == np.arange(len(rows)))


def test_least_squares_is_least_squares():
    m = RNG.standard_normal((4, 3))
    for shift in (0, 100):
        model = wb.LeastSquares().fit(X, X @ m + shift)
        assert np.allclose(model.transform(X), X @ m + shift, atol=1e-4)
        assert np.allclose(model.predict(X), model.transform(X))
        assert np.allclose(model.coef_, m.T, atol=1e-5) and np.allclose(model.intercept_, shift, atol=1e-4)
    # As NumPy's, where no map fits: with and without an intercept, and with rows of y that are zero.
    y = np.round(X @ m + RNG.standard_normal((80, 3)))
    y[::7] = 0
    with_one = np.c_[X, np.ones(80)]
    best = with_one @ np.linalg.lstsq(with_one, y, rcond=None)[0]
    assert np.allclose(wb.LeastSquares().fit(X, y).transform(X), best, atol=1e-4)
    best = X @ np.linalg.lstsq(X, y, rcond=None)[0]
    assert np.allclose(wb.LeastSquares(fit_intercept=False).fit(X, y).transform(X), best, atol=1e-4)
    # The paper's: rows of length 1 on both sides. Its map is learned from those, and comes out in the scale of y.
    of_paper = wb.LeastSquares(normalize="unit").fit(X, y + 1)
    w = np.linalg.lstsq(unit(X), unit(y + 1), rcond=None)[0]
    assert np.allclose(unit(of_paper.transform(X)), unit(X @ w), atol=1e-4)


@pytest.mark.parametrize("model", [wb.Procrustes(), wb.VecMap(), wb.Smith(), wb.RCSLS(epochs=2, learning_rate=1.0)])
def test_what_comes_out_can_be_compared_with_y(model):
    y = 7 * X @ TURN if not isinstance(model, wb.Procrustes) else X @ TURN + [5, 0, -3, 1]
    found = model.fit(X, y).transform(X)
    assert nearest_is_its_own(found, y) >= 0.95
    assert np.linalg.norm(found - y) < 0.2 * np.linalg.norm(y)
    assert np.array_equal(model.transform_target(y), y)
    assert np.allclose(model.inverse_transform(model.transform(X)), X, atol=1e-4)
    assert np.allclose(np.linalg.norm(model.set_params(unit=True).transform(X), axis=1), 1)
    model.set_params(unit=False, into="common").fit(X, y)
    common, other = model.transform(X), model.transform_target(y)
    assert nearest_is_its_own(common, other) >= 0.95 and model.score(X, y) == pytest.approx(1, abs=0.01)
    assert np.allclose(unit(model.inverse_transform(common)), unit(X), atol=1e-3)
    assert nearest_is_its_own(model.predict(X), y) >= 0.95
    model.set_params(into="target")


@pytest.mark.parametrize("normalize", ["center", "center,unit", "unit,center", "unit,center,unit", "none"])
def test_every_normalization_leads_back(normalize):
    y = X @ TURN + [2, 0, 1, 0]
    model = wb.Procrustes(normalize=normalize).fit(X, y)
    there_and_back = np.abs(unit(model.inverse_transform(model.predict(X))) - unit(X))
    if normalize in ("center,unit", "unit,center"):  # lengths are lost in between
        assert there_and_back.mean() < 0.05
    else:
        assert there_and_back.max() < 1e-5


def test_rows_are_no_words():
    """Nothing is learned from row numbers: neither a re-ranker, nor pairs of rows that are called the same."""
    y = RNG.standard_normal((80, 4))
    model = wb.Aligner("auto").fit(X, y)
    assert not model.mapping_.has_reranker and nearest_is_its_own(model.transform(X), y) < 0.5
    learning = wb.Procrustes(self_learn=True, self_learn_rounds=1, normalize="unit").fit(X[:40], X[:40] @ TURN)
    assert nearest_is_its_own(learning.transform(X), X @ TURN) == 1
    with pytest.raises(TypeError):
        wb.RCSLS(rerank_features="all")
    with pytest.raises(wb.UsageError, match="without pairs"):
        wb.Aligner("icp").fit(X, y)


def test_weights():
    y = X @ TURN + RNG.standard_normal((80, 4))
    weights = RNG.integers(0, 4, 80).astype(float)
    for model in (wb.LeastSquares(), wb.Procrustes()):
        repeated = model.fit(np.repeat(X, weights.astype(int), axis=0), np.repeat(y, weights.astype(int), axis=0))
        expected = repeated.predict(X)
        assert np.allclose(model.fit(X, y=y, sample_weight=weights).predict(X), expected, atol=1e-4)
    for bad in (-weights, weights * 0, weights[:3], [[1.0]] * 80, weights + np.nan):
        with pytest.raises(wb.UsageError):
            model.fit(X, y, sample_weight=bad)


def test_settings():
    y = X @ TURN
    model = wb.Aligner("procrustes")
    assert model.set_params(method="rcsls", learning_rate=1.0, epochs=2).fit(X, y).mapping_.method == "rcsls"
    with pytest.raises(wb.UsageError, match="learning_rate belongs to method=rcsls"):
        model.set_params(method="smith").fit(X, y)
    with pytest.raises(wb.UsageError, match="did you mean learning_rate"):
        model.set_params(lerning_rate=3)
    with pytest.raises(wb.UsageError, match="did you mean procrustes"):
        wb.Aligner("procustes").fit(X, y)
    with pytest.raises(wb.UsageError, match="into must be"):
        wb.VecMap(into="source").fit(X, y)
    again = pickle.loads(pickle.dumps(wb.LeastSquares(ridge=0.5).fit(X, y)))
    assert again.ridge == 0.5 and again.transform(X).shape == (80, 4)
    assert repr(wb.Procrustes(unit=True)) == "Procrustes(unit=True)"
    assert repr(wb.Aligner("smith")) == "Aligner(method='smith')"
    assert wb.LeastSquares().fit(X, y[:, 0]).predict(X).shape == (80,)


def test_what_is_given():
    y = X @ TURN
    model = wb.Procrustes()
    with pytest.raises(wb.NotFittedError):
        model.transform(X)
    masked = np.ma.masked_greater(X, 2)
    for call, reason in [
        (lambda: model.fit(masked, y), "masked values"), (lambda: model.fit(X, np.ma.masked_greater(y, 2)), "masked"),
        (lambda: model.fit(X, y[:3]), "80 and 3 rows"), (lambda: model.fit(X, None), "requires y"),
        (lambda: model.fit(X + 1j, y), "Complex"), (lambda: model.fit(X * np.nan, y), "NaN in row 0"),
        (lambda: model.fit(X, y).transform(X[:, :2]), "2 features"), (lambda: model.transform(X[0]), "Reshape"),
        (lambda: model.transform_target(y[:, :2]), "2 columns"), (lambda: wb.LeastSquares().fit(X[:1], y[:1]), "1 sample"),
    ]:
        with pytest.raises(wb.UsageError, match=reason):
            call()
    assert np.allclose(model.fit(np.ma.masked_greater(X, 1e9), y).transform(X), y, atol=1e-4)
    assert model.transform(X.astype(np.float32)).dtype == np.float32


def test_frames():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(X, index=[f"item {i}" for i in range(80)], columns=list("abcd"))
    model = wb.LeastSquares().fit(frame, X @ TURN)
    assert list(model.feature_names_in_) == list("abcd") and isinstance(model.transform(frame), np.ndarray)
    shown = model.set_output(transform="pandas").transform(frame)
    assert shown.index.equals(frame.index) and list(shown.columns) == [f"leastsquares{i}" for i in range(4)]
    with pytest.raises(wb.UsageError, match="other names"):
        model.transform(frame[list("abdc")])
    with pytest.raises(wb.UsageError):
        model.set_output(transform="polars")


def test_scikit_learn():
    pytest.importorskip("sklearn")
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    y = X @ TURN
    twin = clone(wb.Procrustes(unit=True).set_output(transform="pandas"))
    assert twin.unit and hasattr(twin.fit(X, y).transform(X), "columns")
    pipeline = make_pipeline(StandardScaler(with_std=False), wb.Procrustes())
    assert np.allclose(pipeline.fit(X, y).predict(X), y, atol=1e-4)
    assert np.allclose(pipeline.inverse_transform(y), X, atol=1e-4)
    for grid in ({"method": ["procrustes", "least-squares", "vecmap"]},
                 {"method": ["procrustes"], "normalize": ["none", "unit", "unit,center"]}):
        search = GridSearchCV(wb.Aligner(), grid, cv=3).fit(X, y)
        assert search.best_score_ == pytest.approx(1, abs=1e-3) and not np.isnan(search.cv_results_["mean_test_score"]).any()


class TwoColumns(wb.VecMap):
    """The checks have one column of y, of which VecMap's normalization leaves nothing: here they have two."""

    __init__ = wb.VecMap.__init__

    @staticmethod
    def widened(y):
        one = np.asarray(y)
        return np.c_[one.ravel(), one.ravel() * one.ravel() - 3] if one.dtype.kind in "fiuO" and one.size == len(one) else y

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y if y is None else self.widened(y), sample_weight)

    def score(self, X, y, sample_weight=None):
        return super().score(X, self.widened(y), sample_weight)


#: Checks of scikit-learn that do not hold, by estimator, and why. None does.
EXCEPTIONS = {}


@pytest.mark.parametrize("model", [wb.LeastSquares(threads=1), wb.RCSLS(epochs=1, learning_rate=1.0, threads=1),
                                   TwoColumns(into="common", threads=1)], ids=lambda model: type(model).__name__)
@pytest.mark.filterwarnings("ignore")
def test_the_checks_of_scikit_learn(model):
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    for one, check in checks.check_estimator(model, generate_only=True):
        name = getattr(check, "func", check).__name__
        if name not in EXCEPTIONS.get(type(model).__name__, ()):
            try:
                check(one)
            except pytest.skip.Exception:
                pass
            except Exception as error:
                if type(error).__name__ != "SkipTest":
                    raise AssertionError(name) from error
