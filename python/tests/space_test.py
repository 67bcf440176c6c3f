import pickle

import numpy as np
import pytest

import wordbridge as wb


@pytest.fixture
def shared():
    """One space: up and arriba at 90 degrees, right and derecha at 0, high at 60."""
    source = wb.WordVectors(["up", "High", "right"], [[0, 2], [0.5, 0.8660254], [1, 0]])
    target = wb.WordVectors(["derecha", "arriba"], [[3, 0], [0, 1]])
    return wb.CommonSpace(source, target)


def test_by_hand(shared):
    assert shared.translate("up", 2, criterion="nn") == [("arriba", 1.0), ("derecha", 0.0)]
    assert shared.translate("arriba", 1, criterion="nn", side="target").words == ["up"]
    answer = shared.translate("high", 1, criterion="nn")
    assert answer.word == "High" and answer[0].word == "arriba" and answer[0].score == pytest.approx(0.8660254)


@pytest.mark.filterwarnings("ignore::wordbridge.WordbridgeWarning")
def test_several_words_at_once(shared):
    table = shared.translate(["right", "down", "up"], 2, criterion="nn")
    assert table.queries == ["right", "down", "up"]
    assert table.words == [["derecha", "arriba"], [], ["arriba", "derecha"]]
    assert table.scores.shape == (3, 2)
    assert np.array_equal(table.scores, [[1, 0], [np.nan, np.nan], [1, 0]], equal_nan=True)
    assert table[1:].queries == ["down", "up"] and "<table>" in table._repr_html_()
    assert table.to_dict()["up"][0] == ("arriba", 1.0)
    assert len(shared.translate([], 2)) == 0


def test_vectors_ask(shared, space, en, es, mapping, reranking):
    scores, rows = shared.search([[0.0, 5.0], [2.0, 0.0], [0.0, 0.0]], 2, criterion="nn")
    assert rows.tolist() == [[1, 0], [0, 1], [-1, -1]] and scores[:2].tolist() == [[1, 0], [1, 0]]
    assert np.isnan(scores[2]).all()
    assert shared.search([0.0, 5.0], 1, side="source", criterion="nn")[1].tolist() == [0]
    assert shared.translate(np.array([[0.0, 3.0]]), 1, criterion="nn")[0] == [("arriba", 1.0)]
    # Vectors as they are before the mapping, by any criterion; what re-ranks words ranks vectors by CSLS.
    one = space.translate(en[["night", "library"]], 3)
    assert one.words == space.translate(["night", "library"], 3).words and one[0].origin == "vector"
    assert np.allclose(one.scores, space.translate(["night", "library"], 3).scores)
    assert space.translate(es["noche"], 3, side="target").words == space.translate("noche", 3, side="target").words
    by_csls = wb.CommonSpace(reranking, en, es).translate(en["night"], 3)
    assert by_csls.words == wb.CommonSpace(reranking, en, es).translate("night", 3, criterion="csls").words
    assert space.mapping == mapping and shared.mapping is None
    for wrong in (np.ones((1, 7)), np.full((1, 2), np.nan), np.ones((1, 1, 2))):
        with pytest.raises(wb.UsageError):
            shared.search(wrong)


def test_words_that_are_not_there(shared):
    with pytest.warns(wb.WordbridgeWarning, match="'down' has no vector"):
        assert shared.translate("down", criterion="nn") == []
    with pytest.warns(wb.WordbridgeWarning, match="2 of 3 words have no vector: 'down', 'under'"):
        assert repr(shared.translate(["down", "up", "under"], 1, criterion="nn")) == "down: -\nup: arriba\nunder: -"
    with pytest.warns(wb.WordbridgeWarning):
        shared.neighbors("down")
    # Blanks around a word and decomposed letters are no other word.
    assert shared.translate("up\n", 1, criterion="nn") == [("arriba", 1.0)]
    morning = wb.CommonSpace(wb.WordVectors({"mañana": [1, 0]}), wb.WordVectors({"morning": [1, 0]}))
    assert morning.translate("man\u0303ana", 1, criterion="nn").words == ["morning"]


def test_neighbors(shared):
    assert shared.neighbors("up", 1).words == ["High"]
    assert shared.neighbors("up", 1, side="target").words == ["arriba"]
    assert shared.neighbors("arriba", 1, side="source", of="target").words == ["up"]
    assert shared.neighbors("arriba", 1, side="target", of="target").words == ["derecha"]
    assert shared.neighbors(["up", "right"], 1).words == [["High"], ["High"]]


def test_one_language(en):
    space = wb.CommonSpace(en)
    unit = en.array / np.linalg.norm(en.array, axis=1, keepdims=True)
    cosines = unit @ unit[en.index("night")]
    best = [en.words[row] for row in np.argsort(-cosines)[1:4]]
    assert space.neighbors("night", 3).words == best and space.size("target") == 0


