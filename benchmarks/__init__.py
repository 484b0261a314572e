"""Speed, measured as a ratio to peers in the same run: ``python -m benchmarks NAME``."""
