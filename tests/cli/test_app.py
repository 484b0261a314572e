import json
import sys
import time
import warnings
import zipfile

import click
import numpy as np
import pytest

from laconic.cli import app as app_module
from laconic.cli.app import COMMANDS, app, as_typed
from laconic.workflows.watch import Contradiction

HEAVY = ("numpy", "numba", "scipy", "sklearn", "rich", "pandas")


def test_help_lists_every_command_with_its_purpose(run):
    result = run("--help")
    assert result.code == 0
    for name, purpose in COMMANDS.items():
        assert f"  {name}" in result.out
        assert purpose in result.out


def test_the_table_of_commands_agrees_with_the_commands():
    context = click.Context(app)
    for name in COMMANDS:
        assert isinstance(app.get_command(context, name), click.Command)
    assert app.get_command(context, "nope") is None


@pytest.mark.parametrize(
    "command",
    [
        *COMMANDS,
        "data list",
        "data check",
        "data describe",
    ],
)
def test_every_command_explains_itself_with_an_example(run, command):
    result = run(*command.split(), "--help")
    assert result.code == 0
    assert "Example" in result.out
    assert f"laconic {command.split()[0]}" in result.out


def test_version(run):
    import laconic

    assert run("--version").out == f"laconic {laconic.__version__}\n"


@pytest.mark.parametrize("arguments", [["nope"], ["fit"], ["fit", "a.csv", "--metric", "beauty"], ["data", "nope"]])
def test_usage_mistakes_exit_with_2(run, arguments):
    result = run(*arguments)
    assert result.code == 2
    assert "Error: " in result.err
    assert not result.out


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("the text is bad"), "the text is bad"),
        (TypeError("a list is needed"), "a list is needed"),
        (ImportError("pyarrow is missing"), "pyarrow is missing"),
        (FileNotFoundError("no such model"), "no such model"),
        (OSError(28, "No space left on device", "m.laconic"), "No space left on device: 'm.laconic'"),
    ],
)
def test_problems_become_one_sentence(run, monkeypatch, error, sentence):
    def broken(**_):
        raise error

    monkeypatch.setattr(app_module, "app", _only(broken))
    assert run() == (1, "", f"laconic: error: {sentence}\n")


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), KeyError("weights"), IndexError("5")])
def test_a_bug_is_called_a_bug(run, monkeypatch, error):
    def broken(**_):
        raise error

    monkeypatch.setattr(app_module, "app", _only(broken))
    code, out, err = run()
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith(f"laconic: this is a bug in laconic: {type(error).__name__}: {error} (test_app.py, line ")
    assert err.endswith("; run laconic --debug … and report it\n")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (RecursionError("maximum recursion depth exceeded"), "nested too deeply"),
        (MemoryError(), "not enough memory"),
        (OverflowError("int too big to convert"), "a number in the input is too large (int too big to convert)"),
        (zipfile.BadZipFile("File is not a zip file"), "a file is damaged"),
        (np._core._exceptions._ArrayMemoryError((10**9,), np.dtype(float)), "not enough memory"),
    ],
)
def test_what_damaged_input_causes_is_no_bug(run, monkeypatch, error, sentence):
    def broken(**_):
        raise error

    monkeypatch.setattr(app_module, "app", _only(broken))
    code, out, err = run()
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert err.startswith("laconic: error: ")
    assert sentence in err


def test_what_a_message_quotes_is_not_printed_whole(run, monkeypatch):
    def broken(**_):
        warnings.warn(f"'{'w' * 5_000_000}' is odd", stacklevel=1)
        raise ValueError(f"'{'x' * 5_000_000}' is no name; choose another")

    monkeypatch.setattr(app_module, "app", _only(broken))
    code, out, err = run()
    assert (code, out, err.count("\n")) == (1, "", 2)
    assert len(err) < 5000
    assert "x … x" in err
    assert err.endswith("xx' is no name; choose another\n")


@pytest.mark.parametrize(("words", "variable", "shown"), [(["--debug"], "", True), ([], "1", True), ([], "0", False)])
def test_debug_shows_the_traceback(run, monkeypatch, words, variable, shown):
    monkeypatch.setenv("LACONIC_DEBUG", variable)
    code, out, err = run(*words, "evaluate", "none.laconic", "none.csv")
    assert (code, out) == (1, "")
    assert ("Traceback (most recent call last)" in err) == shown
    assert err.splitlines()[-1] == "laconic: error: There is no model folder none.laconic. Check the name."


