"""What templates find on arcs, counted slowly."""

from collections import Counter

import numpy as np

from laconic.structured.parsing.fit import arc_gains, arc_sizes
from tests.structured.arcs import arcs_of, features, planted_heads


def test_sizes_and_gains_are_the_slow_ones():
    sentences, heads = planted_heads(6, seed=5)
    arcs = arcs_of(sentences, heads)
    seen, pairs, right = {}, {}, 0
    total = Counter()
    for s, sentence in enumerate(sentences):
        mine = heads[sentences.ends[s] : sentences.ends[s + 1]]
        for h in range(len(mine) + 1):
            for m in range(1, len(mine) + 1):
                if h == m:
                    continue
                a = bool(mine[m - 1] == h)
                right += a
                for template, values in features(sentence, h, m, arcs.program.templates):
                    pairs.setdefault(template, Counter())[values, a] += 1
                    total[template] += 1
                    if a:
                        seen.setdefault(template, set()).add(values)
    names = [str(one) for one in arcs.program.templates]
    assert arc_sizes(arcs).tolist() == [len(seen.get(name, ())) for name in names]
    for name, fast in zip(names, arc_gains(arcs), strict=True):
        counts, gain = pairs[name], 0.0
        values, flags = Counter(), Counter()
        for (value, a), count in counts.items():
            values[value] += count
            flags[a] += count
        for (value, a), count in counts.items():
            p = count / total[name]
            gain += p * np.log2(p / (values[value] / total[name] * flags[a] / total[name]))
        np.testing.assert_allclose(fast, gain, atol=1e-9)
