"""The table of known data sets is complete and says where the releases are."""

import re

from laconic.data import known

NAMES = (
    "20ng/science 20ng/sports 20ng/religion 20ng/computer 20ng/all vote vote/by_speaker movie amazon/books amazon/dvd "
    "amazon/electronics amazon/kitchen amazon/music sst sst/five imdb"
)


def test_names():
    assert " ".join(one.name for one in known()) == NAMES


def test_every_set_is_fully_described():
    for one in known():
        assert re.search(r"(19|20)\d\d", one.source), one.name
        assert one.description
        assert one.split_rule
        assert all(re.fullmatch("[0-9a-f]{64}", fingerprint) for fingerprint in one.hashes)
        assert len(set(one.hashes)) == 3
        assert min(one.sizes) > 0


def test_places():
    by_name = {one.name: one for one in known()}
    assert by_name["amazon/dvd"].folder == "amazon_dvd"
    assert by_name["vote/by_speaker"].files[0] == "train_by_speaker.jsonl.xz"
    assert (by_name["20ng/science"].folder, by_name["20ng/science"].task) == ("20ng", "science")
    assert by_name["20ng/all"].task is None
    assert (by_name["sst"].label_field, by_name["sst/five"].label_field) == ("binary", "label")
