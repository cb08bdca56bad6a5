"""Kinds of cost: what an execution of a fragment costs where executions overlap."""

from enum import StrEnum


class CostKind(StrEnum):
    """The meaning of an execution's time where a processor overlaps executions.

    `THROUGHPUT`: what one more call adds to others that it need not wait for. `LATENCY`: what one
    more call adds to a chain in which each argument waits for the result of the call before.
    """

    THROUGHPUT = "throughput"
    LATENCY = "latency"
