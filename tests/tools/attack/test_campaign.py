"""Cases of the attack that once were findings stay mended."""

import pytest

from tools.attack.campaign import run_case

MENDED = (
    "problems-250002000160", "problems-250002000713", "problems-250004000506", "problems-270004000576",
    "problems-716495000112", "starts-250002000102", "starts-270004000049", "folders-250005001395",
    "folders-250005001949", "starts-270004000508", "starts-280002000278", "problems-280002000882",
    "starts-280002000686", "starts-453566000154", "problems-280002001137", "problems-973971000437",
    "problems-997250000430", "problems-587956001149", "starts-425732000651", "problems-425732000309",
    "problems-69188000775",
)  # fmt: skip


@pytest.mark.parametrize("name", MENDED)
def test_what_was_found_once_is_not_found_again(name):
    kind, number = name.split("-")
    verdict = run_case(kind, int(number))
    assert verdict.word != "finding", verdict.why
