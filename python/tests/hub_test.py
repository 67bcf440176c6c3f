"""Many languages in one space."""


import numpy as np
import pytest

import wordbridge as wb


@pytest.fixture(name="folder")
def folder_of_languages(tmp_path):
    """Word xI of language x translates word yI of language y."""
    random = np.random.default_rng(1)
    rows = random.normal(size=(100, 8)).astype(np.float32)
    lines = ['pivot = "en"\n']
    for name in ("de", "en", "es"):
        rotation = np.linalg.qr(random.normal(size=(8, 8)))[0]
        table = rows if name == "en" else rows @ rotation.T + random.normal(size=rows.shape) * 0.02
        wb.WordVectors([f"{name}{i}" for i in range(100)], table.astype(np.float32)).save(tmp_path / f"{name}.vec")
        lines.append(f'[languages.{name}]\nvectors = "{name}.vec"\n')
        if name == "en":
            continue
        for kind, ranks in (("train", range(60)), ("test", range(60, 100))):
            (tmp_path / f"{name}-en.{kind}.txt").write_text("".join(f"{name}{i} en{i}\n" for i in ranks))
        lines.append(f'[lexicons.{name}-en]\ntrain = "{name}-en.train.txt"\ntest = "{name}-en.test.txt"\n')
    (tmp_path / "list.toml").write_text("".join(lines))
    return tmp_path


def test_one_call(folder):
    hub = wb.make_hub(folder / "list.toml", folder / "space")
    assert hub.languages == ["de", "en", "es"]
    assert hub.pivot == "en"
    assert hub.failed == {}
    assert hub.precision("es", "de") > 90
    assert hub.precision("en", "de") == hub.manifest["scores"]["star"]["en"]["de"]["precision"][0]
    assert hub.space("es", "de").translate("es7", 1).words == ["de7"]
    assert (folder / "space/report.html").exists()
    assert repr(hub).endswith("space: 3 languages around en>")


def test_all_languages_meet_in_the_pivots_space(folder):
    hub = wb.make_hub(folder / "list.toml", folder / "space")
    es, de = (hub.mapping(name).transform(hub.vectors(name)) for name in ("es", "de"))
    cosines = np.einsum("ij,ij->i", np.asarray(es.array), np.asarray(de.array))
    assert cosines.min() > 0.9
    assert np.array_equal(hub.mapping("en").W, np.eye(8, dtype=np.float32))


def test_a_failure_is_a_warning(folder):
    with open(folder / "list.toml", "a", encoding="utf-8") as file:
        file.write('[languages.fr]\nvectors = "missing.vec"\n')
    with pytest.warns(wb.WordbridgeWarning, match="fr: "):
        hub = wb.make_hub(folder / "list.toml", folder / "space")
    assert list(hub.failed) == ["fr"]
    with pytest.raises(wb.UsageError, match="could not be aligned"):
        hub.mapping("fr", "en")


def test_wrong_uses(folder):
    with pytest.raises(wb.IoError):
        wb.Hub(folder / "missing")
    with pytest.raises(wb.InputError):
        (folder / "bad.toml").write_text("pivot = 3\n")
        wb.make_hub(folder / "bad.toml", folder / "space")
    hub = wb.make_hub(folder / "list.toml", folder / "space")
    with pytest.raises(wb.UsageError, match="no language 'xx'"):
        hub.vectors("xx")
    with pytest.raises(TypeError):
        hub.mapping(3)