def test_the_arrays_of_a_space(space, en):
    array = space.array("source")
    assert array.shape == (len(en), 100) and not array.flags.writeable
    assert np.allclose(np.linalg.norm(array[:100], axis=1), 1, atol=1e-5)
    assert space.words("target")[:2] == ["de", "la"] or len(space.words("target")) == space.size("target")


def test_criteria(space):
    for name in ("nn", "csls", "isf", "gc"):
        answer = space.translate("night", 5, criterion=name)
        assert len(answer) == 5 and list(answer.scores) == sorted(answer.scores, reverse=True)
    assert space.translate("night", 1, criterion="csls").words == ["noche"]
    assert space.translate("night", 3, criterion="csls", neighbors=3).words
    with pytest.raises(wb.UsageError, match="none of nn, csls"):
        space.translate("night", criterion="best")
    with pytest.raises(wb.UsageError):
        space.translate("night", criterion="rerank")
    with pytest.raises(wb.UsageError, match="neighbors"):
        space.translate("night", neighbours=3)


def test_reranking(reranking, en, es):
    space = wb.CommonSpace(reranking, en, es)
    assert space.criterion == "rerank" and reranking.has_reranker
    best = space.translate("night", 3)
    assert best[0].word == "noche" and 0 < best[0].score <= 1
    candidate, rival, reasons = space.explain("night", 3)[0]
    assert candidate.word == "noche" and rival and reasons[0].feature


def test_beta_of_the_inverted_softmax(space, lexicon):
    beta = space.fit_beta(lexicon)
    assert 1 <= beta <= 1000
    assert space.translate("night", 1, criterion="isf", beta=beta)
    with pytest.raises(TypeError):
        space.fit_beta([("night", "noche")])


