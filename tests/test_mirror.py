"""The house: where tests lie, how large a folder and a module may be, and that names lead to one place.

Tests lie at the path of what they test: ``tests/text/test_mail.py`` tests ``src/laconic/text/mail.py``.

``tests/papers``, ``tests/benchmarks`` and ``tests/tools`` mirror the folders of that name at the root. A test of more
than one module is named in `INTEGRATION` with what it tests. A module of more than `SMALL` lines of code without a test
at its path is named in `TESTED_THROUGH`, by folder, under the test that runs it. A module ``_x`` or ``__x__`` is tested
by ``test_x``, a package by ``test_init`` in its folder or ``test_x`` beside it.
"""

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TESTS, SOURCES = ROOT / "tests", ROOT / "src" / "laconic"
BESIDE = ("papers", "benchmarks", "tools")  # at the root, not in the package
SMALL = 40
MOST_MODULES, MOST_LINES = 22, 420  # in a folder, `__init__` counted; in a module
TWINS = ("structured/tagging", "structured/parsing")  # the same names on purpose, and what both share in `structured`

INTEGRATION = {
    "": {
        "test_examples": "the programs in examples/",
        "test_mirror": "the paths of tests",
        "test_public": "names, docstrings and imports of the whole package",
    },
    "cli/jobs": {
        "test_build_groups": "groups and group: from documents to a file of groups",
        "test_calibrated": "calibrated models in all commands",
        "test_earlier_columns": "column options stored with a model, in all commands",
        "test_models": "unusable model folders in all commands",
        "test_pursuit": "fit with the methods omp and gomp",
        "test_several_labels": "multi-label models in all commands",
    },
    "core": {"test_new_loss": "a loss of one's own, in memory and in partitions"},
    "docs": {
        "test_mathml": "docs/_ext/mathml.py",
        "test_pages": "the code on the pages of docs/",
        "test_site": "docs/api.rst, menus and links",
    },
    "evaluate": {"test_backends": "tune on threads, loky and dask"},
    "evaluate/tuning": {"test_choice": "choose among tunings", "test_texts": "tune over raw texts"},
    "groups": {
        "test_given_tables": "given groups from files, frames and rows",
        "test_published": "builders beside the groups the authors published",
        "test_small_samples": "what groups gain with few documents",
    },
    "linear": {
        "test_common": "scikit-learn's checks on every estimator",
        "test_edits": "edits in every estimator",
        "test_refit_support": "refit_support in every estimator",
    },
    "models": {
        "test_formats": "stored fixtures of every released format",
        "test_group_argument": "groups as an argument of text models",
    },
    "papers": {"test_papers": "whole reproductions on planted documents"},
    "papers/releases": {"test_import_command": "python -m papers import"},
    "partitions": {
        "test_faults": "workers and drivers that die",
        "test_groups": "groups on partitions, as in memory",
        "test_imdb": "IMDb on partitions, as in memory",
        "test_security": "what a block or a scheduler may do",
    },
    "report": {
        "test_calibration_js": "assets/calibration.js",
        "test_for_everyone": "the page on any screen, by keyboard, on paper",
        "test_sections": "the page from fit to browser",
    },
    "structured": {
        "test_conll2000": "the tagger on CoNLL 2000",
        "test_treebanks": "the parser on treebanks",
    },
    "workflows": {"test_stopped": "fits that are stopped, by time or by Ctrl-C"},
    "text": {"test_other_languages": "the stored tokenizers in JavaScript"},
}

TESTED_THROUGH = {
    "cli": {"cli/test_edit": "diff"},
    "cli/tables": {
        "cli/test_edit": "diff_tables",
        "cli/test_explain": "explanation_view",
        "cli/test_stability": "stability_tables",
        "cli/test_tag": "structured_tables",
    },
    "kernels": {"groups/test_brown": "brown"},
    "kernels/arcs": {
        "structured/parsing/test_fit": "tables",
        "structured/parsing/test_learner": "learning scores shapes",
    },
    "kernels/chains": {
        "structured/tagging/test_learner": "crf tagging",
        "structured/tagging/test_extraction": "intern",
    },
    "kernels/linear": {
        "solvers/pursuit/test_pursuit": "pursuit refit",
        "kernels/linear/test_softmax_pursuit": "softmax_model softmax_refit",
    },
    "linear": {"linear/test_edits": "edit_constraints", "linear/test_pursuit": "pursuit_base"},
    "models": {"models/test_multilabel": "links", "models/test_text_classifier": "text_model"},
    "models/edit": {"cli/test_edit": "diff kept_design"},
    "models/search": {
        "models/search/test_fit_text": "contenders",
        "workflows/test_partitions": "partitioned",
    },
    "partitions": {
        "partitions/test_passes": "problem",
        "partitions/test_faults": "runners",
        "partitions/test_groups": "penalties pursuit",
    },
    "solvers": {
        "solvers/test_dispatch": "conjugate_gradient",
        "solvers/test_warm_path": "regularization_path",
    },
    "solvers/overlapping": {
        "solvers/overlapping/test_overlapping": "augmented_lagrangian balls",
        "solvers/overlapping/test_preconditioner": "slices",
    },
    "solvers/prox_newton": {
        "solvers/test_dispatch": "coordinate one_output outer_loop",
        "solvers/prox_newton/test_blocks": "layout",
        "solvers/prox_newton/test_tree": "forest",
    },
    "solvers/pursuit": {"solvers/pursuit/test_pursuit": "atom_search weights"},
    "structured": {"structured/test_estimator": "fit"},
    "structured/parsing": {
        "structured/parsing/test_learner": "model",
        "structured/parsing/test_templates": "named_sets",
    },
    "structured/tagging": {"structured/tagging/test_estimator": "model scorer"},
    "workflows": {
        "cli/jobs/test_build_groups": "groups",
        "cli/test_edit": "edit",
        "cli/test_evaluate": "evaluate",
        "cli/test_report": "report",
        "workflows/test_learned": "parse tag",
    },
}


