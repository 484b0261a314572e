"""One document: a text with an id and, where the source has them, a label, sentences and a bracketed tree.

A label is a ``str``, an ``int`` or a ``bool``; a document with several labels has a tuple of them.
"""

from dataclasses import dataclass
from typing import TypeAlias

Label: TypeAlias = str | int | bool


@dataclass(frozen=True, slots=True)
class Document:
    """A text and what is known about it.

    Parameters
    ----------
    id : str
        Unique in its corpus.
    text : str
        The text exactly as in the source; may be empty.
    label : str, int, bool, tuple of these, or None
        The class, the classes (tuple) of a document with a list of labels, or None if it has no label.
    sentences : tuple of str, or None
        The sentences as the source gives them.
    tree : str or None
        A bracketed parse tree as the source gives it.

    Examples
    --------
    >>> Document("1", "A fine day.", "weather").label
    'weather'
    """

    id: str
    text: str
    label: Label | tuple[Label, ...] | None = None
    sentences: tuple[str, ...] | None = None
    tree: str | None = None
