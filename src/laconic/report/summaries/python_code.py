"""The Python code that fits a model again, from what its folder says."""

from collections.abc import Mapping
from typing import Any


def python_code(info: Mapping[str, Any]) -> str:
    """Return a short program from ``model.json``, or an empty string for a model whose estimator is not laconic's."""
    estimator = info.get("estimator") or {}
    if estimator.get("package") != "laconic":
        return ""
    import laconic
    from laconic.models import TextClassifier

    made = getattr(laconic, estimator["name"])
    given = _changed(made(), {name: value for name, value in estimator["parameters"].items() if name != "groups"})
    extra = info.get("extra") or {}
    analyzer = info["analyzer"]
    text = {
        "analyzer": analyzer["kind"],
        "tokenizer": _tokenizer(analyzer["tokenizer"]),
        "ngrams": tuple(analyzer["ngrams"]),
        "cells": info["cells"],
        "min_df": info["min_df"],
        "max_df": info["max_df"],
        "strip_mail": analyzer["strip_mail"],
    }
    groups, imports = _groups(info, (extra.get("recipe") or {}).get("groups"))
    inner = [*groups, *(f"    {name}={one!r}," for name, one in text.items() if one != getattr(TextClassifier(), name))]
    if info.get("edits"):
        wishes = ", ".join(f"{name}={value!r}" for name, value in info["edits"].items())
        inner.append(f"    edits=laconic.Edits({wishes}),")
    kind = "TextClassifier"
    if "settings" in info:
        kind = "MultilabelTextClassifier"
        settings = {label: _plain(one) for label, one in info["settings"]}
        reading = ["    text=laconic.TextClassifier(", *(f"    {line}" for line in inner), "    ),"] if inner else []
        inner = [*([f"    settings={settings!r},"] if settings else []), *reading]
    lines = ["import laconic", *imports, "", f"model = laconic.{kind}(", f"    laconic.{estimator['name']}({given}),"]
    lines += inner
    train = (extra.get("data") or {}).get("train") or {}
    name = (
        f"the {info['n_documents']:,} texts of {train['name']}" if train.get("name") else f"{info['n_documents']} texts"
    )
    lines += [")", f"model.fit(texts, labels)  # {name} and their labels"]
    if train.get("fingerprint"):
        lines.append(f"# laconic.Corpus.from_lists(texts, labels).fingerprint() was {train['fingerprint']}")
    return "\n".join(lines) + "\n"


def _changed(default: Any, parameters: Mapping[str, Any]) -> str:
    known = default.get_params(deep=False)
    return ", ".join(
        f"{name}={_plain(value)!r}"
        for name, value in parameters.items()
        if name in known and _plain(value) != known[name]
    )


def _plain(value: Any) -> Any:
    return dict(value["items"]) if isinstance(value, Mapping) and "items" in value else value


def _tokenizer(stored: Mapping[str, Any] | None) -> str:
    from laconic.text.tokenizer import PRESETS, Tokenizer

    if stored is None:
        return "default"
    if stored["kind"] == "callable":
        return stored["name"]
    return next((name for name in PRESETS if Tokenizer.preset(name).to_json() == dict(stored)), "your tokenizer")


def _groups(info: Mapping[str, Any], kinds: list[str] | None) -> tuple[list[str], list[str]]:
    if not info.get("groups"):
        return [], []
    if not kinds:
        return [f"    groups=groups,  # {info['groups']['source']}"], []
    builders = ", ".join(f"builder_of({kind!r})" for kind in kinds)
    return [f"    groups=[{builders}],"], ["from laconic.groups.kinds import builder_of"]
