"""From what a user calls groups to the ``Groups`` of a matrix: nothing, groups, or names with lists of features."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from laconic.core.groups import Groups


def check_groups(groups: Any) -> None:
    """Raise TypeError unless ``groups`` is something that `resolve_groups` takes."""
    if groups is not None and not isinstance(groups, (Groups, Mapping)):
        raise TypeError(
            f"groups is a {type(groups).__name__}; it must be None (one group per feature), a laconic.Groups, or a "
            "dictionary {name: [feature, …]}."
        )


def resolve_groups(groups: Any, n_features: int, feature_names: Sequence[str] | None = None) -> Groups:
    """Return groups over ``n_features`` columns: singletons for None, √size as weights for names or numbers."""
    check_groups(groups)
    if groups is None:
        return Groups.singletons(n_features)
    if isinstance(groups, Groups):
        groups.check_features(None if feature_names is None else features_sha256(feature_names), n_features)
        return groups
    members = {name: _as_list(name, features) for name, features in groups.items()}
    if not any(isinstance(feature, str) for features in members.values() for feature in features):
        return Groups.from_lists(members.values(), n_features, names=tuple(members))
    if feature_names is None:
        named = next(name for name, features in members.items() if any(isinstance(one, str) for one in features))
        raise ValueError(
            f"Group {named!r} names its features, but X has no feature names; pass X as a DataFrame, or give column "
            "numbers."
        )
    return Groups.from_dict(members, list(feature_names))


def features_sha256(names: Sequence[str]) -> str:
    """Return the hash of feature names that groups carry, the same as a vocabulary's."""
    return hashlib.sha256(json.dumps([str(name) for name in names], separators=(",", ":")).encode("ascii")).hexdigest()


def _as_list(name: Any, features: Any) -> list[Any]:
    if isinstance(features, str) or not hasattr(features, "__iter__"):
        raise TypeError(f"Group {name!r} is {features!r}; it must be a list of features.")
    return list(features)
