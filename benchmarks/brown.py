"""Brown clusters: seconds and mutual information, beside the package brown-clustering where it can finish.

Words by the tokenizer of the W-NUT 2018 paper, training texts, all words (min_count=1). The peer is stopped after LIMIT
seconds; its clusters are scored by the same mutual information. Its smoothing is turned down to 1e-6, so that both look
for the same thing.
"""

import json
import subprocess
import tempfile
import time
from pathlib import Path

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
    from laconic.groups.clusters.merging import mutual_information
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
            "information": mutual_information(texts, dict(zip(found.words, found.bits, strict=True)), analyzer),
        }
        if against:
            peer = _peer(texts, clusters)
            if isinstance(peer, str):
                row["peer s"] = peer
            else:
                cluster = {word: k for k, own in enumerate(peer["clusters"]) for word in own}
                row["peer s"] = peer["seconds"]
                row["peer information"] = mutual_information(texts, cluster, analyzer)
                row["peer / ours"] = peer["seconds"] / seconds
        rows.append(row)
    return rows


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
