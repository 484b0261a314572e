import json


def page_of(path):
    text = path.read_text(encoding="utf-8")
    return json.loads(text.split('id="data">')[1].split("</script>")[0])


def test_a_page_beside_the_model_and_elsewhere(run, model, letters, tmp_path):
    result = run("report", model, "--corpus", letters, "-o", "page.html")
    assert result.code == 0
    assert result.out == "Report: page.html\n"
    data = page_of(tmp_path / "page.html")
    assert data["title"] == "letters"
    assert {word["word"] for word in data["words"]} == set(data["model"]["words"])
    assert any("on 60 documents" in fact["note"] for fact in data["facts"])
    (tmp_path / "page.html").write_text("mine", encoding="utf-8")
    refused = run("report", model, "-o", "page.html")
    assert refused.code == 1
    assert "not a laconic report" in refused.err


def test_documents_and_comparisons_need_texts_and_come_with_a_warning(run, model, letters, tmp_path):
    again = run("fit", letters, "--method", "ridge", "--out", "other", "--no-report", "--quiet")
    assert again.code == 0
    result = run("report", model, "other", "--corpus", letters, "--documents", 5, "-o", "p.html", "--title", "Both")
    assert result.code == 0
    assert "contains document text" in result.err
    data = page_of(tmp_path / "p.html")
    assert data["title"] == "Both"
    assert len(data["documents"]) == 5
    assert [one["name"] for one in data["versus"]] == ["letters.laconic", "other"]
    assert run("report", model, "--documents", 5).code == 2
    assert run("report", model, "other").code == 2
    assert run("report", model, model, "--corpus", letters).code == 2


def test_fit_writes_a_page_unless_told_not_to(run, letters, tmp_path):
    found = run("fit", letters, "--method", "lasso", "--out", "m", "--json", "--quiet")
    assert json.loads(found.out)["report"] == "m.html"
    assert page_of(tmp_path / "m.html")["classes"] == ["praise", "repair"]
    assert run("fit", letters, "--method", "lasso", "--out", "n", "--no-report", "--quiet").code == 0
    assert not (tmp_path / "n.html").exists()
    (tmp_path / "o.html").write_text("mine", encoding="utf-8")
    refused = run("fit", letters, "--method", "lasso", "--out", "o", "--quiet")
    assert refused.code == 1
    assert not (tmp_path / "o").exists()


def test_a_tagger_and_a_parser(run, tmp_path):
    from tests.cli.test_tag import column_file
    from tests.structured.trees import as_conllu, planted_trees

    tagged = column_file(tmp_path / "train.conll", 30)
    assert run("tag", "fit", tagged, "--templates", "word[0]", "--out", "t", "--quiet").code == 0
    result = run("report", "t", "--corpus", tagged, "--documents", 2, "-o", "t.html")
    assert result.code == 0
    data = page_of(tmp_path / "t.html")
    assert data["kind"] == "sequence tagger"
    assert len(data["sentences"]) == 2
    (tmp_path / "train.conllu").write_text(as_conllu(*planted_trees(20)), encoding="utf-8")
    assert run("parse", "fit", "train.conllu", "--templates", "small", "--out", "p", "--quiet").code == 0
    assert run("report", "p", "--corpus", "train.conllu", "--documents", 2).code == 0
    assert [len(one["true_heads"]) > 0 for one in page_of(tmp_path / "p.html")["sentences"]] == [True, True]
    refused = run("report", "t", "p", "--corpus", tagged)
    assert refused.code == 2
    assert "only if they classify texts" in refused.err
