"""Strip what others wrote from mail and Usenet posts, without moving a character.

Headers, quoted lines, attribution lines and signatures give away the label of many a post without saying anything about
its subject (20 Newsgroups is the classic case). They are overwritten by spaces, line breaks stay, so that offsets into
the stripped text are offsets into the original.
"""

import re


def strip_mail(text: str) -> str:
    """Overwrite headers, quotations, attributions and the signature of a post by spaces; line breaks stay.

    - headers: the block up to the first blank line, if each of its lines is a ``Name: value`` field or a continuation
      and one of them is a field every post has (From, Subject, Date, Newsgroups, Message-ID, …);
    - quoted lines: those that start with ``>``, ``|``, ``:`` or ``name>``;
    - attributions: ``In article <…> X writes:``, ``On … wrote:``, ``x@y.z (X) writes:``, over up to three lines;
    - the signature: all after a line ``-- `` (or, where the space was lost, after the last line ``--``).

    Examples
    --------
    >>> strip_mail("Subject: hi\\n\\n> old\\nnew\\n-- \\nme").split()
    ['new']
    """
    if not isinstance(text, str):
        raise TypeError(f"strip_mail takes a text, but got {type(text).__name__}.")
    text = _blank(text, 0, _end_of_headers(text))
    text = _ATTRIBUTION.sub(_blank_match, _QUOTED.sub(_blank_match, text))
    proper, bare = _DELIMITER.search(text), list(_BARE_DELIMITER.finditer(text))
    signature = proper or (bare[-1] if bare else None)
    return _blank(text, signature.start() if signature else len(text), len(text))


_FIELD = re.compile(r"([!-9;-~]+):|[ \t]|From ")
_TELLING = {"from", "subject", "date", "newsgroups", "message-id", "path", "references", "organization", "sender"}
_QUOTED = re.compile(r"^[ \t]*(?:[>|]|:(?![-'o^]?[()\[\]DPp/\\|])|[A-Za-z][\w.-]{0,15}>).*", re.MULTILINE)
_VERB = r"(?:writes|wrote|says|said)[ \t]*(?::|\.\.+)[ \t]*\r?$"
_ATTRIBUTION = re.compile(
    rf"^[ \t]*(?:In[ ](?:article|message|<)|On[ ]).{{0,300}}(?:\n.{{1,300}}){{0,2}}?\b{_VERB}"
    rf"|^.{{0,300}}[@<].{{0,300}}\b{_VERB}",
    re.MULTILINE,
)
_DELIMITER = re.compile(r"^--[ ]\r?$", re.MULTILINE)
_BARE_DELIMITER = re.compile(r"^--\r?$", re.MULTILINE)
_NOT_BREAK = re.compile(r"[^\r\n]")


def _end_of_headers(text: str) -> int:
    end, telling = 0, False
    for line in text.splitlines(keepends=True):
        if not line.strip():
            break
        field = _FIELD.match(line)
        if field is None or (end == 0 and line[0] in " \t"):
            return 0
        telling = telling or (field[1] or "").lower() in _TELLING
        end += len(line)
    return end if telling else 0


def _blank(text: str, start: int, end: int) -> str:
    return text[:start] + _NOT_BREAK.sub(" ", text[start:end]) + text[end:]


def _blank_match(match: re.Match[str]) -> str:
    return _NOT_BREAK.sub(" ", match[0])
