"""Beyond one machine, and beyond memory: documents in partitions, and fits on them that are as exact as in memory."""

from laconic._lazy import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        ".corpus": "PartitionedCorpus partition_matrices partition_texts",
        ".fitting": "fit_partitions",
    },
)
