"""Facts of a user's own code that results keep (docs/reference/results.md)."""

from pydantic import Field

from cyclescope.record import Record


class FragmentFacts(Record):
    """A user's own code: its file, what the lab was asked to execute, and how it is compiled.

    The copies call the symbol `executed`; `function` is the one that the user named (None if the
    file has EXECUTE).
    """

    file: str
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    call: str
    function: str | None
    executed: str
    options: tuple[str, ...]
