import pytest

from laconic.cli.shared.output import show
from laconic.cli.tables.confusion import ConfusionMatrix
from laconic.core.summaries.summary import ClassRow, Scores


def scores(n_classes, length, wrong=True):
    names = [f"{chr(97 + k % 26) * length}{k}" for k in range(n_classes)]
    counts = tuple(
        tuple(1000 + i if i == j else (10 * i + j + 1 if wrong else 0) for j in range(n_classes))
        for i in range(n_classes)
    )
    return names, Scores("t", 1, {}, tuple(ClassRow(name, 1.0, 1.0, 1.0, 1) for name in names), counts)


@pytest.fixture
def lines(capsys, monkeypatch):
    def render(scored, width):
        monkeypatch.setenv("COLUMNS", str(width))
        show(ConfusionMatrix(scored))
        found = capsys.readouterr().out.splitlines()
        assert max(map(len, found)) <= width
        return found

    return render


def test_names_above_the_columns_where_they_fit(lines):
    names, scored = scores(3, 4)
    found = lines(scored, 80)
    assert found[0].split() == ["true", "\\", "predicted", *names]
    assert found[2].split() == [names[1], "11", "1,001", "13"]


@pytest.mark.parametrize("width", [120, 200])
def test_numbers_above_the_columns_where_names_do_not_fit(lines, width):
    names, scored = scores(12, 20)
    found = lines(scored, width)
    assert found[0].split()[3:] == [str(k) for k in range(1, 13)]
    for k, (name, row) in enumerate(zip(names, scored.confusion, strict=True)):
        assert found[k + 1].split() == [str(k + 1), name, *(f"{n:,}" for n in row)]


def test_every_width_keeps_every_number_or_lists_the_largest(lines):
    _, scored = scores(6, 10)
    forms = set()
    for width in range(30, 120):
        found = lines(scored, width)
        if found[0].startswith("true \\"):
            assert [n for line in found[1:] for n in line.split()[-6:]] == [
                f"{n:,}" for row in scored.confusion for n in row
            ]
            forms.add(found[0].split()[3])
        else:
            assert "--json" in " ".join(found)
            forms.add("list")
    assert forms == {"aaaaaaaaaa0", "1", "list"}


def test_the_largest_confusions(lines):
    names, scored = scores(30, 20)
    found = lines(scored, 80)
    assert found[0].split() == ["true", "predicted", "documents"]
    assert found[1].split() == [names[29], names[28], "319"]
    assert len([line for line in found if line.split()[-1:] and line.split()[-1].isdigit()]) == 10
    assert "The 10 largest of 870 confusions" in found[-2] + found[-1]
    assert "No document is confused" in " ".join(lines(scores(30, 20, wrong=False)[1], 80))
