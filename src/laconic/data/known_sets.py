"""The data sets that laconic knows by name: what each is, where its official release is, which files are expected.

Layout below the data folder (``LACONIC_DATA`` or ``data_dir``): ``text/<folder>/{train,dev,test}.jsonl.xz``, one JSON
object per line with ``id``, ``label``, ``text`` and, where the release has them, ``sentences`` or ``tree``. The stored
fingerprints (`Corpus.fingerprint`) say what each split must hold, to the character.
"""

from dataclasses import dataclass
from functools import cache

SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class KnownSet:
    """One data set: its place, its official source and what its three splits must hold.

    Parameters
    ----------
    name : str
        As given to `laconic.data.load`.
    description : str
    source : str
        The official release and how it is cited; nothing is ever downloaded.
    split_rule : str
        How the release is split into train, dev and test.
    folder : str
        The folder below ``text/``.
    files : tuple of str
        File names of train, dev and test.
    sizes : tuple of int
        Documents in train, dev and test.
    hashes : tuple of str
        Expected fingerprints of train, dev and test.
    label_field : str
        The field that holds the label; documents where it is null are left out.
    task : str or None
        If given, only documents whose field ``task`` has this value are taken.

    Examples
    --------
    >>> imdb = known()[-1]
    >>> imdb.folder, imdb.sizes, imdb.files[1]
    ('imdb', (22500, 2500, 25000), 'dev.jsonl.xz')
    """

    name: str
    description: str
    source: str
    split_rule: str
    folder: str
    files: tuple[str, str, str]
    sizes: tuple[int, int, int]
    hashes: tuple[str, str, str]
    label_field: str = "label"
    task: str | None = None


@cache
def known() -> tuple[KnownSet, ...]:
    """Return all known data sets.

    Examples
    --------
    >>> [one.name for one in known()][:4]
    ['20ng/science', '20ng/sports', '20ng/religion', '20ng/computer']
    """
    return tuple(_make(*row) for row in _ROWS)


def _make(name: str, description: str, sizes: tuple[int, int, int]) -> KnownSet:
    family, _, part = name.partition("/")
    ending = "_by_speaker" if part == "by_speaker" else ""
    train, dev, test = (f"{split}{ending}.jsonl.xz" for split in SPLITS)
    return KnownSet(
        name=name,
        description=description,
        source=_SOURCES[family],
        split_rule=_SPLIT_RULES[family],
        folder=f"amazon_{part}" if family == "amazon" else family,
        files=(train, dev, test),
        sizes=sizes,
        hashes=_HASHES[name],
        label_field="binary" if name == "sst" else "label",
        task=part if family == "20ng" and part != "all" else None,
    )


_SOURCES = {
    "20ng": 'the "bydate" release of 20 Newsgroups (Lang 1995; release by Rennie), posts with their headers, '
    "read as Latin-1",
    "vote": "Congressional floor-debate transcripts, convote version 1.1, data_stage_three (Thomas, Pang and Lee 2006; "
    "release by Cornell University)",
    "movie": "Movie review polarity data set version 2.0 (Pang and Lee 2004; release by Cornell University, also in "
    "the NLTK corpora as movie_reviews)",
    "amazon": "Multi-Domain Sentiment Dataset, sorted_data_acl (Blitzer, Dredze and Pereira 2007; release by Johns "
    "Hopkins University); the music domain is the FDU-MTL edition (Liu, Qiu and Huang 2017)",
    "sst": "Stanford Sentiment Treebank, trees in PTB format (Socher et al. 2013; release by Stanford University)",
    "imdb": "Large Movie Review Dataset version 1, aclImdb (Maas et al. 2011; release by Stanford University)",
}

_SPLIT_RULES = {
    "20ng": "train and test as released; dev is a fifth of train: for the groups of the four two-class tasks by "
    "scikit-learn's fetch_20newsgroups order and train_test_split(test_size=0.2, random_state=0, stratify=y), for the "
    'others the ids <group>/<number> with the smallest sha256("20ng/" + id)',
    "vote": "training, development and test set as released",
    "movie": "by the cross-validation number in the file name: cv000-cv799 train, cv800-cv899 dev, cv900-cv999 test",
    "amazon": 'per class by increasing sha256("amazon_<domain>/" + id): first 100 test, next 180 dev, the others train',
    "sst": "as released; for the two-class task documents with a neutral label are left out",
    "imdb": 'train and test as released; dev is the tenth of train, per class, with the smallest sha256("imdb/" + id)',
}

