from benchmarks.tables import aligned


def test_tables_show_a_dash_for_what_a_row_lacks():
    assert aligned([{"a": "x", "b": 1.23456}, {"a": "yy"}]) == "a      b\nx   1.23\nyy     -"
