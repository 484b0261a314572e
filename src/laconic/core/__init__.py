"""The nouns: groups, losses, penalties, problems, solutions and paths."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "Edits": ".edits",
        "Explanation": ".summaries.explanation",
        "Groups": ".groups",
        "LinearProblem": ".problem",
        "Path": ".path",
        "SelectedGroups": ".selected_groups",
        "Solution": ".solution",
        "Summary": ".summaries.summary",
    },
)
