"""`SentenceEstimator`: what `SequenceTagger` and `DependencyParser` share."""

import os
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from laconic.core.folder import save_folder
from laconic.data.annotated.sentences import Sentences
from laconic.structured.fit import Fitted, Progress
from laconic.structured.folder import made_with
from laconic.structured.settings import Settings


class SentenceEstimator(BaseEstimator):
    """Settings that are checked when a fit begins, and a model that can be saved and explained."""

    # A subclass inherits its constructor from its settings too, a dataclass, so that each parameter and its default are
    # written in one place.

    _settings_class: ClassVar[type[Settings]]

    def __post_init__(self) -> None:
        """Leave parameters unchecked until `fit`, as scikit-learn asks."""

    def fit(self, X: Any, y: Any, progress: Progress | None = None) -> Self:
        """Learn from sentences with their tags or trees."""
        started, settings = perf_counter(), self._settings()
        self._take(self._learn(Sentences.of(X), y, settings, progress))
        self._seconds = perf_counter() - started
        return self

    def save(
        self, folder: str | os.PathLike, *, overwrite: bool = False, extra: Mapping[str, Any] | None = None
    ) -> Path:
        """Save the model as a folder, for `laconic.load`.

        Parameters
        ----------
        folder : path
        overwrite : bool, default=False
            Overwrite an existing model.
        extra : mapping, optional
            Further metadata for ``model.json``.
        """
        check_is_fitted(self)
        facts = {"kind": self.model_.kind, **self.model_.facts(), **self._made(extra)}
        return save_folder(folder, facts, self.model_.parts(), timings={"fit": self._seconds}, overwrite=overwrite)

    @classmethod
    def from_model(cls, model: Any, info: Mapping[str, Any]) -> Self:
        """Return a fitted estimator of a loaded model."""
        known = {name: value for name, value in info.get("settings", {}).items() if name in cls._get_param_names()}
        estimator = cls(**{"templates": [str(one) for one in model.templates], **known})
        estimator._take(Fitted(model, dict(info.get("strengths", {})), list(info.get("memory", []))))
        estimator._seconds = 0.0
        return estimator

    @abstractmethod
    def _learn(self, sentences: Sentences, y: Any, settings: Any, progress: Progress | None) -> Fitted:
        """Return the fitted model."""

    def _settings(self) -> Any:
        return self._settings_class(**self.get_params(deep=False))

    def _made(self, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return made_with(self._settings(), Fitted(self.model_, self.strengths_, self.memory_), extra)

    def _take(self, fitted: Fitted) -> None:
        self.model_ = fitted.model
        self.strengths_ = fitted.strengths
        self.memory_ = fitted.memory
        self.templates_ = tuple(str(one) for one in fitted.model.templates)
