"""Formulas as MathML, made when the site is built: browsers draw it themselves, so no page loads a script or a font."""

import re

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging

LONG = 40  # characters of LaTeX

logger = logging.getLogger(__name__)


def _written(node: nodes.Element, block: bool) -> str:
    formula = node.astext()
    try:
        written = tex2mathml(formula, as_block=block)
    except Exception as error:  # docutils raises several kinds; each is a formula that it cannot read
        logger.warning("This formula cannot be written as MathML: %s (%s)", formula, error, location=node)
        return ""
    # Bars of a norm stay as high as the letters between them, also where one of them carries an index.
    return re.sub(r"<mo([^>]*)>‖", r'<mo\1 stretchy="false">‖', written)


def _inline(self, node: nodes.math) -> None:
    written = _written(node, block=False)
    # A long formula gets a box that scrolls where the screen is narrower than it.
    self.body.append(f'<span class="long-formula">{written}</span>' if len(node.astext()) > LONG else written)
    raise nodes.SkipNode


def _block(self, node: nodes.math_block) -> None:
    self.body.append(f'<div class="formula">{_written(node, block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
