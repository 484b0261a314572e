"""CRFsuite, through python-crfsuite, on templates of ours written out as strings: what people run today.

It is no dependency of laconic; where it is not installed its rows are left out.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any

from laconic.data.annotated.sentences import Sentences
from laconic.structured.tagging.named_sets import resolve_templates
from laconic.structured.templates.intern import source_of

PEER = "crfsuite"


def is_installed() -> bool:
    """Say whether python-crfsuite can be used."""
    return find_spec("pycrfsuite") is not None


def fit_peer(
    sentences: Sentences, tags: Sequence[Sequence[str]], new: Sentences, settings: Mapping[str, Any]
) -> tuple[list[list[str]], dict[str, Any]]:
    """Learn with CRFsuite and tag new sentences.

    Parameters
    ----------
    sentences : Sentences
    tags : sequence of sequence of str
    new : Sentences
    settings : mapping
        ``templates``, the ``algorithm`` and its ``params``.

    Returns
    -------
    tags : list of list of str
    sizes : dict
        ``templates``, ``weights`` and ``kilobytes`` of the model.
    """
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm=settings["algorithm"], params=settings["params"], verbose=False)
    for one, labels in zip(written_out(sentences, settings["templates"]), tags, strict=True):
        trainer.append(one, labels)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "model")
        trainer.train(str(file))
        tagger = pycrfsuite.Tagger()
        tagger.open(str(file))
        found = [tagger.tag(one) for one in written_out(new, settings["templates"])]
        info = tagger.info()
        sizes = {
            "templates": len(resolve_templates(settings["templates"])),
            "weights": len(info.state_features) + len(info.transitions),
            "kilobytes": file.stat().st_size / 1000.0,
        }
        tagger.close()
    return found, sizes


def written_out(sentences: Sentences, templates: Sequence[str]) -> Iterator[list[list[str]]]:
    """Yield for each sentence, for each token, one string a template; none where it looks beyond the sentence.

    Examples
    --------
    >>> list(written_out(Sentences.of([["We", "sang"]]), ["lower[0]", "word[-1..0]"]))
    [[['lower[0]=we'], ['lower[0]=sang', 'word[-1..0]=We|sang']]]
    """
    resolved = resolve_templates(templates)
    columns = {}
    for column in {cell.column for one in resolved for cell in one.cells}:
        source, function = source_of(column, sentences.columns)
        values = sentences.columns[source]
        if function is not None:
            known = {value: function(value) for value in set(values)}
            values = [known[value] for value in values]
        columns[column] = values
    parts = [(f"{one}=", [(columns[cell.column], cell.offset) for cell in one.cells]) for one in resolved]
    for start, end in pairwise(sentences.ends.tolist()):
        yield [
            [
                name + "|".join([values[at + offset] for values, offset in cells])
                for name, cells in parts
                if all(start <= at + offset < end for _, offset in cells)
            ]
            for at in range(start, end)
        ]
