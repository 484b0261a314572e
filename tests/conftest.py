"""Settings of all tests: hypothesis tries the same examples every time, so that a red run can be run again."""

from hypothesis import settings

settings.register_profile("laconic", derandomize=True, deadline=None)
settings.load_profile("laconic")
