"""Workers that die, drivers that die, blocks that vanish: the same answer all the same."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from laconic.data.synthetic import planted as planted_texts
from laconic.linear import ElasticNetClassifier
from laconic.partitions import fit_partitions, partition_matrices, partition_texts
from tests.partitions.conftest import same, split, write_parts

ESTIMATOR = ElasticNetClassifier(l1=0.5, l2=0.0, tol=1e-9)


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    texts = planted_texts(n_documents=150, n_words=150, seed=5).corpus
    return write_parts(tmp_path_factory.mktemp("faults"), texts, 3)


def test_a_worker_that_is_killed_changes_nothing(tmp_path, planted, cluster):
    X, y = planted
    corpus = partition_matrices(split(X, y, 4), tmp_path, cluster)
    killed = []

    def kill(progress):
        if progress.iteration == 1:
            killed.append(sorted(cluster.run(os.getpid).values())[0])
            os.kill(killed[0], signal.SIGKILL)

    model = fit_partitions(ESTIMATOR, corpus, watch=kill)
    assert killed
    same(model, ESTIMATOR.fit(X, y))
    cluster.wait_for_workers(2, timeout=60)
    assert killed[0] not in cluster.run(os.getpid).values()


def test_blocks_that_a_worker_does_not_have_are_made_again_from_the_texts(tmp_path, source, cluster):
    corpus = partition_texts(source, tmp_path / "blocks", client=cluster)
    reference = fit_partitions(ESTIMATOR, partition_texts(source, tmp_path / "other"))
    shutil.rmtree(corpus.partitions[1].folders[0])
    same(fit_partitions(ESTIMATOR, corpus), reference)
    assert os.path.isdir(corpus.partitions[1].folders[0])


def test_a_driver_that_is_killed_goes_on_from_its_last_round(tmp_path, source):
    script = f"""
        import os, signal
        from laconic.linear import ElasticNetClassifier
        from laconic.partitions import fit_partitions, partition_texts

        def stop(progress):
            if progress.iteration == 1:
                os.kill(os.getpid(), signal.SIGKILL)

        corpus = partition_texts({source!r}, {str(tmp_path / "blocks")!r})
        estimator = ElasticNetClassifier(l1=0.5, l2=0.0, tol=1e-9)
        fit_partitions(estimator, corpus, watch=stop, checkpoints={str(tmp_path / "fits")!r})
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=False, timeout=120)
    assert done.returncode == -signal.SIGKILL
    corpus = partition_texts(source, tmp_path / "blocks")
    whole, rest, again = [], [], []
    reference = fit_partitions(ESTIMATOR, corpus, watch=lambda progress: whole.append(progress.objective))
    model = fit_partitions(
        ESTIMATOR, corpus, watch=lambda progress: rest.append(progress.objective), checkpoints=tmp_path / "fits"
    )
    same(model, reference)
    assert rest[0] == pytest.approx(whole[1], rel=1e-12)
    # A finished fit is read, not repeated.
    same(fit_partitions(ESTIMATOR, corpus, watch=again.append, checkpoints=tmp_path / "fits"), reference)
    assert again == []
    # Another penalty is another fit.
    other = fit_partitions(ElasticNetClassifier(l1=5.0, l2=0.0), corpus, checkpoints=tmp_path / "fits")
    assert np.count_nonzero(other.coef_) < np.count_nonzero(model.coef_)


@pytest.mark.parametrize("name", ["weights.npy", "support.npy", "intercept.npy", "state.npy", "model.json"])
def test_a_checkpoint_that_is_cut_off_is_named(tmp_path, planted, name):
    corpus = partition_matrices(split(*planted, 2), tmp_path / "blocks")
    fit_partitions(ESTIMATOR, corpus, checkpoints=tmp_path / "fits")
    (checkpoint,) = (tmp_path / "fits").iterdir()
    path = checkpoint / name
    path.write_bytes(path.read_bytes()[:-20])
    message = rf"{checkpoint.name}/{name}.*Or remove the checkpoint .*{checkpoint.name}, and the fit begins anew"
    with pytest.raises(ValueError, match=message):
        fit_partitions(ESTIMATOR, corpus, checkpoints=tmp_path / "fits")
    shutil.rmtree(checkpoint)
    fit_partitions(ESTIMATOR, corpus, checkpoints=tmp_path / "fits")
