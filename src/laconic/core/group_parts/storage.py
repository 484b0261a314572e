"""Groups as JSON and as a hash: a dictionary of their parts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from laconic.core.groups import Groups

MOST_FEATURES = 1 << 26  # that groups of few members may speak of
_KEYS = ("indptr", "indices", "weights", "n_features", "names", "features_sha256", "source")


def describe(groups: Groups, names: list[str] | None) -> dict[str, Any]:
    """Return lists, numbers and strings from which `arguments` gets back every part of the groups."""
    return {
        "kind": "groups",
        "format": 1,
        "n_features": groups.n_features,
        "features_sha256": groups.features_sha256,
        "source": groups.source,
        "names": names,
        "weights": groups.weights.tolist(),
        "indptr": groups.indptr.tolist(),
        "indices": groups.indices.tolist(),
    }


def fingerprint(groups: Groups) -> str:
    """Return a sha256 that is the same on every machine."""
    digest = hashlib.sha256(f"{groups.n_features} {groups.features_sha256}\n".encode())
    for array, kind in ((groups.indptr, "<i8"), (groups.indices, "<i4"), (groups.weights, "<f8")):
        digest.update(np.ascontiguousarray(array, dtype=kind).tobytes())
    for name in groups.names:
        # Lengths keep the names ("a", "bc") and ("ab", "c") apart.
        encoded = name.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little") + encoded)
    return digest.hexdigest()


def arguments(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `Groups` held by a dictionary that `Groups.to_json` made."""
    if not isinstance(data, Mapping) or data.get("kind") != "groups":
        raise ValueError('This is not a description of groups: it must be an object with "kind": "groups".')
    if data.get("format") != 1:
        raise ValueError(f"Groups of format {data.get('format')!r} cannot be read; this version of laconic reads 1.")
    missing = [key for key in _KEYS if key not in data]
    if missing:
        raise ValueError(f"The description of groups lacks {', '.join(missing)}; it was cut or edited. Save it again.")
    for key in ("features_sha256", "source"):
        if not isinstance(data[key], str) and not (key == "features_sha256" and data[key] is None):
            raise ValueError(f"{key} is {data[key]!r} in the description of groups; it must be a string.")
    n_features, indices = data["n_features"], data["indices"]
    if isinstance(n_features, int) and isinstance(indices, list) and n_features > MOST_FEATURES + len(indices):
        raise ValueError(
            f"n_features is {n_features}, but the description has {len(indices)} members of groups; with so few it may "
            f"be {MOST_FEATURES} at most."
        )
    return {key: data[key] for key in _KEYS}
