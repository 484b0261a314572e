"""What a reader is shown: a model and a corpus become a `Summary`, and a summary becomes Markdown."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, {"markdown": ".document", "summarize": ".summarizing"})
