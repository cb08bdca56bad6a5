"""Names of what lies in a results folder (docs/results.md)."""

from urllib.parse import quote

RUNS = "runs"
EXPLANATIONS = "explain"
SWEEPS = "sweeps"


def file_name(offset_bytes: int, case: str, parameter: int | None) -> str:
    """Name of a run's file; whatever the target calls its case stays inside the folder.

    >>> file_name(0, "queue-send", 16), file_name(44, "../x", None)
    ('runs/0/queue-send@16.parquet', 'runs/44/..%2Fx.parquet')
    """
    at = "" if parameter is None else f"@{parameter}"
    return f"{RUNS}/{offset_bytes}/{quote(case, safe='')}{at}.parquet"


def sweep_name(case: str) -> str:
    """Name of the file of a case's sweep.

    >>> sweep_name("queue-send")
    'sweeps/queue-send.parquet'
    """
    return f"{SWEEPS}/{quote(case, safe='')}.parquet"
