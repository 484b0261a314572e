"""`export_model`: a saved model in the forms that other programs take.

- ``json``: one document, see `laconic.models.export.portable`; a short program in any language scores with it;
- ``sklearn``: a fitted scikit-learn pipeline, written by joblib;
- ``onnx``: a graph over count vectors, see `laconic.models.export.onnx_graph`.
"""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from laconic.core.files import write_file

if TYPE_CHECKING:
    from laconic.models.scoring.scorer import Scorer

FORMS = {"json": ".json", "sklearn": ".joblib", "onnx": ".onnx"}


def export_model(scorer: "Scorer", form: str, path: str | os.PathLike) -> Path:
    """Write a model in another form, whole or not at all.

    Parameters
    ----------
    scorer : Scorer
        From `laconic.load` or `TextClassifier.to_scorer`.
    form : {"json", "sklearn", "onnx"}
    path : path
        The file; one that is there is replaced.

    Examples
    --------
    >>> import tempfile
    >>> from laconic.models import TextClassifier
    >>> scorer = TextClassifier().fit(["broken lamp", "kind thanks"], ["repair", "praise"]).to_scorer()
    >>> with tempfile.TemporaryDirectory() as place:
    ...     data = json.loads(export_model(scorer, "json", f"{place}/m.json").read_text())
    >>> data["kind"]
    'text classifier'
    """
    if form not in FORMS:
        raise ValueError(f"There is no form {form!r}; use {', '.join(FORMS)}.")
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"The folder {target.parent}, in which {target.name} is to be written, does not exist.")
    write_file(target, {"json": _json, "sklearn": _sklearn, "onnx": _onnx}[form](scorer))
    return target


def _json(scorer: "Scorer") -> bytes:
    from laconic.models.export.portable import portable

    # ASCII, so that words with lone surrogates survive
    return json.dumps(portable(scorer.model), separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


def _sklearn(scorer: "Scorer") -> bytes:
    from io import BytesIO

    import joblib

    from laconic.models.export.sklearn_pipeline import sklearn_pipeline

    buffer = BytesIO()
    joblib.dump(sklearn_pipeline(scorer.model), buffer)
    return buffer.getvalue()


def _onnx(scorer: "Scorer") -> bytes:
    from laconic.models.export.onnx_graph import onnx_model

    return onnx_model(scorer.model).SerializeToString()
