"""Sets of templates by name, of taggers and of parsers."""

from collections.abc import Callable, Iterable
from typing import Any

Sets = dict[str, tuple[Callable[[], list[str]], str]]


def described(sets: Sets) -> dict[str, str]:
    """Return the names of sets and what each holds."""
    return {name: text for name, (_, text) in sets.items()}


def expanded(given: Any, template: type, sets: Sets, is_name: Callable[[str], bool], example: str) -> Iterable[Any]:
    """Yield what is given, one or several, with its templates in the place of the name of a set."""
    for one in [given] if isinstance(given, (str, template)) else given:
        if not isinstance(one, str) or not is_name(one):
            yield one
        elif one in sets:
            yield from sets[one][0]()
        else:
            raise ValueError(
                f"There is no set of templates {one!r}; there are {', '.join(sets)}, and templates such as {example}."
            )
