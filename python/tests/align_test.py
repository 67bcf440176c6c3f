import subprocess

import numpy as np
import pytest

import wordbridge as wb


def test_finds_a_quarter_turn(small):
    mapping = wb.align(*small, [("up", "arriba"), ("right", "derecha")], method="procrustes")
    assert np.allclose(mapping.W, [[0, -1], [1, 0]], atol=1e-6)
    assert mapping.V is None


def test_the_registry_is_what_align_takes():
    methods = wb.methods()
    assert next(iter(methods)) == "auto"
    assert not methods["wasserstein"].needs_lexicon
    names = [option.name for option in methods["rcsls"].options]
    assert "learning_rate" in names and all("-" not in name for name in names)
    assert "learning_rate" in methods["rcsls"]._repr_html_()


@pytest.mark.parametrize("options, method", [
    ({"method": "rcsls", "learning_rate": 10, "epochs": 2}, ["--method", "rcsls", "--learning-rate", "10", "--epochs", "2"]),
    ({"method": "procrustes", "normalize": "unit,center", "refine": 1},
     ["--method", "procrustes", "--normalize", "unit,center", "--refine", "1"]),
])
def test_the_same_bytes_as_the_program(program, tmp_path, options, method):
    files = ["data/sample/en.vec.xz", "data/sample/es.vec.xz"]
    subprocess.run([program, "align", *files, "--lexicon", "data/sample/en-es.train.txt", *method, "--quiet", "-o",
                    tmp_path / "program.wbmap"], check=True)
    en, es = (wb.read_vectors(file, max_words=200_000) for file in files)
    mapping = wb.align(en, es, wb.read_lexicon("data/sample/en-es.train.txt", en, es), **options)
    mapping.save(tmp_path / "python.wbmap")
    assert (tmp_path / "python.wbmap").read_bytes() == (tmp_path / "program.wbmap").read_bytes()


def test_the_vectors_stay_as_they_are(en, es, lexicon, mapping):
    before = en.checksum()
    wb.align(en, es, lexicon, method="procrustes")
    wb.CommonSpace(mapping, en, es)
    assert en.checksum() == before


def test_the_seed_and_threads(en, es, lexicon):
    def learn(**how):
        return wb.align(en, es, lexicon, method="rcsls", epochs=2, learning_rate=5, batch=100, **how)

    one = learn(seed=1, threads=1)
    assert np.array_equal(one.W, learn(seed=1, threads=2).W)
    assert not np.array_equal(one.W, learn(seed=2).W)
    assert one.provenance["seed"] == 1


def test_options_that_cannot_be(en, es, lexicon):
    def refuse(reason, **options):
        with pytest.raises(wb.UsageError, match=reason):
            wb.align(en, es, lexicon, **options)

    refuse("did you mean learning_rate", method="rcsls", lerning_rate=3)
    refuse("learning_rate belongs to method=rcsls", method="procrustes", learning_rate=3)
    refuse("epochs", method="rcsls", epochs=-1)
    refuse("constraint", method="rcsls", constraint="square")
    refuse("did you mean 'procrustes'", method="procrustse")
    refuse("unit", method="procrustes", normalize="square")
    refuse("without a lexicon", method="wasserstein")
    with pytest.raises(wb.UsageError, match="lexicon"):
        wb.align(en, es, method="procrustes")
    with pytest.raises(TypeError):
        wb.align(en, es, lexicon, method="rcsls", epochs=object())


def test_values_of_options(en, es, lexicon):
    mapping = wb.align(en, es, lexicon, method="rcsls", epochs=np.int64(1), learning_rate=np.float32(2.5),
                       constraint=None, select_learning_rates=None)
    assert mapping.provenance["options"]["learning-rate"] == "2.5"


def test_a_lexicon_of_other_vectors(en, es, lexicon, small):
    with pytest.raises(wb.UsageError, match="other vectors"):
        wb.align(*small, lexicon, method="procrustes")


def test_progress(en, es, lexicon, capsys):
    seen = []
    wb.align(en, es, lexicon, method="rcsls", epochs=1, learning_rate=1, progress=lambda *what: seen.append(what))
    stages = {stage for stage, *_ in seen}
    assert stages
    for stage in stages:
        assert (stage, None, None, "") in seen
    assert all(done <= total for _, done, total, _ in seen if total)


def test_progress_on_a_line():
    import io

    from wordbridge._running import LineProgress

    stream = io.StringIO()
    line = LineProgress(stream)
    line("rcsls", 1, 4, "loss 0.5")
    line("rcsls", None, None, "")
    assert "rcsls: 25% loss 0.5" in stream.getvalue() and stream.getvalue().endswith("\r")


def test_a_callback_that_fails_ends_the_work(en, es, lexicon):
    def fail(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        wb.align(en, es, lexicon, method="rcsls", epochs=50, learning_rate=1, progress=fail)


def test_warnings(en, es):
    with pytest.warns(wb.WordbridgeWarning, match="cannot settle") as caught:
        wb.align(en, es, [("night", "noche"), ("day", "día")], method="procrustes")
    assert caught[0].filename == __file__  # the line that called, not one of the package
