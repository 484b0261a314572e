"""Where callers still look for `fit_labels`, which is in `laconic.models.search.fit_text`."""

from laconic.models.search.fit_text import FittedLabels, fit_labels, has_several

__all__ = ["FittedLabels", "fit_labels", "has_several"]
