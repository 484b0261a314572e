"""Sphinx configuration."""

import laconic

project = "laconic"
author = "the laconic developers"
release = laconic.__version__
extensions = ["sphinx.ext.autodoc", "sphinx.ext.mathjax", "numpydoc", "myst_parser"]
myst_enable_extensions = ["dollarmath"]
html_theme = "pydata_sphinx_theme"
html_title = "laconic"
html_show_sourcelink = False
html_sidebars = {"**": []}  # the pages are few: all of them stand in the header
exclude_patterns = ["_build"]
numpydoc_show_class_members = False
