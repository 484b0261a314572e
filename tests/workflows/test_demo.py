import pytest

from laconic.data import demo_truth
from laconic.models import load
from laconic.workflows.demo import demonstrate
from laconic.workflows.watch import Watch


def test_model_and_report_are_saved_and_an_earlier_demo_is_replaced(tmp_path):
    seen = []
    watch = Watch()
    watch.advance = lambda *step: seen.append(step[:2])
    made = demonstrate(tmp_path / "demo", watch)
    assert seen[-1][0] == seen[-1][1]
    assert made.letters == 72
    assert made.found > 36  # more than a coin would find
    (example,) = made.summary.examples
    assert example.explanation.label == example.label
    assert example.telling in demo_truth()[example.id]
    assert load(made.folder / "model").info["n_words"] == len(made.summary.words)
    before = (made.folder / "model" / "model.json").read_bytes()
    demonstrate(tmp_path / "demo")
    assert (made.folder / "model" / "model.json").read_bytes() == before
    assert sorted(path.name for path in made.folder.iterdir()) == ["model", "report.html", "report.md"]
    demonstrate(tmp_path / "plain", page=False)
    assert sorted(path.name for path in (tmp_path / "plain").iterdir()) == ["model", "report.md"]


@pytest.mark.parametrize("name", ["diary.txt", "model/diary.txt"])
def test_foreign_files_are_not_touched(tmp_path, name):
    (tmp_path / "demo" / "model").mkdir(parents=True)
    (tmp_path / "demo" / name).write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="diary"):
        demonstrate(tmp_path / "demo")


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "demo").write_text("mine", encoding="utf-8")
    with pytest.raises(FileExistsError, match="file"):
        demonstrate(tmp_path / "demo")
