"""Small valid files of every format that laconic reads, and the reader of each."""

import gzip
import io
import json
import lzma
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from laconic import Groups
from laconic.data import read, read_conll
from laconic.data.annotated.tagged_files import read_tagged
from laconic.data.annotated.treebank import read_treebank
from laconic.groups import BrownGroups, GivenGroups
from laconic.groups.vectors import read_vectors

WORDS = ("warm", "funny", "dull", "slow", "bright", "naïve")
ROWS = [
    {"id": str(i), "text": f"A {WORDS[i % 6]} film, {i} times.", "label": "good" if i % 2 else "bad"} for i in range(9)
]
CONLL = "".join(f"{word} JJ B-NP\nfilm NN I-NP\n. . O\n\n" for word in WORDS)
CONLLU = "".join(
    f"# sent_id = {i}\n# text = {word} film\n1\t{word}\t{word}\tADJ\tJJ\t_\t2\tamod\t_\t_\n"
    "2\tfilm\tfilm\tNOUN\tNN\tNumber=Sing\t0\troot\t_\t_\n\n"
    for i, word in enumerate(WORDS)
)
BROWN = "".join(f"{i:03b}\t{word}\t{i + 1}\n" for i, word in enumerate(WORDS))
VECTORS = "6 3\n" + "".join(f"{word} {i}.5 -{i} 0.25\n" for i, word in enumerate(WORDS))


class Sample(NamedTuple):
    """A file's name, its bytes before they are packed, what reads it, and what packs it."""

    name: str
    data: bytes
    reader: Callable[[Path], Any]
    pack: Callable[[bytes], bytes] = bytes


@cache
def samples() -> tuple[Sample, ...]:
    """Return all samples, those of formats whose packages are missing left out."""
    csv = "id,text,label\n" + "".join(f'{row["id"]},"{row["text"]}",{row["label"]}\n' for row in ROWS)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
    plain = {
        "a.csv": csv,
        "a.tsv": csv.replace('"', "").replace(", ", ";").replace(",", "\t"),
        "a.jsonl": lines,
        "a.json": json.dumps(ROWS),
        "a.txt": "".join(row["text"] + "\n" for row in ROWS),
    }
    found = [Sample(name, text.encode(), read) for name, text in plain.items()]
    found += [Sample("a.conll", CONLL.encode(), reader) for reader in (read_conll, read_tagged)]
    found += [Sample("a.tags.jsonl", _tagged_lines(), read_tagged), Sample("a.conllu", CONLLU.encode(), read_treebank)]
    found += [Sample("a.groups.json", data, _read_groups) for data in _groups()]
    found += [Sample("a.paths", BROWN.encode(), lambda path: BrownGroups(paths=path).cluster(None))]
    found += [Sample(name, data, lambda path: read_vectors(path, WORDS)) for name, data in _vectors()]
    return (*found, *_compressed(found), *_parquet())


def _compressed(plain: list[Sample]) -> list[Sample]:
    packers: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".xz": lzma.compress}
    if find_spec("zstandard"):
        from zstandard import ZstdCompressor

        packers[".zst"] = ZstdCompressor().compress
    some = [one for one in plain if one.name in ("a.csv", "a.jsonl", "a.json", "a.conll", "a.conllu", "a.vec")]
    return [one._replace(name=one.name + end, pack=pack) for one in some for end, pack in packers.items()]


def _parquet() -> list[Sample]:
    if not find_spec("pyarrow"):
        return []
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(ROWS), stream)
    return [Sample("a.parquet", stream.getvalue(), read)]


def _tagged_lines() -> bytes:
    lines = [json.dumps({"word": [word, "film"], "tag": ["B-NP", "I-NP"]}) for word in WORDS]
    return "\n".join(lines).encode()


def _groups() -> list[bytes]:
    saved = Groups.from_lists([[0, 1], [2, 5]], 6, names=["one", "two"]).to_json()
    return [json.dumps({"one": WORDS[:3], "two": WORDS[2:]}).encode(), json.dumps(saved).encode()]


def _vectors() -> list[tuple[str, bytes]]:
    rows = b"".join(word.encode() + b" " + np.full(3, i, dtype="<f4").tobytes() for i, word in enumerate(WORDS))
    return [("a.vec", VECTORS.encode()), ("a.bin", b"6 3\n" + rows)]


def _read_groups(path: Path) -> Any:
    return GivenGroups(str(path)).read()
