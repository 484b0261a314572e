"""Damaged and forged model folders: loading refuses with a sentence or gives a model that predicts; it runs no code.

A forged folder has all hashes mended, so that what is refused is refused for what it says, not for having been edited.
"""

import hashlib
import io
import json
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import laconic
from laconic import DependencyParser, SequenceTagger, TextClassifier
from laconic.data.annotated.tagged_files import read_tagged
from laconic.data.annotated.treebank import read_treebank
from tools.attack.limits import Peak
from tools.attack.mutations import damaged
from tools.attack.samples import CONLL, CONLLU, ROWS
from tools.attack.verdicts import HELD, Verdict, raised, refused

HEAD = "model.json"
REFUSALS = (ValueError, TypeError, OSError)
MORE = 400_000_000  # bytes of memory that loading a small folder may take
HUGE = (-1, 0, 2, 10**12, 2**31, 2**63 - 1)
VALUES: tuple[Any, ...] = (None, True, -1, 0, 1.5, 1e308, 10**30, "", "x" * 5000, [], {}, [[]], "nan", [None], "../x")


class Saved(NamedTuple):
    """A saved model, and what to predict with it once it is loaded."""

    folder: Path
    use: Callable[[Any], Any]


def prepare() -> None:
    """Make what all cases of this kind begin with."""
    saved_models()


def folder_case(rng: np.random.Generator, folder: Path) -> Verdict:
    """Return the verdict on one damaged or forged folder."""
    known = saved_models()
    kind = list(known)[rng.integers(len(known))]
    place = folder / "model"
    shutil.copytree(known[kind].folder, place)
    change = CHANGES[rng.integers(len(CHANGES))]
    change(rng, place)
    verdict = _load(place, known[kind].use)
    why = f"{kind}, {change.__name__.strip('_')}: {verdict.why}"
    return verdict if verdict.word != "finding" else Verdict("finding", why)


@cache
def saved_models() -> dict[str, Saved]:
    """Return a saved model of every kind, made once."""
    base = Path(tempfile.mkdtemp(prefix="attack-models-"))
    (base / "a.conll").write_text(CONLL)
    (base / "a.conllu").write_text(CONLLU)
    texts, labels = [row["text"] for row in ROWS], [row["label"] for row in ROWS]
    sentences, tags, _ = read_tagged(base / "a.conll")
    bank = read_treebank(base / "a.conllu")
    made: dict[str, tuple[Any, Any]] = {
        "text": (TextClassifier().fit(texts, labels), texts),
        "tagger": (SequenceTagger("minimal").fit(sentences, tags), sentences),
        "parser": (
            DependencyParser().fit(bank.sentences, np.split(bank.trees, bank.sentences.ends[1:-1])),
            bank.sentences,
        ),
    }
    return {kind: Saved(model.save(base / kind), _predicting(data)) for kind, (model, data) in made.items()}


def _predicting(data: Any) -> Callable[[Any], Any]:
    return lambda model: model.predict(data)


def _load(place: Path, use: Callable[[Any], Any]) -> Verdict:
    peak = Peak()
    try:
        use(laconic.load(place))
        verdict = HELD
    except REFUSALS as error:
        verdict = refused(error)
    except Exception as error:
        verdict = raised(error)
    rise = peak.rise()
    return Verdict("finding", f"took {rise:,} bytes") if rise > MORE else verdict


def _damage(rng: np.random.Generator, place: Path) -> None:
    """Damage one file and leave the hashes."""
    path = _some_file(rng, place)
    path.write_bytes(damaged(rng, path.read_bytes()))


def _forge(rng: np.random.Generator, place: Path) -> None:
    """Damage one file and mend the hashes."""
    _damage(rng, place)
    _mend(place)


def _deep(rng: np.random.Generator, place: Path) -> None:
    """Put deeply nested JSON in the place of a file, or into one."""
    deep = ("[" if rng.random() < 0.5 else '{"a":') * int(rng.choice([100, 2000, 200_000]))
    path = _some_file(rng, place, ".json")
    path.write_text(deep if rng.random() < 0.5 else path.read_text().replace("{", '{"deep": ' + deep + ",", 1))
    _mend(place)


def _other_value(rng: np.random.Generator, place: Path) -> None:
    """Put another value somewhere into a JSON file."""
    path = _some_file(rng, place, ".json")
    data = json.loads(path.read_text())
    _replace(rng, data)
    path.write_text(json.dumps(data))
    _mend(place)


def _other_array(rng: np.random.Generator, place: Path) -> None:
    """Put NaN, infinities, another shape or another type into an array."""
    path = _some_file(rng, place, ".npy")
    array = np.load(path)
    how = rng.integers(4)
    if how == 0 and array.size:
        array.ravel()[rng.integers(array.size)] = np.nan if array.dtype.kind == "f" else np.iinfo(array.dtype).max
    elif how == 1:
        array = array[: rng.integers(len(array) + 1)] if array.ndim else array.reshape(1)
    elif how == 2:
        array = array.astype([np.float32, np.int8, np.complex128, "U3", bool][rng.integers(5)])
    else:
        array = array.reshape(1, *array.shape)
    np.save(path, array)
    _mend(place)


def _other_header(rng: np.random.Generator, place: Path) -> None:
    """Declare another shape or type than an array has, or bytes that are no array."""
    path = _some_file(rng, place, ".npy")
    array = np.load(path)
    shape = tuple(int(HUGE[rng.integers(len(HUGE))]) for _ in range(int(rng.integers(1, 3))))
    stream = io.BytesIO()
    kind = ["<f8", "|O", "<M8[s]", "|V9", "<i4"][rng.integers(5)]
    np.lib.format.write_array_header_1_0(stream, {"descr": kind, "fortran_order": False, "shape": shape})
    forged = [stream.getvalue() + array.tobytes(), b"PK\x03\x04" + array.tobytes(), b"\x80\x04."]
    path.write_bytes(forged[rng.integers(len(forged))])
    _mend(place)


def _replace(rng: np.random.Generator, data: Any) -> None:
    """Replace one value somewhere below a dict or a list."""
    keys = list(data) if isinstance(data, dict) else list(range(len(data)))
    if not keys:
        return
    key = keys[rng.integers(len(keys))]
    if isinstance(data[key], (dict, list)) and data[key] and rng.random() < 0.7:
        _replace(rng, data[key])
    elif isinstance(data, dict) and rng.random() < 0.2:
        del data[key]
    else:
        data[key] = VALUES[rng.integers(len(VALUES))]


def _some_file(rng: np.random.Generator, place: Path, end: str = "") -> Path:
    files = sorted(path for path in place.iterdir() if path.name.endswith(end)) or [place / HEAD]
    return files[rng.integers(len(files))]


def _mend(place: Path) -> None:
    """Write the hashes that the files have now; a head that is no JSON stays as it is."""
    try:
        head = json.loads((place / HEAD).read_bytes())
        named = {name: hashlib.sha256((place / name).read_bytes()).hexdigest() for name in head["files"]}
        content = {key: value for key, value in {**head, "files": named}.items() if key != "sha256"}
        text = json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")
        (place / HEAD).write_text(json.dumps({**content, "sha256": hashlib.sha256(text).hexdigest()}))
    except (ValueError, TypeError, KeyError, OSError, RecursionError, AttributeError):
        return


CHANGES = (_damage, _forge, _forge, _deep, _other_value, _other_value, _other_array, _other_header)
