import json
import subprocess

import pytest

import wordbridge as wb

TEST = "data/sample/en-es.test.txt"
FILES = ["data/sample/en.vec.xz", "data/sample/es.vec.xz"]


def printed(program, *arguments):
    result = subprocess.run([program, *map(str, arguments), "--json", "--quiet"], check=True, capture_output=True)
    return json.loads(result.stdout)


def test_translation_as_the_program_measures_it(program, tmp_path, mapping, space):
    mapping.save(tmp_path / "m.wbmap")
    result = space.evaluate(TEST)
    wanted = printed(program, "evaluate", "translation", tmp_path / "m.wbmap", *FILES, "--lexicon", TEST)
    assert result.to_dict() == wanted
    assert result.precision(1) == wanted["precision"]["all"]["1"] and result.criterion == "csls"
    assert result.precision(10, covered=True) == wanted["precision"]["covered"]["10"]
    assert 0 < result.mrr < 100 and result.coverage == 100
    with pytest.raises(wb.UsageError):
        result.precision(3)


def test_the_words_of_a_test(tmp_path, space):
    result = space.evaluate(TEST)
    right = sum(word.rank == 1 for word in result.words)
    assert 100 * right / len(result.words) == pytest.approx(result.precision(1))
    result.save_words(tmp_path / "words.tsv")
    assert len((tmp_path / "words.tsv").read_text(encoding="utf-8").splitlines()) == len(result.words) + 1
    assert len(result.bands([1000, 5000])["bands"]) >= 2
    assert "P@1" in str(result) and "P@1" in result._repr_html_()


def test_lexicons_in_memory(space, en, es):
    pairs = [("night", "noche"), ("library", "biblioteca"), ("zyx", "nada")]
    result = space.evaluate(pairs)
    assert result.precision(1) == pytest.approx(200 / 3) and result.precision(1, covered=True) == 100
    assert space.evaluate(wb.read_lexicon(pairs, en, es)).precision(1) == 100


def test_comparisons(space):
    csls, nearest = space.evaluate(TEST), space.evaluate(TEST, criterion="nn")
    difference = nearest.compare(csls, samples=500)
    assert difference["difference"] == pytest.approx(csls.precision(1) - nearest.precision(1))
    assert difference["low"] <= difference["difference"] <= difference["high"]
    with pytest.raises(wb.UsageError):
        nearest.compare(space.evaluate([("night", "noche")]))


def test_reranked(reranking, en, es):
    result = wb.CommonSpace(reranking, en, es).evaluate(TEST)
    assert result.criterion == "rerank" and "rerank" in result.to_dict()
    assert 0 < result["entries"]["f1"]["value"] <= 100


def test_hubs_as_the_program_counts_them(program, tmp_path, mapping, space):
    mapping.save(tmp_path / "m.wbmap")
    hubs = space.hubs(3, queries=500)
    assert hubs.to_dict() == printed(program, "evaluate", "hubness", tmp_path / "m.wbmap", *FILES, "--hubs", 3,
                                     "--queries", 500)
    assert hubs[0]["criterion"] == "nn" and len(hubs[0]["hubs"]) == 3


def test_sentences_as_the_program_measures_them(program, tmp_path, mapping, space):
    mapping.save(tmp_path / "m.wbmap")
    pairs = [line.split() for line in open("data/sample/en-es.train.txt", encoding="utf-8")][:900]
    groups = [pairs[i:i + 3] for i in range(0, 900, 3)]  # sentences of three words each
    for side, name in enumerate(("a", "b")):
        (tmp_path / name).write_text("".join(" ".join(pair[side] for pair in group) + "\n" for group in groups),
                                     encoding="utf-8")
    report = space.sentences(tmp_path / "a", tmp_path / "b", queries=100)
    assert report.to_dict() == printed(program, "evaluate", "sentences", tmp_path / "m.wbmap", *FILES, "--source-text",
                                       tmp_path / "a", "--target-text", tmp_path / "b", "--queries", 100)
    assert report["results"][0]["precision"]["1"]["percent"] > 20 and "P@1" in str(report)
    with pytest.raises(wb.UsageError):
        space.sentences(tmp_path / "a", tmp_path / "b", tokens="letters")


