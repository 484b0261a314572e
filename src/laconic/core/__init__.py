"""The nouns: groups, losses, penalties, problems, solutions and paths."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".edits": "Edits",
        ".groups": "Groups",
        ".problem": "LinearProblem",
        ".selected_groups": "SelectedGroups",
        ".solution": "Path Solution",
        ".summaries.explanation": "Explanation",
        ".summaries.summary": "Summary",
    },
)
