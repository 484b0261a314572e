"""Experiments of five papers, beside the published numbers; not part of the installed package."""
