"""Regions: pieces of source that execute equally often."""

from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise

from cyclescope.sources.syntax import SyntaxNode


class RegionKind(StrEnum):
    """Kinds of regions; `rest` follows a statement that may not end normally."""

    BODY = "body"
    THEN = "then"
    ELSE = "else"
    AND = "and"
    OR = "or"
    CONDITION = "condition"
    STEP = "step"
    LOOP = "loop"
    CASE = "case"
    LABEL = "label"
    REST = "rest"
    UNREACHED = "unreached"


@dataclass(frozen=True)
class FoundRegion:
    """A region of one function, by its number there; nothing counts what is unreached."""

    number: int
    kind: RegionKind
    parent: int | None
    condition: SyntaxNode | None = None
    """Of what executes if it holds."""


@dataclass(frozen=True)
class FoundCall:
    """A call, by its number in its function; `values` are what it records of its parameters."""

    number: int
    region: int
    node: SyntaxNode
    callee: str
    """The name of the called function; nothing where a pointer is called."""
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class FoundOperands:
    """A multiplication or division whose operands are counted.

    `first` is the first of its counters in the function, `end` the first that is another's.
    """

    number: int
    region: int
    operation: str
    width: str
    first: int
    end: int
    constant: int | None
    """The operand that is a literal number, if one is."""
    node: SyntaxNode


@dataclass
class FunctionRegions:
    """Regions and calls of one function, in the order of their numbers."""

    function: SyntaxNode
    regions: list[FoundRegion] = field(default_factory=list)
    calls: list[FoundCall] = field(default_factory=list)
    operands: list[FoundOperands] = field(default_factory=list)
    claims: list[tuple[int, int, int]] = field(default_factory=list)
    """Bytes and the region that owns them; a later claim takes from those before it."""

    def open(
        self,
        kind: RegionKind,
        parent: int | None,
        begin: int,
        end: int,
        condition: SyntaxNode | None = None,
    ) -> int:
        """Adds a region that owns bytes [begin, end) and returns its number."""
        self.regions.append(FoundRegion(len(self.regions), kind, parent, condition))
        self.claims.append((begin, end, len(self.regions) - 1))
        return len(self.regions) - 1

    @property
    def counters(self) -> int:
        """How many counters the function needs."""
        return len(self.regions) + (self.operands[-1].end if self.operands else 0)

    def spans(self) -> dict[int, list[tuple[int, int]]]:
        """The bytes that each region owns without those of its children."""
        owned: dict[int, list[tuple[int, int]]] = {one.number: [] for one in self.regions}
        edges = sorted({edge for begin, end, _ in self.claims for edge in (begin, end)})
        for begin, end in pairwise(edges):
            owners = [who for first, last, who in self.claims if first <= begin and end <= last]
            spans = owned[owners[-1]] if owners else []
            if spans and spans[-1][1] == begin:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((begin, end))
        return owned
