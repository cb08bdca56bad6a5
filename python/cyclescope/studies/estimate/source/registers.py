"""Which values registers hold at once, what is copied between them, and what goes to the stack.

Values that meet without a conflict share a register, as a compiler coalesces them. Where there are
more values than registers, those that a loop needs least are in memory within that loop.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from cyclescope.studies.estimate.source.emission import Selected, SelectedInstruction
from cyclescope.studies.estimate.source.gimple import GimpleBlock, GimpleFunction
from cyclescope.studies.estimate.source.loops import Loop, Loops
from cyclescope.studies.estimate.source.machine import Machine
from cyclescope.studies.estimate.source.statements import is_value, is_variable, number

REMADE = {"literal": 3.0, "address made": 2.5}
STORED_AND_LOADED = 2.5
"""Cycles of a load or a store, for the choice of what goes to the stack."""

HIGH = 4
"""Registers of Thumb that only moves reach, and that calls keep."""
LONGER = 1e-4
"""References that an instruction of a value's life is worth."""


@dataclass
class Allocated:
    """Work that comes of registers, by block and by edge."""

    blocks: dict[int, dict[str, float]] = field(default_factory=lambda: defaultdict(_counter))
    """Absolute numbers, charged to a block."""
    copies: dict[tuple[int, int], dict[str, float]] = field(default_factory=dict)
    """Of each time that an edge is taken."""
    pushed: int = 0
    pushed_high: int = 0
    """Registers that Thumb code only moves to and from."""
    calls: bool = False


def _counter() -> dict[str, float]:
    return defaultdict(float)


