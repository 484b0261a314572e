"""The page's calibration gives the probabilities and labels that Python gives."""

import json
import shutil
import subprocess
from importlib.resources import files

import numpy as np
import pytest

from laconic.core.calibration import Calibration

CURVE = ((-2.0, -1.0, -1.0, 3.0), (0.05, 0.2, 0.4, 0.97))
CASES = [
    (1, Calibration("sigmoid", (0.7,), (0.3,))),
    (1, Calibration("isotonic", curves=(CURVE,), prior=(1.9, 0.1), thresholds=(0.9, 0.3))),
    (1, Calibration(thresholds=(None, 0.8))),
    (3, Calibration("sigmoid", (2.0,) * 3, (0.1, -0.5, 0.4), prior=(0.5, 1.0, 2.0))),
    (3, Calibration("isotonic", curves=(CURVE,) * 3, thresholds=(0.6, None, 0.2))),
    (3, Calibration("isotonic", curves=(CURVE,) * 3, prior=(0.5, 1.0, 2.0), several=True)),
    (3, Calibration("sigmoid", (2.0, 1.0, 0.5), (0.1, -0.5, 0.4), several=True)),
    (2, Calibration(several=True)),
    (2, Calibration(several=True, thresholds=(None, 0.9))),
]


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_page_calibrates_as_python_does():
    rng = np.random.default_rng(0)
    cases = []
    for outputs, calibration in CASES:
        margins = np.vstack([rng.normal(size=(40, outputs)) * 3, np.zeros((1, outputs)), np.full((1, outputs), -1.0)])
        cases.append({"calibration": calibration.to_json(), "margins": margins.tolist()})
    script = (files("laconic.report") / "assets" / "calibration.js").read_text(encoding="utf-8")
    script += """
    const cases = JSON.parse(require("fs").readFileSync(0, "utf-8"));
    const found = cases.map(({ calibration, margins }) => margins.map((row) => {
      const shares = calibratedShares(calibration, row);
      return [shares, calibration.several ? given(calibration, shares) : reached(calibration, shares)];
    }));
    console.log(JSON.stringify(found));
    """
    done = subprocess.run(["node", "-e", script], input=json.dumps(cases), capture_output=True, text=True, check=True)
    for (outputs, calibration), case, rows in zip(CASES, cases, json.loads(done.stdout), strict=True):
        margins = np.array(case["margins"])
        Q = calibration.probabilities(margins[:, 0] if outputs == 1 else margins)
        np.testing.assert_allclose([shares for shares, _ in rows], Q, rtol=0, atol=1e-12)
        said = [number for _, number in rows]
        if calibration.several:
            assert said == [np.flatnonzero(row).tolist() for row in calibration.has(Q)]
        else:
            assert said == calibration.choose(Q).tolist()
