"""Tools for the people who work on laconic itself; none of them is in the wheel."""
