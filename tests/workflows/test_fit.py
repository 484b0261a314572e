import pytest

from laconic.models import Recipe, load
from laconic.report import summarize, write_page
from laconic.report.render.page import MANY_GROUPS
from laconic.workflows.fit import FitJob, fit
from laconic.workflows.sources import Reading, read_labelled
from laconic.workflows.watch import Contradiction, Watch


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(methods=("lasso",), folds=3, resamples=4, ngrams=(1, 2)),
        Recipe(methods=("omp",), folds=3, cells="tfidf", calibrate="sigmoid", thresholds=("repair:precision=0.9",)),
        Recipe(methods=("group",), folds=3, groups=("sentences",)),
    ],
    ids=lambda recipe: recipe.methods[0],
)
def test_the_page_of_a_fitted_model_is_that_of_its_folder(letters, tmp_path, recipe):
    result = fit(FitJob(str(letters), tmp_path / "m", recipe, test=str(letters)))
    corpus = read_labelled(str(letters), Reading(("text",), "label"))
    facts = {"title": "letters", "comparison": result.comparison, "groups": MANY_GROUPS, "folder": tmp_path / "m"}
    again = write_page(summarize(load(tmp_path / "m"), corpus, **facts), tmp_path / "p.html")
    assert result.page == tmp_path / "m.html"
    assert result.page.read_bytes() == again.read_bytes()


def test_nothing_is_printed_and_the_result_is_plain_data(letters, tmp_path, capfd):
    job = FitJob(str(letters), tmp_path / "m", Recipe(methods=("lasso",), folds=3), report=False)
    result = fit(job)
    assert capfd.readouterr() == ("", "")
    found = result.to_dict()
    assert (found["saved"], found["report"]) == (str(tmp_path / "m"), None)
    assert found["config"]["data"]["train"]["documents"] == 60
    assert not list(tmp_path.glob("*.html"))
    with pytest.raises(FileExistsError, match="overwrite=True"):
        fit(job)


def test_a_built_in_dataset_brings_its_own_dev_set(tmp_path, monkeypatch):
    monkeypatch.setattr("laconic.workflows.sources.known_splits", lambda source, data_dir: object())
    job = FitJob("movie", tmp_path / "m", Recipe(), dev="dev.csv")
    with pytest.raises(Contradiction, match="a dev and a test set of its own"):
        fit(job)


def test_a_folder_that_appears_meanwhile_stays_and_the_model_is_saved_beside_it(letters, tmp_path):
    class Intruder(Watch):
        def say(self, text):
            (tmp_path / "m.laconic").mkdir(exist_ok=True)
            (tmp_path / "m-2.laconic").mkdir(exist_ok=True)

    recipe = Recipe(methods=("lasso",), folds=2)
    with pytest.warns(UserWarning, match=r"m\.laconic has appeared during the fit; .* to .*m-3\.laconic instead"):
        result = fit(FitJob(str(letters), tmp_path / "m.laconic", recipe), Intruder())
    assert result.saved == tmp_path / "m-3.laconic"
    assert result.page == tmp_path / "m-3.laconic.html"
    assert list((tmp_path / "m.laconic").iterdir()) == []
    assert load(result.saved).words == load(fit(FitJob(str(letters), tmp_path / "n", recipe)).saved).words
