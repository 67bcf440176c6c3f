import json
import subprocess

import pytest

import wordbridge as wb


def test_as_the_program_measures_them(program, tmp_path):
    experiment = tmp_path / "one.json"
    experiment.write_text(json.dumps({
        "name": "one", "title": "One table", "measure": "translation",
        "settings": {"source": "en", "target": "es", "source_vectors": "en.vec", "target_vectors": "es.vec",
                     "train": "en-es.train.txt", "test": "en-es.test.txt"},
        "columns": [{"name": "NN", "criterion": "nn"}, {"name": "CSLS", "criterion": "csls"}],
        "rows": [{"name": "Procrustes", "align": "--method procrustes", "paper": [1, 2]}]}))
    results = wb.reproduce(experiment, "data/sample", cache=tmp_path / "cache", report=tmp_path / "page.html")
    printed = subprocess.run([program, "reproduce", experiment, "--data", "data/sample", "--cache", tmp_path / "other",
                              "--json", "--quiet"], check=True, capture_output=True)
    assert [result.to_dict() for result in results] == json.loads(printed.stdout)
    assert "Procrustes" in str(results[0]) and len(results) == 1
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == results.html


def test_a_folder_without_any(tmp_path):
    with pytest.raises(wb.InputError, match="no experiment"):
        wb.reproduce(tmp_path, "data/sample", cache=tmp_path / "cache")