_ROWS: tuple[tuple[str, str, tuple[int, int, int]], ...] = (
    ("20ng/science", "newsgroups sci.med and sci.space", (949, 238, 790)),
    ("20ng/sports", "newsgroups rec.sport.baseball and rec.sport.hockey", (957, 240, 796)),
    ("20ng/religion", "newsgroups alt.atheism and soc.religion.christian", (863, 216, 717)),
    ("20ng/computer", "newsgroups comp.sys.ibm.pc.hardware and comp.sys.mac.hardware", (934, 234, 777)),
    ("20ng/all", "all twenty newsgroups", (9049, 2265, 7532)),
    ("vote", "speech segments of floor debates: did the speaker vote yes or no", (2740, 257, 860)),
    ("vote/by_speaker", "the same, all segments of a speaker in a debate joined", (1175, 113, 411)),
    ("movie", "film reviews, positive or negative", (1600, 200, 200)),
    ("amazon/books", "book reviews, positive or negative", (1440, 360, 200)),
    ("amazon/dvd", "DVD reviews, positive or negative", (1440, 360, 200)),
    ("amazon/electronics", "reviews of electronics, positive or negative", (1440, 360, 200)),
    ("amazon/kitchen", "reviews of kitchen goods, positive or negative", (1440, 360, 200)),
    ("amazon/music", "music reviews, positive or negative (lower-cased and tokenised edition)", (1440, 360, 200)),
    ("sst", "sentences from film reviews, positive (1) or negative (0), with trees", (6920, 872, 1821)),
    ("sst/five", "sentences from film reviews, five grades (0 to 4), with trees", (8544, 1101, 2210)),
    ("imdb", "film reviews, positive or negative", (22500, 2500, 25000)),
)

