"""``laconic export``: a saved model for other programs."""

from pathlib import Path

import click

from laconic.cli.shared.options import json_option
from laconic.cli.shared.output import echo_json
from laconic.cli.shared.sources import load_text_model, stem


@click.command()
@click.argument("model", metavar="MODEL")
@click.option("--to", "form", type=click.Choice(["json", "sklearn", "onnx"]), required=True, help="What to write.")
@click.option("-o", "--out", metavar="FILE", help="Where; default: MODEL's name with .json, .joblib or .onnx.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@json_option
def command(model: str, form: str, out: str | None, force: bool, as_json: bool) -> None:
    """Write a saved model for other programs.

    json is one document that a short program in any language scores texts with; sklearn is a fitted scikit-learn
    pipeline (joblib; it needs laconic where it is loaded); onnx is a graph over count vectors (needs the extra
    laconic[onnx] where it is written).

    \b
    Examples:
      laconic export reviews.laconic --to json
      laconic export reviews.laconic --to onnx -o reviews.onnx
    """
    from laconic.models.export.formats import FORMS, export_model

    target = Path(out or f"{stem(model)}{FORMS[form]}")
    if target.exists() and not force:
        raise FileExistsError(f"{target} exists already; choose another name with -o, or replace it with --force")
    written = export_model(load_text_model(model), form, target)
    size = written.stat().st_size
    if as_json:
        echo_json({"written": str(written), "form": form, "bytes": size})
    else:
        click.echo(f"Written: {written} ({max(size / 1e3, 0.1):,.1f} kB)")
