"""Folders of taggers and parsers whose files do not fit together: forged, with hashes that are right."""

import numpy as np
import pytest

import laconic
from laconic import DependencyParser, SequenceTagger
from laconic.core.folder import RESERVED, load_folder, save_folder
from tests.structured.trees import planted_trees


@pytest.fixture(scope="module")
def saved(planted, tmp_path_factory):
    place = tmp_path_factory.mktemp("saved")
    return {
        "tagger": SequenceTagger(["word[0]", "suffix2[0]"], passes=1).fit(*planted).save(place / "tagger"),
        "parser": DependencyParser(passes=1).fit(*planted_trees(20)).save(place / "parser"),
    }


def first(atoms):
    """The values of the first column."""
    return next(iter(atoms.values()))


def to_the_end(atoms):
    """Move the first column behind the others."""
    column = next(iter(atoms))
    atoms[column] = atoms.pop(column)


FORGERIES = {
    "a column is missing": ("atoms.json", lambda atoms: atoms.popitem(), "the columns of the templates"),
    "another order": ("atoms.json", to_the_end, "the columns of the templates"),
    "a value is missing": ("atoms.json", lambda atoms: first(atoms).pop(), "number outside"),
    "no string": ("atoms.json", lambda atoms: first(atoms).append(5), "different strings"),
    "a value twice": ("atoms.json", lambda atoms: first(atoms).append(first(atoms)[0]), "different strings"),
}  # fmt: skip
ARRAYS = {
    "tagger": [("grams.npy", 60_000, "number outside"), ("features.npy", 60_000, "number outside"),
               ("weights.npy", np.nan, "finite"), ("transitions.npy", np.inf, "finite")],
    "parser": [("keys.npy", 2**62, "number outside"), ("keys.npy", -(2**40), "number outside"),
               ("rows.npy", np.nan, "finite"), ("relations-weights.npy", np.nan, "finite")],
}  # fmt: skip


def forged(folder, name, change, place):
    """A copy of a model with one file changed."""
    facts, parts = load_folder(folder)
    part = parts[name].copy()
    changed = change(part)
    parts[name] = changed if isinstance(changed, np.ndarray) else part
    return save_folder(place, {key: facts[key] for key in facts if key not in RESERVED}, parts)


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize("forgery", FORGERIES)
def test_values_that_do_not_fit_the_templates_are_refused(saved, tmp_path, kind, forgery):
    name, change, message = FORGERIES[forgery]
    with pytest.raises(ValueError, match=f"cannot be used.*{message}"):
        laconic.load(forged(saved[kind], name, change, tmp_path / "forged"))


@pytest.mark.parametrize(
    ("kind", "name", "value", "message"), [(kind, *row) for kind in ARRAYS for row in ARRAYS[kind]]
)
def test_numbers_that_nothing_has_are_refused(saved, tmp_path, kind, name, value, message):
    def change(array):
        array = array.astype(np.int64 if array.dtype.kind in "iu" else np.float32)
        array.flat[0] = value
        return array

    with pytest.raises(ValueError, match=f"cannot be used.*{message}"):
        laconic.load(forged(saved[kind], name, change, tmp_path / "forged"))


@pytest.mark.parametrize("value", ["pos", ["form"], [[]]])
def test_stand_ins_that_do_not_exist_are_refused(saved, tmp_path, value):
    facts, parts = load_folder(saved["parser"])
    facts = {key: own for key, own in facts.items() if key not in RESERVED} | {"stand_ins": value}
    with pytest.raises(ValueError, match="cannot be used"):
        laconic.load(save_folder(tmp_path / "forged", facts, parts))
