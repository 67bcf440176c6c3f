import pytest

import wordbridge as wb

PAIRS = [("up", "arriba"), ("right", "derecha"), ("up", "arriba"), ("down", "abajo")]


def test_from_pairs(small):
    lexicon = wb.read_lexicon(PAIRS, *small)
    assert lexicon.pairs == (("up", "arriba"), ("right", "derecha"))
    assert list(lexicon) == list(lexicon.pairs) and len(lexicon) == 2
    coverage = lexicon.coverage
    assert (coverage.pairs, coverage.duplicates, coverage.missing_both, coverage.lines) == (2, 1, 1, 4)
    assert coverage.source_percent == pytest.approx(200 / 3)
    with pytest.raises(AttributeError):
        coverage.nothing


def test_from_a_dict_and_with_weights(small):
    assert wb.read_lexicon({"up": "arriba"}, *small).weights == [1]
    several = wb.read_lexicon({"up": ["arriba", "derecha"], "right": "derecha"}, *small)
    assert several.pairs == (("up", "arriba"), ("up", "derecha"), ("right", "derecha"))
    assert wb.read_lexicon([("up", "arriba", 0.5)], *small).weights == [0.5]


def test_from_a_file(tmp_path, small):
    (tmp_path / "pairs.txt").write_text("arriba up\nderecha right\n")
    lexicon = wb.read_lexicon(tmp_path / "pairs.txt", *small, swap=True)
    assert lexicon.pairs[0] == ("up", "arriba") and lexicon.name == str(tmp_path / "pairs.txt")
    with pytest.raises(wb.InputError):
        wb.read_lexicon(tmp_path / "pairs.txt", *small)


def test_letter_case(small):
    with pytest.raises(wb.InputError):
        wb.read_lexicon([("UP", "arriba")], *small)
    assert wb.read_lexicon([("UP", "Arriba")], *small, case="lower").pairs == (("up", "arriba"),)
    with pytest.raises(wb.UsageError):
        wb.read_lexicon(PAIRS, *small, case="upper")


def test_words_that_both_have(en, es):
    lexicon = wb.identical_words(en, es)
    assert all(source == target for source, target in lexicon)
    assert len(wb.identical_words(en, es, max_rank=1000)) < len(lexicon)


def test_split(lexicon):
    train, validation = lexicon.split(0.25, seed=3)
    assert len(train) + len(validation) == len(lexicon)
    assert not {source for source, _ in train} & {source for source, _ in validation}
    assert set(train.pairs) | set(validation.pairs) == set(lexicon.pairs)
    assert lexicon.split(0.25, seed=3)[1].pairs == validation.pairs
    with pytest.raises(wb.UsageError):
        lexicon.split(1.5)


def test_displays(lexicon):
    assert "1260 of 1260 source words" in repr(lexicon)
    assert "<table>" in lexicon._repr_html_()
