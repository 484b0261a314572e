"""``laconic export``: a saved model for other programs."""

import click

from laconic.cli.shared import options as opt
from laconic.cli.shared.files import new_place
from laconic.cli.shared.output import echo_json
from laconic.models.export import FORMS, export_model
from laconic.workflows.sources import load_text_model, stem


@click.command()
@click.argument("model", metavar="MODEL")
@opt.choice("--to", "form", FORMS, "Format to write.", required=True)
@opt.text("-o", "--out", "FILE", "File to write; default: MODEL's name with .json, .joblib or .onnx.")
@opt.force_file
@opt.json_option
def command(model: str, form: str, out: str | None, force: bool, as_json: bool) -> None:
    """Write a saved model for other programs.

    json is one document that a short program in any language scores texts with; sklearn is a fitted scikit-learn
    pipeline (joblib; it needs laconic where it is loaded); onnx is a graph over count vectors (needs the package
    onnx).

    \b
    Examples:
      laconic export reviews.laconic --to json
      laconic export reviews.laconic --to onnx -o reviews.onnx
    """
    target = new_place(out, f"{stem(model)}{FORMS[form]}", force, "-o")
    written = export_model(load_text_model(model), form, target)
    size = written.stat().st_size
    if as_json:
        echo_json({"written": str(written), "form": form, "bytes": size})
    else:
        click.echo(f"Written: {written} ({max(size / 1e3, 0.1):,.1f} kB)")
