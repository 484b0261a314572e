r"""Orthogonal matching pursuit: models of a given number of words, chosen one by one or group by group.

Each step adds the column (or group) most correlated with the residual and refits

.. math:: \sum_i s_i\,\ell(y_i, x_i^\top w + b) + \lambda_2\|w\|_2^2

over all chosen columns. Every step is a finished model: the path is the result, and can be cut at any budget.
"""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from typing import Any

from laconic.linear.base import LinearClassifier, LinearRegressor
from laconic.linear.pursuit_base import GroupPursuer, Pursuer


@dataclass(eq=False, repr=False)
class OMPClassifier(Pursuer, LinearClassifier):
    r"""Logistic orthogonal matching pursuit: the best word next, then a refit, up to a budget.

    Every step adds :math:`\arg\max_j |x_j^\top\alpha|/\|x_j\|` and minimises
    :math:`\sum_i s_i\,\ell(y_i, x_i^\top w + b) + \lambda_2\|w\|_2^2` over all chosen words. With several classes the
    score is that of all classes together, :math:`\|x_j^\top A\|_2/\|x_j\|`.

    Parameters
    ----------
    budget : int, default 100
        K: words at most.
    l2 : float, default 0.1
        λ₂ of the refits.
    precision : float
        ε: stops when the winner's \|x_jᵀα\| is at most this.
    unit_norm : bool
        Whether columns are searched at unit length, so that frequent words have no advantage. Refits are on the
        columns as they are.
    refit : {"raw", "scaled"}
        "scaled" penalises columns of unit length on the way, λ₂‖x_j‖²w_j², and refits the last model on the columns
        as they are, as the authors' own program does.
    patience : int, optional
        With ``fit(…, dev=(X_dev, y_dev))``: ends after this many steps without a better score on dev, and keeps the
        best, the smallest of equals.
    fit_intercept : bool
        The intercept is free, not penalised and outside the budget.
    class_weight : dict, "balanced" or None
        As in `ElasticNetClassifier`.
    edits : Edits, optional
        Words to ban or keep (these come first, and count in the budget), signs and factors; see `laconic.Edits`.
    tol : float
        Refits end within about this share of the least objective.
    n_jobs : int, optional
        Threads of ``fit_grid``.

    Attributes
    ----------
    coef_, intercept_, classes_
    path_ : laconic.Path
        The models of all steps, the intercept alone first; ``path_.at(k)`` is the model of at most k words.
        ``path_.parameters`` says for every step what entered, its score, the objective and the norm of the residual.
    n_iter_ : int
        Steps.
    solution_ : laconic.Solution
        Without a certificate (gap inf): which words would be best is not known.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> model = OMPClassifier(budget=2).fit(X, ["ham", "ham", "spam", "spam"])
    >>> model.path_.sizes.tolist(), [step["entered"] for step in model.path_.parameters]
    ([0, 1, 2], [(), (0,), (1,)])
    """

    loss = "logistic"

    budget: int = 100
    l2: float = 0.1
    _: KW_ONLY
    class_weight: Mapping[Any, float] | str | None = None


@dataclass(eq=False, repr=False)
class OMPRegressor(Pursuer, LinearRegressor):
    r"""Orthogonal matching pursuit with squared loss; parameters and attributes as in `OMPClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0], [2.0, 1.0], [3.0, 0.0], [4.0, 1.0]])
    >>> OMPRegressor(budget=1, l2=0.0).fit(X, [2.0, 4.0, 6.0, 8.0]).coef_.round(6)
    array([[2., 0.]])
    """

    budget: int = 100
    l2: float = 0.1


@dataclass(eq=False, repr=False)
class GroupOMPClassifier(GroupPursuer, LinearClassifier):
    r"""Logistic group OMP over any groups, also overlapping ones: the best group next, then a refit.

    With c = Xᵀα over the members of G that are not yet chosen, the criteria are ``sum`` :math:`\|c_G\|^2`, ``mean``
    :math:`\|c_G\|^2/|G|`, ``norm`` :math:`\|c_G\|/|G|` and ``projection``
    :math:`c_G^\top(X_G^\top X_G + \varepsilon I)^{-1}c_G` (over \|G\| with ``divide``). Members of a chosen group leave
    all others.

    Parameters
    ----------
    groups : Groups, mapping or None
        A `laconic.Groups`; or ``{name: [feature, …]}``; None for one group per feature.
    budget : int, default 100
        K: words at most; see ``overshoot``.
    l2 : float, default 0.1
        λ₂ of the refits.
    criterion : {"mean", "sum", "projection", "norm"}
    ridge : float
        ε of the projection; the authors' program has 0.01.
    divide : bool
        Whether the projection is divided by the size of the group.
    singletons : {"outside", "all", "none"}
        Which words are also groups of their own: those in no group, all, or none.
    overshoot : {"allow", "skip", "trim"}
        A group that does not fit into the budget is taken whole, passed over, or cut to its best members.
    members : {"all", "paying"}
        "paying" takes only those members of a chosen group whose own score is at least the group's mean; the others
        may come later (sparse group OMP).
    precision : float
        ε: stops when the winner's ‖X_Gᵀα‖² is at most this.
    unit_norm, refit, patience, fit_intercept, class_weight, tol, n_jobs
        As in `OMPClassifier`.

    Attributes
    ----------
    groups_ : Groups
        The groups as resolved on X.
    selected_groups_ : SelectedGroups
        Those that were chosen, with the norm of the weights that they brought; words of their own are not among them.
    path_ : laconic.Path
        As in `OMPClassifier`; ``path_.parameters`` also names the group that entered.
    coef_, intercept_, classes_, n_iter_, solution_

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[2.0, 0, 1], [1, 0, 0], [0, 2, 1], [0, 1, 0]])
    >>> model = GroupOMPClassifier({"both": [0, 1], "last": [1, 2]}, budget=2).fit(X, ["ham", "ham", "spam", "spam"])
    >>> [step.get("group") for step in model.path_.parameters], np.flatnonzero(model.coef_).tolist()
    ([None, 'both'], [0, 1])
    """

    loss = "logistic"

    _: KW_ONLY
    class_weight: Mapping[Any, float] | str | None = None


class GroupOMPRegressor(GroupPursuer, LinearRegressor):
    r"""Group OMP with squared loss; parameters and attributes as in `GroupOMPClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[1.0, 0.0, 1.0], [2.0, 1.0, 0.0], [3.0, 0.0, 0.0], [4.0, 1.0, 1.0]])
    >>> model = GroupOMPRegressor({"first": [0, 1]}, budget=2, l2=0.0).fit(X, [2.0, 4.0, 6.0, 8.0])
    >>> model.path_.parameters[1]["group"], model.predict([[5.0, 0.0, 0.0]]).round(6).tolist()
    ('first', [10.0])
    """
