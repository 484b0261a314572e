"""Yogatama & Smith, *Making the Most of Bag of Words: Sentence Regularization with ADMM* (ICML 2014).

Table 2: lasso, ridge, elastic net and the sentence regularizer (one group per training sentence, d_g = 1, with a lasso
on every word); the regularizer without lasso (section 5.3); selected sentences and the log-odds of their removal
(Tables 3 and 4). The elastic net of our block has the same λ₁ and λ₂ as the sentence regularizer: it is the ablation
λ_g = 0.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from laconic.evaluate.inference import holm, mcnemar, sign_test
from papers.cells import Cell, Measured, by_task
from papers.page import (
    Page,
    beside,
    both,
    made_by,
    missing_notes,
    number,
    sizes,
    table_rows,
    write_all,
)
from papers.paper import (
    Column,
    Found,
    Progress,
    Reproduction,
    Run,
    at_rho,
    counterpart,
    rho_of_families,
    say_unfinished,
    significance,
    with_readings,
)

COLUMNS = (
    Column("lasso", "lasso"),
    Column("ridge", "ridge"),
    Column("elastic", "elastic"),
    Column("sentence", "group", "sentences"),
)
SENTENCE = COLUMNS[-1]
NO_LASSO = "no lasso"
# Accuracy of the four columns, size of lasso, elastic net and sentence regularizer.
_TABLE_2 = {
    "science": ((90.63, 91.90, 91.65, 96.20), (1, 34, 12)),
    "sports": ((91.08, 93.34, 93.71, 95.10), (2, 15, 3)),
    "religion": ((90.52, 92.47, 92.47, 92.75), (0.3, 48, 94)),
    "computer": ((85.84, 86.74, 87.13, 90.86), (2, 24, 10)),
    "books": ((76.50, 80.50, 81.50, 84.00), (0.6, 9, 6)),
    "dvd": ((78.50, 73.50, 79.00, 81.50), (3, 5, 8)),
    "music": ((73.00, 72.00, 73.50, 80.00), (5, 14, 14)),
    "electronics": ((81.50, 86.00, 86.00, 84.00), (7, 43, 12)),
    "movie": ((76.00, 87.50, 89.00, 88.00), (0.3, 14, 5)),
    "vote": ((73.14, 72.79, 72.79, 73.95), (2, 44, 6)),
}
TASKS = tuple(_TABLE_2)
ACCURACY = {task: dict(zip((c.name for c in COLUMNS), row, strict=True)) for task, (row, _) in _TABLE_2.items()}
SIZE = {
    task: {"lasso": row[0], "ridge": 100, "elastic": row[1], "sentence": row[2]} for task, (_, row) in _TABLE_2.items()
}
SHOWN = ("computer", "dvd")  # the data sets of the documents in Tables 3 and 4
NOTES = (
    "The paper's splits of 20 Newsgroups and Amazon (1,600/200/200) cannot be recovered: all rows but vote are on "
    "other documents or another share of them; Δ mixes that with everything else. The two forecasting tasks are not "
    "available. music is the FDU-MTL edition, lower-cased and tokenized. vote is trained on the 1,175 speakers, vote "
    "segments on the 2,740 segments; the papers give 1,175.",
    "As published: counts, the paper's grid (10⁻² to 10³), ADMM of ten proximal gradient steps a round, stopped early; "
    "ρ is the best on dev of religion and then fixed.",
    "Ours: exact optima (relative gap at most 10⁻⁶); cells (0/1, count, tf-idf), tokenizer and λ₂ are chosen on dev "
    "for all columns alike. elastic has the λ₁ and λ₂ of sentence: it is the ablation λ_g = 0.",
)


def run(
    data_dir: str | None = None,
    out: str | Path = "reproduction",
    quick: bool = False,
    jobs: int = 1,
    progress: Progress | None = None,
    tasks: Sequence[str] = TASKS,
    so_far: bool = False,
) -> Reproduction:
    """Measure every cell that the journal in ``out`` does not hold, and write page and table.

    The parameters are those of `papers.wnut2018.run`.
    """
    place = Run(data_dir, Path(out), quick, jobs, progress, so_far)
    place.start(tasks)
    rhos = rho_of_families(place, ("sentences",), "papers", "ones")
    cells = [at_rho(cell, rhos) for cell in all_cells(tasks, place.size)]
    found = place.cells(by_task(cells))
    page = make_page(found, tasks, place, rhos)
    say_unfinished(page, found, cells)
    rows = table_rows((one, *papers_numbers(one.cell)) for one in found.values())
    write_all(page, rows, place.folder)
    return Reproduction(page, tuple(rows))


def all_cells(tasks: Sequence[str], size: str) -> list[Cell]:
    """Return everything that is measured."""
    cells = []
    for task in with_readings(tasks):
        for block in ("published", "ours"):
            details = ("sentences",) if block == "ours" and task in SHOWN else ()
            made: dict[str, Any] = {"levels": "papers", "weights": "ones", "size": size}
            cells += [Cell(task, c.method, block, c.groups, details=details, **made) for c in COLUMNS]
            cells.append(Cell(task, "group", block, "sentences", NO_LASSO, **made))
        cells.append(Cell(task, "svm", "today", size=size))
    return cells


def papers_numbers(cell: Cell) -> tuple[float | None, float | None]:
    """Return the paper's accuracy and size for a cell, None where it has none."""
    name = next((c.name for c in COLUMNS if (c.method, c.groups) == (cell.method, cell.groups)), None)
    if name is None or cell.variant:
        return None, None
    task = counterpart(cell.task)
    return ACCURACY[task][name], SIZE[task][name]


