"""Texts in files to blocks on disk: the same design as in memory, whatever the number of files and blocks."""

import numpy as np
import pytest

from laconic.data.synthetic import planted
from laconic.linear import ElasticNetClassifier
from laconic.partitions import fit_partitions, partition_texts
from laconic.partitions.block import Block
from laconic.text import BagOfWords
from tests.partitions.conftest import same, write_parts


@pytest.fixture(scope="module")
def texts():
    return planted(n_documents=120, n_words=200, seed=1).corpus


@pytest.mark.parametrize("cells", ["binary", "count", "tfidf"])
def test_blocks_hold_the_design_of_all_texts(tmp_path, texts, cells):
    bag = BagOfWords(cells=cells, min_df=2, max_df=0.9)
    corpus = partition_texts(write_parts(tmp_path / "in", texts, 3), tmp_path / "blocks", bag=bag, memory=1)
    design = bag.fit(texts.texts)
    assert corpus.vocabulary.words == design.vocabulary.words
    np.testing.assert_array_equal(corpus.vocabulary.document_frequency, design.vocabulary.document_frequency)
    row = {identifier: i for i, identifier in enumerate(texts.ids)}
    seen = 0
    for partition in corpus.partitions:
        for block in partition.blocks():
            X = np.zeros((len(block.labels), corpus.n_features))
            for j, (a, b) in enumerate(zip(block.columns.start, block.columns.stop, strict=True)):
                X[block.columns.indices[a:b], j] = block.columns.data[a:b] if len(block.columns.data) else 1.0
            rows = [row[identifier] for identifier in block.ids.tolist()]
            np.testing.assert_allclose(X, design.X[rows].toarray(), rtol=1e-14)
            assert [corpus.classes[k] for k in block.labels] == [texts.labels[i] for i in rows]
            seen += len(rows)
    assert seen == len(texts) == corpus.n_documents


def test_a_fit_on_files_is_the_fit_on_texts_on_a_cluster_too(tmp_path, texts, cluster):
    bag = BagOfWords(cells="binary")
    estimator = ElasticNetClassifier(l1=0.5, l2=0.0, tol=1e-9)
    corpus = partition_texts(write_parts(tmp_path / "in", texts, 4), tmp_path / "blocks", bag=bag, client=cluster)
    same(fit_partitions(estimator, corpus), estimator.fit(bag.fit(texts.texts).X, list(texts.labels)))


def test_a_complete_folder_is_not_read_again_and_another_job_is_refused(tmp_path, texts, monkeypatch):
    source = write_parts(tmp_path / "in", texts, 2)
    first = partition_texts(source, tmp_path / "blocks")
    monkeypatch.setattr("laconic.partitions.corpus.count_words", None)
    again = partition_texts(source, tmp_path / "blocks")
    assert again.partitions == first.partitions
    assert again.class_counts == first.class_counts
    with pytest.raises(FileExistsError, match="other settings"):
        partition_texts(source, tmp_path / "blocks", bag=BagOfWords(min_df=2))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me")
    with pytest.raises(FileExistsError, match="not empty"):
        partition_texts(source, tmp_path / "mine")


@pytest.mark.parametrize("name", ["words.json", "frequency.npy", "model.json"])
def test_a_folder_whose_words_are_damaged_is_refused(tmp_path, texts, name):
    source = write_parts(tmp_path / "in", texts, 2)
    partition_texts(source, tmp_path / "blocks")
    path = tmp_path / "blocks" / "corpus" / name
    content = path.read_bytes()
    path.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    with pytest.raises(ValueError, match=rf"{name} .*Or remove the folder .*blocks, and it will be made anew"):
        partition_texts(source, tmp_path / "blocks")


def test_a_malformed_line_names_file_and_line(tmp_path, texts, cluster):
    source = write_parts(tmp_path / "in", texts, 2)
    with (tmp_path / "in" / "1.jsonl").open("a") as file:
        file.write('{"text": "no end\n')
    for client in (None, cluster):
        with pytest.raises(ValueError, match=r"1\.jsonl, line 61"):
            partition_texts(source, tmp_path / f"blocks {client is None}", client=client)
    with pytest.raises(FileNotFoundError, match="No file matches"):
        partition_texts(str(tmp_path / "none*.jsonl"), tmp_path / "blocks")


def test_labels_of_one_kind_alone_are_refused_and_mixed_kinds_become_strings(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "one", "label": 1}\n{"text": "two", "label": 1}\n')
    with pytest.raises(ValueError, match="one label 1"):
        partition_texts(str(tmp_path / "a.jsonl"), tmp_path / "alone")
    (tmp_path / "b.jsonl").write_text('{"text": "three", "label": "x"}\n')
    corpus = partition_texts(str(tmp_path / "?.jsonl"), tmp_path / "mixed")
    assert corpus.classes == ("1", "x")
    assert corpus.class_counts == (2, 1)
    assert Block.open(corpus.partitions[0].folders[0]).labels.tolist() == [0, 0]


def test_a_dask_bag_and_a_dask_dataframe_are_read_like_files(tmp_path, texts, cluster):
    import dask.bag
    import dask.dataframe
    import pandas

    rows = [{"id": one.id, "text": one.text, "label": one.label} for one in texts]
    frame = dask.dataframe.from_pandas(pandas.DataFrame(rows), npartitions=3)
    bag, expected = dask.bag.from_sequence(rows, npartitions=3), BagOfWords(cells="binary").fit(texts.texts)
    for name, source, client in (("bag", bag, None), ("frame", frame, cluster)):
        corpus = partition_texts(source, tmp_path / name, client=client)
        assert len(corpus.partitions) == 3
        assert corpus.n_documents == len(texts)
        assert corpus.vocabulary.words == expected.vocabulary.words
        assert sum(len(one.labels) for part in corpus.partitions for one in part.blocks()) == len(texts)
