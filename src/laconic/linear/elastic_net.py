r"""No penalty, ridge, lasso and elastic net.

.. math:: \min_{w, b} \sum_i s_i\,\ell(y_i, x_i^\top w + b) + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2

Losses are summed and the intercept is free; scikit-learn's C is 1/λ₁ for a lasso and 1/(2λ₂) for a ridge.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from laconic.core.edits import Edits
from laconic.core.penalties.elastic_net import ElasticNetPenalty
from laconic.core.problem import LinearProblem
from laconic.core.solution import Solution
from laconic.linear.base import LinearClassifier, LinearEstimator, LinearRegressor
from laconic.solvers.dispatch import solve_next
from laconic.solvers.warm_start import WarmStart


@dataclass(eq=False, repr=False)
class _ElasticNet(LinearEstimator):
    """What both estimators do with their l1 and l2."""

    l1: Any = 0.0
    l2: float = 0.5
    _: KW_ONLY
    fit_intercept: bool = True
    edits: Edits | None = None
    tol: float = 1e-6
    max_iter: int = 200
    refit_support: bool = False

    def _check_settings(self) -> None:
        super()._check_settings()
        ElasticNetPenalty(self.l1, self.l2)

    def _strength(self) -> tuple[float, ...]:
        return self.l2, float(np.max(self.l1))

    def _solve(self, problem: LinearProblem, warm: WarmStart) -> Solution:
        return solve_next(problem, self._penalty(problem.n_features), warm, self.tol, self.max_iter)

    def _penalty(self, n_features: int) -> ElasticNetPenalty:
        edited = self._edited(n_features)
        return ElasticNetPenalty(edited.levels(self.l1, 0.0, n_features), self.l2, edited.sides)

    def _shrinks(self) -> bool:
        return self.l2 > 0.0 or bool(np.any(np.asarray(self.l1) > 0.0))


@dataclass(eq=False, repr=False)
class ElasticNetClassifier(_ElasticNet, LinearClassifier):
    r"""Logistic regression (softmax for several classes) with an elastic net, solved to a proven accuracy.

    Minimises :math:`\sum_i s_i\,\ell(y_i, x_i^\top w + b) + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2`.

    Parameters
    ----------
    l1 : float, default 0.0
        λ₁. More means fewer words.
    l2 : float, default 0.5
        λ₂. The default is scikit-learn's C = 1.
    loss : {"logistic", "squared_hinge"}
        Squared hinge is for two classes and gives no probabilities.
    fit_intercept : bool
    class_weight : dict, "balanced" or None
        Weights of the classes, times ``sample_weight``.
    edits : Edits, optional
        Words to ban or keep, signs and factors; see `laconic.Edits`.
    tol : float
        Relative duality gap (P − D)/P at which to stop.
    max_iter : int
        Newton steps at most.
    refit_support : bool
        Fit the words that were chosen once more without λ₁, so that their weights are not shrunk (Belloni &
        Chernozhukov 2013); with λ₂ as it is, or 0.1 if it is 0. The certificate is that of this second fit.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
        For two classes the weights for ``classes_[1]``.
    intercept_ : ndarray
    classes_ : ndarray, sorted
    dual_gap_ : float
        Relative duality gap of the answer; inf for a fit without any penalty.
    solution_ : laconic.Solution
    n_iter_ : int

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> model = ElasticNetClassifier(l1=0.3, l2=0.0).fit(X, ["ham", "ham", "spam", "spam"])
    >>> model.predict([[0, 1, 0]])
    array(['spam'], dtype='<U4')
    >>> bool(model.dual_gap_ <= 1e-6)
    True
    """

    _: KW_ONLY
    loss: str = "logistic"
    class_weight: Mapping[Any, float] | str | None = None


class ElasticNetRegressor(_ElasticNet, LinearRegressor):
    r"""Least squares with an elastic net, solved to a proven accuracy.

    Minimises :math:`\sum_i \tfrac{s_i}{2}(y_i - x_i^\top w - b)^2 + \lambda_1\|w\|_1 + \lambda_2\|w\|_2^2`. Parameters
    and attributes are those of `ElasticNetClassifier`; ``refit_support`` takes λ₂ as it is.

    Examples
    --------
    >>> import numpy as np
    >>> model = ElasticNetRegressor(l1=0.0, l2=1e-9).fit(np.array([[0.0], [1.0], [2.0]]), [1.0, 3.0, 5.0])
    >>> model.predict([[3.0]]).round(6)
    array([7.])
    """
