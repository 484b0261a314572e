"""What a result was measured on: processor, cores, memory, system, Python; no names of hosts, users or folders."""

import hashlib
import os
import platform
from pathlib import Path


def source() -> str:
    """Return a hash of laconic's source, which changes more often than its version."""
    digest = hashlib.sha256()
    for file in sorted((Path(__file__).parents[1] / "src" / "laconic").rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def describe() -> dict[str, str | int | float]:
    """Return plain facts about this machine."""
    info = Path("/proc/cpuinfo")
    models = [x.split(":", 1)[1].strip() for x in info.read_text().splitlines() if x.startswith("model name")]
    return {
        "processor": models[0] if models else platform.machine(),
        "cores": os.cpu_count() or 1,
        "memory_gb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": platform.system(),
        "python": platform.python_version(),
    }