class Allocation:
    """Finds registers for the values of one function."""

    def __init__(
        self,
        function: GimpleFunction,
        selected: Selected,
        roots: dict[str, str],
        machine: Machine,
        loops: Loops,
    ) -> None:
        self._function, self._selected, self._machine = function, selected, machine
        self._loops, self._roots = loops, roots
        self._blocks = {block.number: block for block in function.blocks}
        self._bits: dict[str, int] = {}
        self._names: list[str] = []
        self._wide = 0
        self.found = Allocated()
        self._choices: dict[int, list[tuple[str, dict[int, str]]]] = {
            block.number: [
                (self._root(one.name), {at: self._source(of) for at, of in one.sources.items()})
                for one in block.choices
                if not one.name.startswith(".MEM")
            ]
            for block in function.blocks
        }
        self._in: dict[int, int] = {}
        self._out: dict[int, int] = {}
        # For size the target's compiler looks at a function as a whole, and counts no loops.
        self._regions: list[Loop] = [] if machine.small else loops.all
        self._hoisted = self._constants()
        self._live()
        self._coalesce()
        self._memory: dict[int, int] = {}
        self._most = self._across = self._needed = 0
        self._assign()

    def _root(self, name: str) -> str:
        name = name.removesuffix("(D)")
        while name in self._roots:
            name = self._roots[name]
        return name

    def _source(self, text: str) -> str:
        return self._root(text) if is_value(text) else text

    def _bit(self, name: str) -> int:
        if name not in self._bits:
            self._bits[name] = 1 << len(self._names)
            self._names.append(name)
            if name in self._selected.wide:
                self._wide |= self._bits[name]
        return self._bits[name]

    def _mask(self, names: tuple[str, ...]) -> int:
        found = 0
        for one in names:
            found |= self._bit(one)
        return found

    def _names_in(self, mask: int) -> list[str]:
        found = []
        while mask:
            low = mask & -mask
            found.append(self._names[low.bit_length() - 1])
            mask ^= low
        return found

    # Constants in registers.

    def _constants(self) -> dict[int, int]:
        """Constants that each block has in registers since the loop around it began."""
        hoisted: dict[int, int] = defaultdict(int)
        loops: dict[int, set[str]] = defaultdict(set)
        for block in self._function.blocks:
            used = {
                one
                for each in self._selected.code[block.number]
                for one in each.reads
                if one.startswith("=")
            }
            loop = self._loops.outermost.get(block.number)
            for one in used:
                if loop is not None:
                    loops[loop.header].add(one)
                elif not self._is_made_before(block, one):
                    kind = self._selected.constants[one]
                    self.found.blocks[block.number][kind] += block.count
        for loop in self._loops.all:
            if self._loops.outermost[loop.header] is loop:
                for one in loops[loop.header]:
                    self.found.blocks[loop.header][self._selected.constants[one]] += loop.entered
                    for number_ in loop.blocks:
                        hoisted[number_] |= self._bit(one)
        return hoisted

    def _is_made_before(self, block: GimpleBlock, constant: str) -> bool:
        """Whether a block that is always before this one has a constant already."""
        for _ in range(3):
            origins = self._loops.origins[block.number]
            if len(origins) != 1 or origins[0] not in self._blocks:
                return False
            block = self._blocks[origins[0]]
            if any(constant in one.reads for one in self._selected.code[block.number]):
                return True
        return False

    # Liveness.

    def _live(self) -> None:
        uses, makes = {}, {}
        for block in self._function.blocks:
            used = made = 0
            for name, _ in self._choices[block.number]:
                made |= self._bit(name)
            for one in self._selected.code[block.number]:
                used |= self._read(one) & ~made
                if one.writes:
                    made |= self._bit(one.writes)
            uses[block.number], makes[block.number] = used, made
            self._in[block.number] = self._out[block.number] = 0
        passed = {
            (origin, block.number): self._mask(
                tuple(
                    sources[origin]
                    for _, sources in self._choices[block.number]
                    if is_value(sources.get(origin, ""))
                )
            )
            for block in self._function.blocks
            for origin in self._loops.origins[block.number]
        }
        changed = True
        while changed:
            changed = False
            for block in reversed(self._function.blocks):
                out = 0
                for way in block.ways:
                    out |= self._in.get(way, 0) | passed.get((block.number, way), 0)
                before = uses[block.number] | (out & ~makes[block.number])
                if out != self._out[block.number] or before != self._in[block.number]:
                    self._out[block.number], self._in[block.number] = out, before
                    changed = True

    def _read(self, one: SelectedInstruction) -> int:
        return self._mask(tuple(each for each in one.reads if not each.startswith("=")))

    def _points(self, number_: int) -> list[tuple[SelectedInstruction, int]]:
        """The instructions of a block, and what is needed behind each."""
        alive = self._out[number_]
        found = []
        for one in reversed(self._selected.code[number_]):
            found.append((one, alive))
            if one.writes:
                alive &= ~self._bit(one.writes)
            alive |= self._read(one)
        return found[::-1]

    # Copies.

    def _coalesce(self) -> None:
        conflicts: dict[int, int] = defaultdict(int)
        for block in self._function.blocks:
            results = [name for name, _ in self._choices[block.number]]
            together = self._in[block.number] | self._mask(tuple(results))
            for name in results:
                self._conflict(conflicts, self._bit(name), together)
            for one, alive in self._points(block.number):
                if one.writes:
                    self._conflict(conflicts, self._bit(one.writes), alive)
        group: dict[int, int] = {}
        edges = sorted(
            (
                (self._blocks[origin].ways.get(block.number, 0), origin, block.number, name, of)
                for block in self._function.blocks
                for name, sources in self._choices[block.number]
                for origin, of in sources.items()
                if origin in self._blocks
            ),
            key=lambda one: -one[0],
        )
        members: dict[int, int] = {}

        def leader(bit: int) -> int:
            while group.get(bit, bit) != bit:
                bit = group[bit]
            return bit

        for _, _, _, name, of in edges:
            if not is_value(of):
                continue
            a, b = leader(self._bit(name)), leader(self._bit(of))
            if a == b or conflicts[a] & members.get(b, b) or conflicts[b] & members.get(a, a):
                continue
            group[b] = a
            members[a] = members.get(a, a) | members.get(b, b)
            conflicts[a] |= conflicts[b]
        for _, origin, to, name, of in edges:
            if self._machine.plain and is_variable(name):
                continue
            kinds = self.found.copies.setdefault((origin, to), defaultdict(float))
            words = 2 if name in self._selected.wide else 1
            if is_value(of):
                if leader(self._bit(name)) != leader(self._bit(of)):
                    kinds["copy"] += words
            else:
                value = number(of)
                literal = of.startswith("&") or (
                    value is not None and self._machine.made(value) == "literal"
                )
                kinds["choice literal" if literal else "choice constant"] += words

    @staticmethod
    def _conflict(conflicts: dict[int, int], bit: int, others: int) -> None:
        conflicts[bit] |= others & ~bit
        mask = others & ~bit
        while mask:
            low = mask & -mask
            conflicts[low] |= bit
            mask ^= low

    # Registers.

    def _assign(self) -> None:
        for loop in (*self._regions, None):
            own = [
                block
                for block in self._function.blocks
                if self._machine.small or self._loops.innermost.get(block.number) is loop
            ]
            header = loop.header if loop else -1
            self._memory[header] = self._spilled(own, loop)
            for block in own:
                self._charge(block, self._memory[header])
        for loop in self._regions:
            self._cross(loop)
        scratch = self._machine.scratch
        high = min(self._most, self._machine.registers)
        kept = max(high - scratch - self.found.calls, self._across, 0)
        self.found.pushed = min(kept, self._machine.kept) + (1 if self.found.calls else 0)
        if self._machine.thumb:
            self.found.pushed_high = min(max(self._needed - self._machine.registers, 0), HIGH)

    def _size(self, mask: int) -> int:
        return mask.bit_count() + (mask & self._wide).bit_count()

    def _spilled(self, own: list[GimpleBlock], loop: Loop | None) -> int:
        """The values that are in memory in a region, as bits."""
        costs = self._costs(own, loop)
        points = []
        for block in own:
            hoisted = self._hoisted.get(block.number, 0)
            if not block.count:
                continue
            for one, alive in self._points(block.number):
                needed = self._read(one) | (self._bit(one.writes) if one.writes else 0)
                if one.calls:
                    self.found.calls = True
                    across = (alive & ~(self._bit(one.writes) if one.writes else 0)) | hoisted
                    points.append((across, 0, self._machine.kept, True))
                points.append((alive | hoisted, needed, self._machine.registers, False))
        memory = self._relieved(points, self._further_out(loop, costs), costs)
        for alive, _, _, across in points:
            size = self._size(alive & ~memory)
            self._needed = max(self._needed, self._size(alive))
            if across:
                self._across = max(self._across, size)
            else:
                self._most = max(self._most, size)
        return memory

    def _relieved(
        self,
        points: list[tuple[int, int, int, bool]],
        memory: int,
        costs: dict[str, float],
    ) -> int:
        """The values in memory, `memory` among them, so that each point has enough registers.

        As in gcc's register allocator, the next to go costs least for each point that it relieves.
        At -Os it is the one with the fewest references.
        """
        over = [one for one in points if self._size(one[0] & ~memory) > one[2]]
        over.sort(key=lambda one: self._size(one[0] & ~memory) - one[2], reverse=True)
        relieved: dict[str, int] = defaultdict(int)
        for alive, *_ in () if self._machine.small else over:
            for name in self._names_in(alive & ~memory):
                relieved[name] += 1
        for alive, needed, most, _ in over:
            while self._size(alive & ~memory) > most:
                candidates = self._names_in(alive & ~memory & ~needed)
                if not candidates:
                    break
                cheapest = min(
                    candidates,
                    key=lambda name: (
                        costs.get(name, 0.0)
                        / (1 + relieved[name])
                        / (1 + (name in self._selected.wide))
                    ),
                )
                memory |= self._bit(cheapest)
        return memory

    def _further_out(self, loop: Loop | None, costs: dict[str, float]) -> int:
        """Values that an inner loop has in memory, and that this region hardly needs."""
        saved: dict[str, float] = defaultdict(float)
        for inner in self._regions:
            if self._loops.parent(inner) is loop:
                for name in self._names_in(self._in[inner.header] & self._memory[inner.header]):
                    saved[name] += 2 * STORED_AND_LOADED * inner.entered
        return self._mask(tuple(one for one, cost in saved.items() if cost > costs.get(one, 0.0)))

    def _costs(self, own: list[GimpleBlock], loop: Loop | None) -> dict[str, float]:
        """The cycles that each value costs if it is in memory in a region."""
        found: dict[str, float] = defaultdict(float)
        if self._machine.small:
            return self._static_costs(own)
        for block in own:
            for one in self._selected.code[block.number]:
                for name in one.reads:
                    kind = self._selected.constants.get(name, "")
                    cost = REMADE.get(kind, 1.0) if kind else STORED_AND_LOADED
                    found[name] += cost * block.count
                if one.writes:
                    found[one.writes] += STORED_AND_LOADED * block.count
            for name, _sources in self._choices[block.number]:
                found[name] += 0.5 * block.count
        for inner in self._regions:
            if self._loops.parent(inner) is loop:
                kept = self._in[inner.header] & ~self._memory.get(inner.header, 0)
                for name in self._names_in(kept):
                    found[name] += inner.entered * STORED_AND_LOADED
        if loop is not None:
            for name in self._names_in(self._in[loop.header]):
                found[name] += loop.entered * STORED_AND_LOADED * 2
        return found

    def _static_costs(self, own: list[GimpleBlock]) -> dict[str, float]:
        """References to each value; of those with as many, one that lives longer costs less."""
        found: dict[str, float] = defaultdict(float)
        lives: dict[str, int] = defaultdict(int)
        for block in own:
            for one, alive in self._points(block.number):
                for name in (*one.reads, one.writes):
                    found[name] += 1
                for name in self._names_in(alive):
                    lives[name] += 1
        return {name: references - LONGER * lives[name] for name, references in found.items()}

    def _charge(self, block: GimpleBlock, memory: int) -> None:
        kinds = self.found.blocks[block.number]
        if not memory:
            return
        for one in self._selected.code[block.number]:
            for name in one.reads:
                if self._bit(name) & memory:
                    constant = self._selected.constants.get(name)
                    kinds[constant or "spill load"] += block.count * (
                        1 + (name in self._selected.wide)
                    )
            if one.writes and self._bit(one.writes) & memory:
                kinds["spill store"] += block.count * (1 + (one.writes in self._selected.wide))

    def _cross(self, loop: Loop) -> None:
        """Values that are in memory on only one side of a loop's entry."""
        parent = self._loops.parent(loop)
        outside = self._memory.get(parent.header if parent else -1, 0)
        inside = self._memory[loop.header]
        entering = self._in[loop.header]
        kinds = self.found.blocks[loop.header]
        kinds["spill store"] += loop.entered * self._size(entering & inside & ~outside)
        kinds["spill load"] += loop.entered * self._size(entering & outside & ~inside)
        leaving = 0
        for number_ in loop.blocks:
            for way in self._blocks[number_].ways:
                if way not in loop.blocks:
                    leaving |= self._in.get(way, 0)
        kinds["spill load"] += loop.entered * self._size(leaving & entering & inside & ~outside)
