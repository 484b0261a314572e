"""What a reader is shown: a model and a corpus become a `Summary`, and a summary becomes Markdown or one HTML page."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".render.markdown": "markdown",
        ".render.page": "html write_page",
        ".summaries.structured": "summarize_parser summarize_tagger",
        ".summaries.text": "summarize",
    },
)
