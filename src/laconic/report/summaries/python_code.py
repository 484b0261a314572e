"""The Python code that fits a model again, from what its folder says."""

from collections.abc import Mapping
from typing import Any


def python_code(info: Mapping[str, Any]) -> str:
    """Return a short program from ``model.json``, or an empty string for a model whose estimator is not laconic's."""
    estimator = info.get("estimator") or {}
    if estimator.get("package") != "laconic":
        return ""
    from laconic import linear

    made = getattr(linear, estimator["name"])
    given = _changed(made(), {name: value for name, value in estimator["parameters"].items() if name != "groups"})
    extra = info.get("extra") or {}
    groups, imports = _groups(info, (extra.get("recipe") or {}).get("groups"))
    kind, inner = "TextClassifier", [*groups, *_text_arguments(info)]
    if "settings" in info:
        kind, inner = "MultilabelTextClassifier", _multilabel_arguments(info["settings"], inner)
    head = ["import laconic", *imports, "", f"model = laconic.{kind}(", f"    laconic.{estimator['name']}({given}),"]
    return (
        "\n".join([*head, *inner, ")", *_fit((extra.get("data") or {}).get("train") or {}, info["n_documents"])]) + "\n"
    )


def _text_arguments(info: Mapping[str, Any]) -> list[str]:
    """Return the arguments of `TextClassifier` about texts that differ from its defaults, and its edits."""
    from laconic.models import TextClassifier

    analyzer, default = info["analyzer"], TextClassifier()
    text = {
        "analyzer": analyzer["kind"],
        "tokenizer": _tokenizer(analyzer["tokenizer"]),
        "ngrams": tuple(analyzer["ngrams"]),
        "cells": info["cells"],
        "min_df": info["min_df"],
        "max_df": info["max_df"],
        "strip_mail": analyzer["strip_mail"],
    }
    lines = [f"    {name}={value!r}," for name, value in text.items() if value != getattr(default, name)]
    edits = ", ".join(f"{name}={value!r}" for name, value in (info.get("edits") or {}).items())
    return [*lines, *([f"    edits=laconic.Edits({edits}),"] if edits else [])]


def _multilabel_arguments(stored: Any, inner: list[str]) -> list[str]:
    settings = {label: _plain(value) for label, value in stored}
    reading = ["    text=laconic.TextClassifier(", *(f"    {line}" for line in inner), "    ),"] if inner else []
    return [*([f"    settings={settings!r},"] if settings else []), *reading]


def _fit(train: Mapping[str, Any], n_documents: int) -> list[str]:
    texts = f"the {n_documents:,} texts of {train['name']}" if train.get("name") else f"{n_documents} texts"
    lines = [f"model.fit(texts, labels)  # {texts} and their labels"]
    if train.get("fingerprint"):
        lines.append(f"# laconic.Corpus.from_lists(texts, labels).fingerprint() was {train['fingerprint']}")
    return lines


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