def mirrored(folder: Path) -> Path:
    """Return the folder of sources that a folder below ``tests`` mirrors."""
    return (ROOT if folder.parts[:1] and folder.parts[0] in BESIDE else SOURCES) / folder


def is_tested_there(test: Path) -> bool:
    """Return whether a test, by its path below ``tests``, lies at the path of a module or a package."""
    folder, name = mirrored(test.parent), test.stem.removeprefix("test_")
    places = [folder / f"{module}.py" for module in (name, f"_{name}", f"__{name}__")]
    return any(place.is_file() for place in [*places, folder / name / "__init__.py"])


def lines_of_code(path: Path) -> int:
    """Return the lines of a module that are neither blank nor comment nor docstring."""
    text = path.read_text("utf-8")
    prose = {
        line
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None
        for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    }
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(bool(line) and not line.startswith("#") and number not in prose for number, line in lines)


def untyped(path: Path, names: tuple[str, ...]) -> list[str]:
    """Return the lines of a module that annotate one of some names with ``Any``, or a parameter of the name not."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    parameters = [(node.lineno, node.arg, node.annotation) for node in nodes if isinstance(node, ast.arg)]
    variables = [
        (node.lineno, ast.unparse(node.target), node.annotation) for node in nodes if isinstance(node, ast.AnnAssign)
    ]
    functions = {arg.lineno for node in nodes if isinstance(node, ast.Lambda) for arg in node.args.args}
    return [
        f"{path.relative_to(SOURCES)}:{line}"
        for line, name, kind in parameters + variables
        if name.removeprefix("self.") in names
        and line not in functions
        and (kind is None or ast.unparse(kind).strip("'\"") == "Any")
    ]


def below_tests(pattern: str) -> list[Path]:
    return sorted(path.relative_to(TESTS) for path in TESTS.rglob(pattern))


FOLDERS = sorted({path.parent.relative_to(SOURCES).as_posix() for path in SOURCES.rglob("*.py")})
TEST_FOLDERS = sorted({path.parent.as_posix() for path in below_tests("test_*.py")})


@pytest.mark.parametrize("folder", TEST_FOLDERS)
def test_every_test_lies_at_the_path_of_what_it_tests(folder):
    named = INTEGRATION.get("" if folder == "." else folder, {})
    tests = [path for path in below_tests("test_*.py") if path.parent.as_posix() == folder]
    astray = [path.as_posix() for path in tests if not is_tested_there(path) and path.stem not in named]
    assert astray == [], "no such module: move the test, or name it in INTEGRATION with what it tests"
    gone = sorted(set(named) - {path.stem for path in tests})
    assert gone == [], f"INTEGRATION[{folder!r}] names tests that are not there"


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_module_has_a_test_at_its_path_or_is_named_with_the_one_that_runs_it(folder):
    named = {module: test for test, modules in TESTED_THROUGH.get(folder, {}).items() for module in modules.split()}
    modules = {path.stem: path for path in (SOURCES / folder).glob("*.py") if path.stem != "__init__"}
    tested = {stem for stem in modules if (TESTS / folder / f"test_{stem.strip('_')}.py").is_file()}
    untested = sorted(
        stem for stem, path in modules.items() if stem not in tested | set(named) and lines_of_code(path) > SMALL
    )
    assert untested == [], "write a test at its path, or name the test that runs it in TESTED_THROUGH"
    assert sorted(set(named) - set(modules)) == [], f"TESTED_THROUGH[{folder!r}] names modules that are not there"
    assert sorted(set(named) & tested) == [], f"TESTED_THROUGH[{folder!r}] names modules with a test at their path"
    lost = sorted(test for test in set(named.values()) if not (TESTS / f"{test}.py").is_file())
    assert lost == [], f"TESTED_THROUGH[{folder!r}] names tests that are not there"


def test_lists_name_no_folder_that_is_gone():
    assert sorted(set(TESTED_THROUGH) - set(FOLDERS)) == []
    assert sorted(set(INTEGRATION) - {"" if folder == "." else folder for folder in TEST_FOLDERS}) == []


@pytest.mark.parametrize(
    "folder", [f"src/laconic/{folder}" for folder in FOLDERS] + [f"tests/{folder}" for folder in TEST_FOLDERS]
)
def test_a_folder_has_few_modules_and_a_module_few_lines(folder):
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in (ROOT / folder).glob("*.py")}
    assert len(lines) <= MOST_MODULES, "make a sub-folder"
    assert {name: length for name, length in lines.items() if length > MOST_LINES} == {}


@pytest.mark.parametrize("layer", sorted({folder.split("/")[0] for folder in FOLDERS} - {"."}))
def test_a_name_occurs_once_in_a_layer_but_for_twins(layer):
    paths = [path.relative_to(SOURCES) for path in (SOURCES / layer).rglob("*.py") if path.stem != "__init__"]
    names = Counter(path.name for path in paths if path.parent.as_posix() not in TWINS)
    assert {name: times for name, times in names.items() if times > 1} == {}


def test_problems_and_penalties_are_typed():
    assert [place for path in sorted(SOURCES.rglob("*.py")) for place in untyped(path, ("problem", "penalty"))] == []
