"""What a reader is shown: a model and a corpus become a `Summary`, and a summary becomes Markdown or one HTML page."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "html": ".page",
        "markdown": ".document",
        "summarize": ".summarizing",
        "summarize_parser": ".parse_summarizing",
        "summarize_tagger": ".tag_summarizing",
        "write_page": ".page",
    },
)
