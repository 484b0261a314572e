import numpy as np
import pytest

from laconic.evaluate.arguments import check_whole


@pytest.mark.parametrize("value", [2, np.int32(7)])
def test_whole_numbers_pass(value):
    check_whole("folds", value, 2)


@pytest.mark.parametrize("value", [1, True, 2.0, "3", None])
def test_others_are_refused(value):
    with pytest.raises(ValueError, match="folds must be a whole number from 2, or less, got"):
        check_whole("folds", value, 2, ", or less")