_HASHES: dict[str, tuple[str, str, str]] = {
    "20ng/science": (
        "6c298b28b95e8021dd2b6a13d79921e2593319a9c0030457270809d539198c78",
        "f15dc83c3666aed6e283e16bc48248d24f5998bbe4c2fb661244b9ca735ea94f",
        "818ca53ce6a15a7e01dd85135b0b40d49273be3fe366c39f5294ef9589216709",
    ),
    "20ng/sports": (
        "1a146c53a6d5444261ea70534ba30932865cd483dd7b2179437df3558ea3fdee",
        "6f2fd3c4872ef73deb290b962801e17df5a642fbac76f1f67443f3961ea5b54a",
        "a60e09513ab563cdabb25171950c5a325ebdd5eecd02b799184942ae30bc06c5",
    ),
    "20ng/religion": (
        "5621c4c84e520a957d30d2e92dde2fbc020503aa69f0aa07a9d5b3891d8fed6f",
        "7661f69a1eb91b8c2a69d8e2de1c261b19d47ce0dd00cba344f9271dd54eec5f",
        "2be55e87aa9f0f5c693fa873ad3730dc5a7cfd712d1cd0add10117f6499c5228",
    ),
    "20ng/computer": (
        "f3aaa1779f2962025a444ed35043fb5e82067d2b733bc010b826469325489c5d",
        "cabf3dcc992771396745c723254e13fe55b4a654d67920a878ba0513a2aafc02",
        "7f608ba328393ae8e180b65699e808d847c961561b67c7d2658577938014487f",
    ),
    "20ng/all": (
        "2ef7fec235ea0687b0707132c210d04942efc60f61a49922e706c9c760a4b192",
        "82a8845edfe91bea1eae57a8410fe9f76dc7f88f6726a4475a0ee33577cc2c1b",
        "e5217c8264f20099ffdc99ea2e7083b5e5a95237e3ce4db0d0c1a5041a3bc51c",
    ),
    "vote": (
        "0fcb5b4a983f3dd34f75ba9aca9467263fb8434f487ba8721c22388902bda03c",
        "18bfe4a682c251e0a1fe6b2bf1389bb16d47867c6191060e0d68b53d3be2bbb2",
        "32bb9509d2d176e68dac429501611f1fa45f6565c7e89579cfe82807dcd64806",
    ),
    "vote/by_speaker": (
        "dcc1ca9fd7cd6ae077b75f64056258cda09820e9b0a26542f8be827d5d84aceb",
        "95ea5e0ab4f8c335d18513436c0ccf1a8e9b02aa8c8d76d85cd703eb48714800",
        "ea1aa61dc61b77eebd8e328136b1105bc8443caa7b61ef1cf859b73b65c93a6b",
    ),
    "movie": (
        "afdced2349d7d1e14c153389586e21605bef0d804f4c6c807db84eed7be98896",
        "88169f8f62ed4709a10f43b5f03674de4ee27696750ef6d1b3032346631d6cc4",
        "7547a7566db4832d67cbb0a27a9c9138bf5bc0cf85441440c13f8eacc963430c",
    ),
    "amazon/books": (
        "8d116cef95df3f24f794f3975d8e31762feefb85b814e36df6184afe4d088d4d",
        "8f47280c8c8349b766b38ebd661689d59dc04e54370e38c4d06f89ebefc844d1",
        "d229fbf3b1ea870e89d844ec96c3fb79cf1ae1d2ec4380f76963adbd5a9f5f87",
    ),
    "amazon/dvd": (
        "0dc8874fe69c8657fc3ca859c8b81317b7a43bb7368a98ed4f0770c55857640d",
        "c06b7c5af01598faffcae285afdc9bb91fe66a6182ad4a27480c318b7bb56c4f",
        "e296a0f88b0f70d51bd506a5a41e26debff7c67610a5d9061ffa9c3d78024b45",
    ),
    "amazon/electronics": (
        "3b1463eb736872ef166efece48d1bf5483aef91ec58aae62aa4884f8f153c777",
        "0d106f57d9f0039bbb3d2d0fbb3e31d05434daf5baef81229e945badd36e7cf9",
        "93db25ee3a81f077c969e66244ad5ac2e38d648b8f47191bfac4b56f320e11f1",
    ),
    "amazon/kitchen": (
        "0e7cee8161adc5009face547194b166048c650a2828cdba87cb483625023f809",
        "dbd882d92fd6740aa1c09d63b4b789ae78b492d87efbc3fc3372809b715b289f",
        "14d0204701c5f40d57aacab5058f481a9cf7700634c890623cf91d1304f27408",
    ),
    "amazon/music": (
        "e15ba671c1f69726ae8fd74c9d6c1062938182e213516851640675274573df29",
        "0a2d9856c6818c8417c26b63fbd7e8e096dad3d34f95328fcd6f2b9104b6851c",
        "95717b8194ea9d889b051a0348c72065de9e9e97d721850b12538ba4fbfa1628",
    ),
    "sst": (
        "1837ec798e238d623d277997f6789ce255d09443deeed9853668e17aba6d139c",
        "96c05e66c7a74de4b613ed1e80f9bbca22817d235839fe676ebecc213c1e32c4",
        "22c7ebf1f170fe70e182eda33455f253a46bc9caa4471e4ff18bbf859f1fc144",
    ),
    "sst/five": (
        "5a4bc5ff44621f0fd5bc98ad4b9068e1db29260e33482de1786ed761a0426ff3",
        "1c542f5734e702f591a05cd60ecaffa079212c808634db28a8c8289e9b18f610",
        "a272f56e583bf18aa95c2336b96c4847ca905cd0ce706bd01cca715c4e941f72",
    ),
    "imdb": (
        "52d249150b8b491b6dc255a97a12eb8ea4268bf6477f49a70d7e1e1e67ec6994",
        "76cff8bc180b27baec8cd552f23f4e603da1c54f85cb9cfafc840acd98baead8",
        "71c4e553ad99c1ecbc40949df88c7c22df0d4258fc94e866af1dcbe940d51a24",
    ),
}
