"""What a reader is shown: a model and a corpus become a `Summary`, and a summary becomes Markdown or one HTML page."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "html": ".render.page",
        "markdown": ".render.markdown",
        "summarize": ".summaries.text",
        "summarize_parser": ".summaries.parser",
        "summarize_tagger": ".summaries.tagger",
        "write_page": ".render.page",
    },
)
