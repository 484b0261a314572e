"""Virtual environments of the peers: one per requirements file, made on demand in ``benchmarks/.environments``.

An environment is made again when its requirements file changes. One that cannot be made (no network, no wheel for this
machine) is no error: its peers are reported as not installed.
"""

import hashlib
import subprocess
import sys
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


class NotInstalledError(RuntimeError):
    """An environment cannot be made; the message says why."""


@cache
def python(requirements: str | None) -> str:
    """Return the interpreter that runs the solvers of a requirements file; of this process for None."""
    if requirements is None:
        return sys.executable
    wanted = HERE / requirements
    folder = HERE / ".environments" / wanted.stem
    interpreter = folder / "bin" / "python"
    digest = hashlib.sha256(wanted.read_bytes()).hexdigest()
    stamp = folder / "requirements.sha256"
    if stamp.exists() and stamp.read_text() == digest:
        return str(interpreter)
    print(f"Making an environment for {requirements} in benchmarks/.environments/{wanted.stem}.", file=sys.stderr)
    _run([sys.executable, "-m", "venv", "--clear", str(folder)])
    _run([str(interpreter), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(wanted)])
    stamp.write_text(digest)
    return str(interpreter)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines() or [f"exit code {done.returncode}"]
        # pip ends with advice in brackets; the reason is the last line that says ERROR.
        errors = [line for line in lines if line.startswith("ERROR")] or lines
        raise NotInstalledError(errors[-1].removeprefix("ERROR: ").replace(str(HERE), "benchmarks"))