def make_page(found: Mapping[Cell, Measured], tasks: Sequence[str], place: Run, rhos: Mapping[str, float]) -> Page:
    """Return the section of the page."""
    page, look = Page("icml2014", "ICML 2014: sentence regularization"), Found(found)
    page.say("Yogatama & Smith, *Making the Most of Bag of Words: Sentence Regularization with ADMM*.")
    command = "python -m papers icml2014" + (" --quick" if place.quick else "")
    seconds = sum(one.seconds for one in found.values())
    page.say(made_by(command, (one.commit for one in found.values()), seconds, place.jobs))
    if place.quick:
        page.say("**A quick run**: small grids; these numbers are not the reproduction.")
    page.notes(NOTES)
    page.say(f"ρ of ADMM: {rhos['sentences']:g}.")
    shown = with_readings(tasks)
    for block, title in (("published", "As published"), ("ours", "Ours")):
        page.head(f"{title}: Table 2, test accuracy (Δ to the paper)")
        page.table(
            ["data", *(c.name for c in COLUMNS), "sentence, no lasso", "tf-idf SVM"],
            [_accuracies(look, task, block) for task in shown],
        )
        page.say("\\* better than lasso by the micro sign test, p < 0.05.")
        page.head(f"{title}: size (ours / the paper's)")
        rows = [
            [task, *(sizes(look.get(task, block, c), SIZE[counterpart(task)][c.name]) for c in COLUMNS)]
            for task in shown
        ]
        page.table(["data", *(c.name for c in COLUMNS)], rows)
    _tests(page, look, tasks)
    for task in SHOWN:
        _sentences(page, look, task)
    missing_notes(page, found.values())
    return page


def _accuracies(look: Found, task: str, block: str) -> list[str]:
    own = look.row(task, block, COLUMNS)
    stars = significance(own)
    cells = [beside(own.get(c.name), ACCURACY[counterpart(task)][c.name]) + "*" * (c.name in stars) for c in COLUMNS]
    return [
        task,
        *cells,
        both(look.get(task, block, SENTENCE, NO_LASSO)),
        both(look.get(task, "today", Column("", "svm"))),
    ]


def _tests(page: Page, look: Found, tasks: Sequence[str]) -> None:
    """Set the sentence regularizer of our block against each other column, with Holm's correction over all tests."""
    pairs = []
    for task in tasks:
        own = look.row(task, "ours", COLUMNS)
        if len(own) < len(COLUMNS) or any(one.missing for one in own.values()):
            continue
        pairs += [(task, c.name, own["sentence"], own[c.name]) for c in COLUMNS[:-1]]
    if not pairs:
        return
    page.head("Ours: is the sentence regularizer better?")
    tests = [mcnemar(one.truth, one.predictions, other.predictions) for _, _, one, other in pairs]
    adjusted = holm([test.p_value for test in tests])
    rows = []
    for (task, name, one, other), test, p in zip(pairs, tests, adjusted, strict=True):
        better = sign_test(one.truth, one.predictions, other.predictions).p_value
        numbers = [number(one.test - other.test, sign="+"), f"{test.wins} : {test.losses}"]
        rows.append([task, name, *numbers, f"{better:.3f}", f"{test.p_value:.3f}", f"{p:.3f}"])
    page.table(["data", "against", "difference", "won : lost", "sign p", "McNemar p", "Holm p"], rows, names=2)
    wins, ties, losses = 0, [], []
    for task in dict.fromkeys(task for task, *_ in pairs):
        differences = [one.test - other.test for name, _, one, other in pairs if name == task]
        wins += min(differences) > 0
        if min(differences) == 0:
            ties.append(task)
        elif min(differences) < 0:
            losses.append(task)
    every = wins + len(ties) + len(losses)
    said = f"It is above lasso, ridge and elastic net on {wins} of {every} tasks (the paper: 8 of 10)"
    said += f"; it ties on {', '.join(ties)}" if ties else ""
    said += f"; another column is better on {', '.join(losses)}" if losses else ""
    significant = sum(p < 0.05 for p in adjusted)
    page.say(f"{said}. {significant} of {len(rows)} differences are significant after Holm's correction (p < 0.05).")


def _sentences(page: Page, look: Found, task: str) -> None:
    own = {c.name: one.details["sentences"] for c in COLUMNS if (one := look.get(task, "ours", c)) and one.details}
    if "sentence" not in own:
        return
    first = own["sentence"]
    page.head(f"As Tables 3 and 4: a training document of {task} ({first['document']}, {first['label']})")
    rows = []
    for i, selected in enumerate(first["selected"]):
        influences = [number(own[c.name]["influence"][i], 3) if c.name in own else "n/a" for c in reversed(COLUMNS)]
        rows.append([str(i + 1), "yes" if selected else "no", ", ".join(first["words"][i]) or "–", *influences])
    page.table(["sentence", "selected", "words with a weight", *(c.name for c in reversed(COLUMNS))], rows, names=3)
    page.say(
        "Log-odds of removing a sentence, log P(y | document) − log P(y | document without it), for each model; of the "
        "text only some words that have a weight are shown, since it may not be passed on."
    )