def test_drift_as_the_program_finds_it(program, tmp_path, en):
    array = en.array[:3000].copy()
    array[[50, 2000]] = array[[2000, 50]]  # two words change places
    other = wb.WordVectors(en.words[:3000], array)
    other.save(tmp_path / "other.vec")
    report = wb.drift(en.first(3000), other, count=4)
    assert {word["word"] for word in report["words"][:2]} == {en.words[50], en.words[2000]}
    assert report["significant"] == 2 and report["words"][2]["q"] > 0.05
    assert report.to_dict() == printed(program, "drift", FILES[0], tmp_path / "other.vec", "--max-words", 3000, "--count", 4)
    with pytest.raises(wb.UsageError):
        wb.drift(en, other, false_discoveries=1.5)


def test_analogies_before_and_after(program, tmp_path, mapping, en):
    mapping.save(tmp_path / "m.wbmap")
    report = wb.evaluate_analogies(en, "data/sample/analogies.en.txt", mapping=mapping)
    assert report.to_dict() == printed(program, "evaluate", "analogy", FILES[0], "data/sample/analogies.en.txt",
                                       "--mapping", tmp_path / "m.wbmap")
    with pytest.raises(wb.UsageError):
        wb.evaluate_analogies(en, "data/sample/analogies.en.txt", method="4cosadd")


def test_similarity_within_and_across(program, tmp_path, mapping, space, en):
    mapping.save(tmp_path / "m.wbmap")
    within = wb.evaluate_similarity(en, ["data/sample/similarity.en.tsv"], mapping=mapping)
    assert within.to_dict() == printed(program, "evaluate", "similarity", FILES[0], "data/sample/similarity.en.tsv",
                                       "--mapping", tmp_path / "m.wbmap")
    across = space.similarity("data/sample/similarity.en-es.tsv", across=True)
    assert across.to_dict() == printed(program, "evaluate", "similarity", FILES[0], "data/sample/similarity.en-es.tsv",
                                       "--target", FILES[1], "--mapping", tmp_path / "m.wbmap")
    assert space.similarity("data/sample/similarity.en.tsv")[0]["set"] == "similarity.en.tsv"
    assert space.analogies("data/sample/analogies.en.txt")["spaces"]["aligned"]


def test_report_of_a_mapping(program, tmp_path, mapping, space):
    page = space.report(TEST, path=tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    mapping.save(tmp_path / "m.wbmap")
    subprocess.run([program, "report", tmp_path / "m.wbmap", *FILES, "--lexicon", TEST, "-o", tmp_path / "other.html",
                    "--quiet"], check=True)
    other = (tmp_path / "other.html").read_text(encoding="utf-8")
    words = "Confident, right and wrong</h2>"
    assert page[page.rindex(words):page.rindex("How it was learned")] == other[other.rindex(words):
                                                                               other.rindex("How it was learned")]
    assert "Give a test lexicon" in space.report(queries=200)
    with pytest.raises(wb.IoError):
        space.report(path=tmp_path / "no" / "page.html")
    with pytest.raises(wb.UsageError):
        wb.CommonSpace(mapping.transform(wb.read_vectors(FILES[0]))).report()


def test_results_are_mappings(space, en):
    result = space.evaluate("data/sample/en-es.test.txt")
    assert "precision" in result and "nothing" not in result and list(result) == list(result.to_dict())
    assert dict(result) == result.to_dict() and len(result) == len(list(result.items())) and result.get("nothing", 3) == 3
    several = wb.evaluate_similarity(en, "data/sample/similarity.en.tsv")
    assert [one["set"] for one in several] == ["similarity.en.tsv"]
    with pytest.raises(TypeError, match="sequence"):
        several.keys()
