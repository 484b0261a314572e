"""`Document`: a text and what is known about it; a module of its own, since a model is loaded with it alone."""

from dataclasses import dataclass

from laconic.data.labels import Label


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