def test_debug_of_a_command_is_no_option_of_the_group(run):
    assert run("evaluate", "none.laconic", "none.csv", "--debug").code == 2


def test_wishes_that_contradict_each_other_are_a_usage_mistake(run, monkeypatch):
    def contradictory(**_):
        raise Contradiction("a and b")

    monkeypatch.setattr(app_module, "app", _only(contradictory))
    assert run() == (2, "", "laconic: error: a and b\n")


def test_an_interrupt_exits_with_130(run, monkeypatch):
    def interrupted(**_):
        raise KeyboardInterrupt

    monkeypatch.setattr(app_module, "app", _only(interrupted))
    result = run()
    assert result.code == 130
    assert result.err.strip() == "laconic: interrupted"


def test_warnings_are_one_line_without_code(run, monkeypatch):
    def warning(**_):
        warnings.warn("the fit stopped early", stacklevel=2)
        warnings.warn("old name", DeprecationWarning, stacklevel=2)

    monkeypatch.setattr(app_module, "app", _only(warning))
    assert run() == (0, "", "laconic: warning: the fit stopped early\n")


def test_help_is_quick_and_imports_nothing_heavy(start):
    script = f"import sys, atexit; atexit.register(lambda: print([m for m in {HEAVY} if m in sys.modules]))"
    process = start("--help", before=script)
    out, _ = process.communicate(timeout=60)
    assert out.endswith("[]\n")
    help_seconds = min(_seconds(start("--help")) for _ in range(3))
    nothing = min(_seconds(start(before="raise SystemExit")) for _ in range(3))
    assert help_seconds <= 0.3 * max(1.0, nothing / 0.05)


def test_a_closed_pipe_is_no_error(start, model, tmp_path):
    many = tmp_path / "many.jsonl"
    many.write_text(json.dumps({"text": "broken bench"}) + "\n", encoding="utf-8")
    many.write_text(many.read_text(encoding="utf-8") * 20_000, encoding="utf-8")
    process = start("predict", model, many)
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == ""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
@pytest.mark.parametrize(("variables", "colour"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_only_on_a_terminal_that_wants_them(start, model, variables, colour):
    import os
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", **variables}
    process = start("inspect", model, stdout=theirs, env=environment)
    assert process.wait(timeout=60) == 0
    shown = os.read(ours, 65536).decode()
    assert "leaking" in shown
    assert ("\x1b[3" in shown) == colour


def _only(function):
    return click.Command("laconic", callback=function)


def _seconds(process):
    started = time.perf_counter()
    process.communicate(timeout=60)
    return time.perf_counter() - started


@pytest.mark.parametrize(
    ("message", "typed"),
    [
        ("use folds=100 or fewer", "use --folds 100 or fewer"),
        ("fewer than the 5 folds", "fewer than the 5 folds"),
        ("Give unique ids (id_col names their column)", "Give unique ids (--id-col names their column)"),
        ("Pass data_dir or set LACONIC_DATA", "Pass --data or set LACONIC_DATA"),
        ("Raise max_df or lower min_df.", "Raise --max-df or lower --min-df."),
        ("by text_col and label_col (--text-col and --label-col on the command line)", "by --text-col and --label-col"),
        (
            "use folds=3 or fewer; Pass text_col (--text-col on the command line)",
            "use --folds 3 or fewer; Pass --text-col",
        ),
        ("Choose another name, or pass overwrite=True.", "Choose another name, or add --force."),
        ("there is no column 'label_col' in label_col.csv", "there is no column 'label_col' in label_col.csv"),
    ],
)
def test_messages_name_options_not_parameters(message, typed):
    assert as_typed(message) == typed


def test_an_error_names_the_option(run, tmp_path):
    (tmp_path / "few.jsonl").write_text('{"text": "a", "label": 1}\n{"text": "b", "label": 2}\n' * 3, encoding="utf-8")
    result = run("fit", "few.jsonl", "--folds", 5)
    assert result.code == 1
    assert "--folds 3" in result.err
