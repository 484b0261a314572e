"""Brown clusters: seconds and mutual information, beside the package brown-clustering where it can finish.

Words by the tokenizer of the W-NUT 2018 paper, training texts, all words (min_count=1). The peer is stopped after LIMIT
seconds; its clusters are scored by the same mutual information. Its smoothing is turned down to 1e-6, so that both look
for the same thing.
"""

import json
import math
import subprocess
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

from benchmarks.environments import NotInstalledError, python

TASKS = (  # data, documents, clusters, and whether the peer is tried
    ("20ng/science", 100, 50, True),
    ("20ng/science", 200, 100, True),
    ("20ng/science", None, 100, True),
    ("20ng/science", None, 5000, False),
    ("20ng/all", None, 1000, False),
)
LIMIT = 300.0
PEER = """
import json, sys, time
from brown_clustering import BigramCorpus, BrownClustering
texts = json.load(open(sys.argv[1]))
started = time.perf_counter()
model = BrownClustering(BigramCorpus(texts, alpha=1e-6, min_count=0), m=int(sys.argv[2]))
clusters = model.train()
json.dump({"seconds": time.perf_counter() - started, "clusters": clusters}, open(sys.argv[3], "w"))
"""


def run() -> list[dict]:
    """Return one row per corpus and number of clusters."""
    import laconic
    from laconic.groups import brown_clusters
    from laconic.text import Analyzer, Tokenizer

    tokenizer = Analyzer(Tokenizer.preset("wnut2018"))
    analyzer = Analyzer(None, "tokens")
    brown_clusters([["a", "b", "a"]], 2, analyzer)  # compiles
    rows = []
    for name, documents, clusters, against in TASKS:
        texts = [tokenizer.features(text) for text in laconic.data.load(name).train.texts[:documents]]
        started = time.perf_counter()
        found = brown_clusters(texts, clusters, analyzer)
        seconds = time.perf_counter() - started
        row = {
            "data": name,
            "documents": len(texts),
            "clusters": clusters,
            "words": len(found),
            "tokens": sum(map(len, texts)),
            "s": seconds,
            "information": mutual_information(texts, dict(zip(found.words, found.bits, strict=True))),
        }
        if against:
            peer = _peer(texts, clusters)
            if isinstance(peer, str):
                row["peer s"] = peer
            else:
                cluster = {word: k for k, own in enumerate(peer["clusters"]) for word in own}
                row["peer s"] = peer["seconds"]
                row["peer information"] = mutual_information(texts, cluster)
                row["peer / ours"] = peer["seconds"] / seconds
        rows.append(row)
    return rows


def mutual_information(texts: list[list[str]], cluster: dict[str, Any]) -> float:
    """Return Σ_ab n_ab/N log(n_ab N / (c_a c_b)) of the clusters of adjacent words, in nats, as Liang's program does.

    n_ab counts how often a word of a stands right before one of b, c_a the words of a, N all words.
    """
    counts = Counter(cluster[word] for text in texts for word in text if word in cluster)
    both = Counter((cluster[a], cluster[b]) for text in texts for a, b in pairwise(text) if {a, b} <= cluster.keys())
    total = sum(map(len, texts))
    return math.fsum(n / total * math.log(n * total / (counts[a] * counts[b])) for (a, b), n in both.items())


def _peer(texts: list[list[str]], clusters: int) -> dict | str:
    try:
        interpreter = python("requirements-brown.txt")
    except NotInstalledError as reason:
        return f"not installed: {reason}"
    with tempfile.TemporaryDirectory() as folder:
        source, result = Path(folder, "texts.json"), Path(folder, "found.json")
        source.write_text(json.dumps(texts), encoding="utf-8")
        command = [interpreter, "-c", PEER, str(source), str(clusters), str(result)]
        try:
            subprocess.run(command, capture_output=True, check=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return f"> {LIMIT:.0f}"
        except subprocess.CalledProcessError as error:
            return f"failed: {error.stderr.decode().strip().splitlines()[-1][:60]}"
        return json.loads(result.read_text("utf-8"))