def test_induction(tmp_path, space):
    pairs = space.induce(mutual=True, ranks=(1, 2000))
    assert ("night", "noche") in {(pair.source, pair.target) for pair in pairs}
    assert pairs.columns == ("source", "target", "score", "rank", "margin")
    pairs.save(tmp_path / "mutual.tsv")
    lines = (tmp_path / "mutual.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "# source\ttarget\tscore\trank\tmargin" and len(lines) == len(pairs) + 1
    known = [(pair.source, pair.target) for pair in pairs[:10]]
    rest = space.induce(mutual=True, ranks=(1, 2000), exclude=known)
    assert len(rest) == len(pairs) - 10
    fresh = space.induce(mutual=True, ranks=(1, 2000), exclude=tmp_path / "mutual.tsv", only="new")
    assert not {pair.source for pair in fresh} & {pair.source for pair in pairs}
    assert all(pair.source == pair.target for pair in space.induce(only="identical", ranks=(1, 3000)))
    assert space.induce(threshold=5) is not None and len(space.induce(threshold=5)) == 0


def test_induction_by_probability(reranking, en, es, space):
    reranked = wb.CommonSpace(reranking, en, es)
    sure = reranked.induce(precision=0.5, ranks=(1, 500))
    assert 0 < len(sure) < 500 and min(pair.score for pair in sure) >= 0.5
    assert [tuple(pair) for pair in sure] == [tuple(pair) for pair in reranked.induce(threshold=0.5, ranks=(1, 500))]
    # Each word among the best of the other; the other side has no probabilities to be asked for.
    mutual = reranked.induce(precision=0.5, mutual=True, ranks=(1, 500))
    assert 20 < len(mutual) < len(sure) and {tuple(pair) for pair in mutual} <= {tuple(pair) for pair in sure}
    for bad in (lambda: space.induce(precision=0.5), lambda: reranked.induce(precision=2),
                lambda: reranked.induce(precision=0.5, threshold=0.1)):
        with pytest.raises(wb.UsageError, match="precision"):
            bad()


def test_the_same_lexicon_as_the_program(program, tmp_path, mapping, space):
    import subprocess

    mapping.save(tmp_path / "m.wbmap")
    subprocess.run([program, "induce", tmp_path / "m.wbmap", "data/sample/en.vec.xz", "data/sample/es.vec.xz",
                    "--last-rank", "500", "-o", tmp_path / "program.tsv", "--quiet"], check=True)
    space.induce(ranks=(1, 500)).save(tmp_path / "python.tsv")
    assert (tmp_path / "python.tsv").read_bytes() == (tmp_path / "program.tsv").read_bytes()


def test_false_friends(space):
    rows = space.false_friends(ranks=(1, 5000))
    assert len(rows) and rows.columns[3] == "best_translation"


def test_vectors_of_two_spaces_are_not_mixed(en, es, lexicon, mapping):
    other = wb.align(en, es, lexicon, method="smith")
    with pytest.raises(wb.UsageError, match="space"):
        wb.CommonSpace(mapping.transform(en), other.transform(es, side="target"))
    wb.CommonSpace(mapping.transform(en), mapping.transform(es, side="target"))


@pytest.mark.filterwarnings("ignore::wordbridge.WordbridgeWarning")
def test_subwords(tmp_path):
    model = wb.read_vectors("tests/formats/fasttext/subwords.bin")
    mapping = wb.align(model, model, wb.identical_words(model, model), method="procrustes")
    space = wb.CommonSpace(mapping, model, model)
    assert space.translate("neverseen", 1).origin == "subwords"
    assert space.translate("neverseen", 1, subwords=False).origin == "none"


def test_a_prepared_space(tmp_path, mapping, reranking, en, es):
    for made, half in ((mapping, False), (reranking, False), (mapping, True)):
        space = wb.CommonSpace(made, en, es)
        path = tmp_path / "x.wbspace"
        space.save(path, half=half)
        prepared = wb.CommonSpace(path)
        assert prepared.criterion == space.criterion and prepared.words("target") == space.words("target")
        assert prepared.mapping is not None and prepared.mapping.transform(en.array[:3]).shape == (3, space.dimension)
        words = ["night", "library", "house"]
        if half:
            assert np.allclose(prepared.translate(words, 3).scores, space.translate(words, 3).scores, atol=1e-3,
                               equal_nan=True)
            continue
        for settings in ({"ignore_known": True}, {"ignore_known": True, "criterion": "nn"}):
            assert prepared.translate(words, 30, **settings).to_dict() == space.translate(words, 30, **settings).to_dict()
        # What is known comes along; its scores may be no numbers, which equal nothing.
        assert [one.words for one in prepared.translate(words, 5)] == [one.words for one in space.translate(words, 5)]
        assert [one.known for one in prepared.translate(words, 5)] == [one.known for one in space.translate(words, 5)]
        assert np.array_equal(prepared.array("target"), space.array("target"))
        assert pickle.loads(pickle.dumps(prepared)).translate("night", 1) == space.translate("night", 1)
    damaged = bytearray(path.read_bytes())
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    with pytest.raises(wb.InputError, match="damaged"):
        wb.CommonSpace(path)
    with pytest.raises(FileNotFoundError):
        wb.CommonSpace("nosuch.wbspace")


def test_entries(reranking, en, es, space):
    both = wb.CommonSpace(reranking, en, es)
    entry = both.entries("night")
    assert isinstance(entry, wb.Entry) and entry.query == "night" and entry.word == "night"
    assert all(0 <= form.p_first <= 1 and 0 <= form.p_translation <= 1 and form.rank >= 1 for line in entry
               for form in line)
    balance = both.entry_balance()
    assert all(form.p_translation >= balance.threshold for line in entry for form in line)
    several = both.entries(["night", "library"], recall=1.0)
    assert [one.query for one in several] == ["night", "library"]
    assert len(several[1]) >= len(both.entries("library", precision=0.99))
    assert both.entries(ranks=(11, 13), forms=True)[0].query == both.words()[10]
    assert all(len(line) == 1 for line in both.entries("night", forms=True))
    assert list(entry.to_pandas().columns) == ["line", *wb.EntryForm._fields]
    assert pickle.loads(pickle.dumps(entry)) == entry
    for wrong in ({"precision": 2}, {"recall": -1}, {"precision": 0.5, "recall": 0.5}, {"ranks": (1, 2)}):
        with pytest.raises(wb.UsageError):
            both.entries("night", **wrong)
    with pytest.raises(wb.UsageError):
        space.entries("night")


def test_what_is_known_comes_first(tmp_path, shared):
    source = wb.WordVectors(["up", "High", "right"], [[0, 2], [0.5, 0.8660254], [1, 0]])
    target = wb.WordVectors(["derecha", "arriba"], [[3, 0], [0, 1]])
    lexicon = wb.read_lexicon([("up", "derecha"), ("right", "derecha"), ("far away", "lejos")], source, target)
    for pairs in (lexicon, pickle.loads(pickle.dumps(lexicon))):
        mapping = wb.align(source, target, pairs, method="procrustes", normalize="none")
        space = wb.CommonSpace(mapping, source, target)
        answer = space.translate("up", 2, criterion="nn")
        assert answer.known == [True, False] and answer.words == ["derecha", "arriba"]
        assert space.translate("far away").words == ["lejos"] and space.translate("far away").origin == "known"
    assert np.isnan(space.translate("far away").scores).all()
    assert pickle.loads(pickle.dumps(answer)).known == answer.known
    assert list(answer.to_pandas()["known"]) == [True, False]
    assert space.translate("up", 2, criterion="nn", ignore_known=True).known == [False, False]
    told = shared.translate(["up", "right"], 2, criterion="nn", known=[("up", "derecha"), ("right", "to the right")])
    assert told[0].words == ["derecha", "arriba"] and told[1].words == ["to the right", "derecha"]
    path = tmp_path / "more.txt"
    path.write_text("up\tderecha\n")
    assert shared.translate("up", 1, known=path, criterion="nn").known == [True]
    home = wb.align(source, target, lexicon, method="procrustes", normalize="none", no_lexicon=True)
    assert not any(wb.CommonSpace(home, source, target).translate("up", 2).known)
