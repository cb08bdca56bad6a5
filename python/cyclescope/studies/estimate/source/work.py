"""Work of a processor without floating point for a function, from its optimised tree.

Each statement becomes a few kinds of work. Some need their surroundings: a comparison that only
guards a few statements becomes instructions with a condition, an address of a loop is found once.
"""

import re
from collections import Counter, defaultdict

from cyclescope.studies.estimate.source.gimple import (
    SSA,
    GimpleBlock,
    GimpleFunction,
    Place,
    Statement,
    values,
)
from cyclescope.studies.estimate.source.magnitudes import Magnitudes
from cyclescope.studies.estimate.source.types import Types, Width

Kinds = dict[str, float]
"""How often each kind of work was done."""
Work = dict[Place, Kinds]

ASSIGNED = re.compile(r"^(.+?) = (?:\{v\} )?(.+);$")
BINARY = re.compile(
    r"^(\S+) (\+|-|\*|/|%|&|\||\^|<<|>>|r<<|r>>|w\*|h\*|==|!=|<=|>=|<|>|/\[\w+\]|%\[\w+\]) (\S+)$"
)
CONVERTED = re.compile(r"^\(([^()]+)\) (\S+)$")
CONDITION = re.compile(r"^if \((\S+) (==|!=|<=|>=|<|>) (\S+)\)$")
CALLED = re.compile(r"^(?:(.+?) = )?([\w.]+) \((.*)\);(?: \[.*\])*$")
CAST = re.compile(r"\([A-Za-z_][\w ]*\**\)(?= ?[\w*&(])|\([\w ]*[ *]+\)")
INDEX = re.compile(r"\[([^\[\]()]*)\]")
SCALED = re.compile(r"\+ (\S+) \* (\d+)")
NUMBER = re.compile(r"^-?(\d+)[BuUlL]*$")
FLOATING = re.compile(r"^-?\d*\.?\d+(e[+-]?\d+)?$")
NAME = re.compile(r"^[A-Za-z_][\w.]*$")
COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
GUARDED_MOST = 4
"""Statements behind a condition that become instructions with a condition."""
REGISTERS = 12
FEW_REGISTERS = 7
ARGUMENTS = 4
"""Arguments that registers hold."""
FLOAT_WORK = {"+": "add", "-": "add", "*": "mul", "/": "div"}


class FunctionWork:
    """The kinds of work of a function over a whole run, by line."""

    def __init__(
        self,
        function: GimpleFunction,
        types: Types,
        own: frozenset[str],
        level: str,
        magnitudes: Magnitudes,
    ) -> None:
        self._magnitudes = magnitudes
        self._function, self._types, self._own = function, types, own
        self._plain = level == "O0"
        self._small = level == "Os"
        plain = self._plain
        self.work: Work = defaultdict(lambda: defaultdict(float))
        self._uses: Counter[str] = Counter()
        self._readers: dict[str, list[str]] = defaultdict(list)
        self._defined: dict[str, str] = {}
        self._blocks = {block.number: block for block in function.blocks}
        self._at: Place = ("", 0, 0)
        self._times = 0
        self._index()
        self._live = self._liveness()
        self._guarded = {} if plain else self._guards()
        self._near = {} if plain else self._loops()
        self._run()

    def _index(self) -> None:
        for block in self._function.blocks:
            for one in block.statements:
                match = ASSIGNED.match(one.text)
                left, right = match.groups() if match else ("", one.text)
                if SSA.fullmatch(left):
                    self._defined[left] = right
                else:
                    right = one.text
                for name in values(right):
                    self._uses[name] += 1
                    self._readers[name].append(one.text)
            for choice in block.choices:
                for source in choice.sources.values():
                    self._uses.update(values(source))

    def _liveness(self) -> dict[int, set[str]]:
        """Values that are needed behind each block."""
        reads: dict[int, set[str]] = {}
        writes: dict[int, set[str]] = {}
        for block in self._function.blocks:
            read, written = set[str](), {one.name for one in block.choices}
            for one in block.statements:
                match = ASSIGNED.match(one.text)
                left, right = match.groups() if match else ("", one.text)
                if not SSA.fullmatch(left):
                    left, right = "", one.text
                read |= set(values(right)) - written
                written.add(left)
            reads[block.number], writes[block.number] = read, written
        live: dict[int, set[str]] = {number: set() for number in reads}
        changed = True
        while changed:
            changed = False
            for block in reversed(self._function.blocks):
                out = set(live[block.number])
                for way in block.ways:
                    if way not in reads:
                        continue
                    out |= reads[way] | (live[way] - writes[way])
                    for choice in self._blocks[way].choices:
                        out.update(values(choice.sources.get(block.number, "")))
                if len(out) != len(live[block.number]):
                    live[block.number], changed = out, True
        return live

    def _loops(self) -> dict[int, set[str]]:
        """The values that the innermost loop around each block works with."""
        order = {block.number: index for index, block in enumerate(self._function.blocks)}
        origins: dict[int, list[int]] = defaultdict(list)
        for block in self._function.blocks:
            for way in block.ways:
                origins[way].append(block.number)
        inner: dict[int, set[int]] = {}
        for block in self._function.blocks:
            for way in block.ways:
                if way not in order or order[way] > order[block.number]:
                    continue
                loop, waiting = {way}, [block.number]
                while waiting:
                    number = waiting.pop()
                    if number not in loop:
                        loop.add(number)
                        waiting.extend(origins[number])
                for number in loop:
                    if number not in inner or len(inner[number]) > len(loop):
                        inner[number] = loop
        named = {block.number: _named(block) for block in self._function.blocks}
        return {
            number: set[str]().union(*(named[one] for one in loop if one in named))
            for number, loop in inner.items()
        }

    def _guards(self) -> dict[int, int]:
        """Blocks of few statements that a condition guards, and the block of the condition."""
        origins: dict[int, list[int]] = defaultdict(list)
        for block in self._function.blocks:
            for way in block.ways:
                origins[way].append(block.number)
        found: dict[int, int] = {}
        for block in self._function.blocks:
            if len(block.ways) != 2:
                continue
            for way, other in (tuple(block.ways), tuple(block.ways)[::-1]):
                inner = self._blocks.get(way)
                if inner is None or origins[way] != [block.number] or len(inner.ways) != 1:
                    continue
                joins = next(iter(inner.ways))
                outer = self._blocks.get(other)
                beside = outer is not None and origins[other] == [block.number]
                meets = joins == other or (beside and outer is not None and joins in outer.ways)
                if meets and self._is_small(inner):
                    found[way] = block.number
        return found

    def _is_small(self, block: GimpleBlock) -> bool:
        calls = any(CALLED.match(one.text) for one in block.statements)
        inner = any(one.text.startswith(("if ", "switch ")) for one in block.statements)
        return len(block.statements) <= GUARDED_MOST and not calls and not inner

    def _add(self, kind: str, times: float = 1) -> None:
        if self._times and times:
            self.work[self._at][kind] += self._times * times

    def _run(self) -> None:
        blocks = self._function.blocks
        first = next((one.place for block in blocks for one in block.statements), ("", 0, 0))
        self._at, self._times = first, self._function.entered
        self._enter()
        for index, block in enumerate(blocks):
            following = blocks[index + 1].number if index + 1 < len(blocks) else 1
            self._block(block, following)

    def _enter(self) -> None:
        name = self._function.name.split(".")[0]
        self._add("enter")
        needed, calls = set[str](), False
        most = 0
        for block in self._function.blocks:
            alive = set(self._live[block.number])
            most = max(most, len(alive))
            for one in reversed(block.statements):
                match = ASSIGNED.match(one.text)
                left = match.group(1) if match else ""
                alive.discard(left)
                if self._calls(one):
                    calls = True
                    needed |= alive
                    most = max(most, len(alive) + ARGUMENTS)
                alive.update(
                    values(one.text)
                    if not SSA.fullmatch(left)
                    else values(match.group(2) if match else "")
                )
                most = max(most, len(alive))
        if name == "main":
            return
        kept = min(max(most - ARGUMENTS, 0), 8)
        if calls:
            self._add("enter calling")
            kept = min(max(kept if needed else 0, 0), 8)
        if not self._plain:
            self._add("pushed", kept)
        elif self._function.parameters != ("void",):
            self._add("variable store", len(self._function.parameters))

    def _calls(self, one: Statement) -> bool:
        match = CALLED.match(one.text)
        return match is not None and not match.group(2).startswith(".")

    def _block(self, block: GimpleBlock, following: int) -> None:
        self._times = block.count
        guard = self._guarded.get(block.number)
        symbols = set[str]()
        most = 0 if self._plain else self._pressure(block)
        for one in block.statements:
            self._at = one.place
            self._statement(one, block, symbols)
        if guard is not None:
            # Instructions whose condition fails take a cycle each.
            self._times = max(self._blocks[guard].count - block.count, 0)
            self._add("skipped", len(block.statements) + len(block.ways) * 0.0)
            self._times = block.count
        self._ways(block, following, guard)
        if not self._plain:
            few = max(most + len(symbols) - FEW_REGISTERS, 0)
            self._add("beyond few registers", min(few, 6))
            self._add("beyond registers", min(max(most + len(symbols) - REGISTERS, 0), 6))

    def _pressure(self, block: GimpleBlock) -> int:
        """The most registers that values of the loop around a block need within it."""
        near = self._near.get(block.number)
        alive = set(self._live[block.number])

        def needed() -> int:
            counted = alive if near is None else alive & near
            return sum(2 if self._width(one).bits == 64 else 1 for one in counted)

        most = needed()
        for one in reversed(block.statements):
            match = ASSIGNED.match(one.text)
            left, right = match.groups() if match else ("", one.text)
            if SSA.fullmatch(left):
                alive.discard(left)
            else:
                right = one.text
            alive.update(values(right))
            most = max(most, needed())
        return most

    def _ways(self, block: GimpleBlock, following: int, guard: int | None) -> None:
        guards = any(self._guarded.get(way) == block.number for way in block.ways)
        conditional = len(block.ways) == 2
        for way, times in block.ways.items():
            self._times = times
            self._choices(block, way)
            if way == 1 or (guards and conditional) or guard is not None:
                continue
            if way != following:
                self._add("taken" if conditional else "jump")
        if conditional and not guards:
            self._times = block.count
            self._add("branch")
            if following not in block.ways:
                self._times = min(block.ways.values())
                self._add("jump")

    def _choices(self, block: GimpleBlock, way: int) -> None:
        if way not in self._blocks:
            return
        for choice in self._blocks[way].choices:
            source = choice.sources.get(block.number)
            if source is None:
                continue
            if self._plain:
                if choice.name.startswith("_"):
                    self._add("move")
                continue
            if not SSA.fullmatch(source.removesuffix("(D)")):
                self._add("choice constant")
            elif source in self._live.get(way, ()):
                self._add("choice copy")

    # Statements.

    def _statement(self, one: Statement, block: GimpleBlock, symbols: set[str]) -> None:
        text = one.text
        self._symbols(text, block, symbols)
        if match := CONDITION.match(text):
            self._compared(*match.groups())
        elif text.startswith("switch "):
            self._add("switch")
            self._read(text)
        elif text.startswith("return"):
            self._add("return")
            self._read(text)
        elif match := ASSIGNED.match(text):
            self._assigned(match.group(1), match.group(2), text)
        elif match := CALLED.match(text):
            self._call(*match.groups())

    def _symbols(self, text: str, block: GimpleBlock, symbols: set[str]) -> None:
        """Addresses of variables in static memory: in a loop they are found once."""
        if text.startswith("switch "):
            return
        bare = SSA.sub(" ", text.replace('""', " &text "))
        for name in re.findall(r"(?<![\w.>-])[A-Za-z_]\w*(?:\.\d+)?", CAST.sub("", bare)):
            static = self._function.arrays.get(name, name not in self._function.types)
            if name in symbols or not static or name in KEYWORDS or name in self._own:
                continue
            if re.search(rf"(?:->|\.){re.escape(name)}\b", bare) or f"{name} (" in bare:
                continue
            symbols.add(name)
            inside = block.depth > 0 and not self._plain
            self._add("address in a loop" if inside else "address")

    def _read(self, text: str) -> None:
        """Without optimisation variables are read from memory each time."""
        if self._plain:
            for one in values(text):
                if not one.startswith("_"):
                    self._add("variable load", self._words(one))

    def _written(self, left: str) -> None:
        if self._plain and not left.startswith("_") and SSA.fullmatch(left):
            self._add("variable store", self._words(left))

    def _words(self, name: str) -> int:
        return 2 if self._width(name).bits == 64 else 1

    def _width(self, name: str) -> Width:
        bare = name.removesuffix("(D)")
        if SSA.fullmatch(bare):
            return self._types.width(self._function.type_of(bare))
        if FLOATING.match(bare) and ("." in bare or "e" in bare):
            return Width(0, "f")
        if match := re.search(r"MEM(?: <([^>]+)>)? ?\[\(([^()]*?) ?\*", bare):
            return self._types.width(match.group(1) or match.group(2))
        if NAME.match(bare) and bare in self._function.types:
            return self._types.width(self._function.types[bare])
        return Width(0, "i")

    def _assigned(self, left: str, right: str, text: str) -> None:
        if (match := CALLED.match(text)) and not right.startswith(("(", "MEM", "{")):
            self._call(*match.groups())
            return
        self._read(right)
        if not SSA.fullmatch(left):
            self._store(left, right)
            return
        self._written(left)
        if match := BINARY.match(right):
            self._binary(left, *match.groups())
        elif match := CONVERTED.match(right):
            self._converted(left, match.group(2))
        elif _is_memory(right):
            self._load(left, right)
        elif right.startswith(("-", "~")) and SSA.fullmatch(right[1:].removesuffix("(D)")):
            self._unary(left)
        elif right.startswith(("MIN_EXPR", "MAX_EXPR", "ABS")):
            self._add("minimum", 2 if self._width(left).bits == 64 else 1)
        elif right.startswith(("REALPART", "IMAGPART")):
            return
        elif " ? " in right:
            self._add("minimum")
        elif right.startswith("&"):
            self._add("alu", 0 if self._folds(left) else 1)
        elif not SSA.fullmatch(right.removesuffix("(D)")):
            self._add("move", 2 if self._width(left).bits == 64 else 1)

    def _folds(self, name: str) -> bool:
        """Whether a value is only the address in one access."""
        readers = self._readers[name]
        return len(readers) == 1 and f"*{name}" in readers[0].replace("(", "").replace(")", "")

    def _unary(self, left: str) -> None:
        width = self._width(left)
        if width.kind == "f":
            self._add("alu")
        else:
            self._add("alu", 2 if width.bits == 64 else 1)

    def _binary(self, left: str, a: str, operator: str, b: str) -> None:
        width = self._width(left)
        if operator in COMPARISONS:
            if all(f"{left} != 0" in one or f"{left} == 0" in one for one in self._readers[left]):
                return
            self._compare(a, operator, b)
            self._add("truth")
            return
        if width.kind == "f":
            kind = "double" if width.bits == 64 else "float"
            self._library(f"{kind} {FLOAT_WORK.get(operator[:1], 'add')}")
            return
        number = _number(b)
        if operator in ("w*", "h*"):
            self._add("long multiply")
        elif operator == "*":
            self._multiply(width, number)
        elif operator[0] in "/%":
            self._divide(width, operator[0], number)
        elif operator in ("<<", ">>", "r<<", "r>>"):
            self._shift(left, width, number)
        else:
            self._constant(number)
            self._add("alu long" if width.bits == 64 else "alu")

    def _constant(self, number: int | None) -> None:
        if number is not None:
            if number > 0xFF:
                self._add("constant beyond a byte")
            if not _is_rotated(number) and not _is_rotated(~number) and not _is_rotated(-number):
                self._add("constant of a word")

    def _multiply(self, width: Width, number: int | None) -> None:
        if width.bits == 64:
            self._add("long multiply", 3)
        elif number is None:
            self._add("multiply")
            self._add("multiply bytes", self._magnitudes.factor_bytes(*self._at[:2]))
        else:
            digits = bin(abs(number)).count("1")
            self._add("multiply constant", min(digits - (digits == 1) * 0.5, 3))

    def _divide(self, width: Width, operator: str, number: int | None) -> None:
        power = number is not None and number > 0 and number & (number - 1) == 0
        if width.bits == 64 and power:
            self._add("divide long by power" if width.kind == "i" else "alu long")
        elif width.bits == 64 and (number is None or self._small or not _is_folded(number)):
            self._library("long division")
        elif width.bits == 64:
            self._add("divide long constant")
        elif power:
            self._add("alu" if width.kind == "u" else "divide by power", 1)
        elif number is not None and not self._small:
            self._add("divide constant")
            if operator == "%":
                self._add("remain constant")
        else:
            self._library("division")

    def _shift(self, left: str, width: Width, number: int | None) -> None:
        if width.bits == 64:
            far = number is not None and number >= 32
            if number != 32:
                self._add("alu" if far else "shift long constant" if number else "shift long")
        elif number is None:
            self._add("shift")
        else:
            readers = self._readers[left]
            folds = self._uses[left] == 1 and bool(readers) and _takes_shift(readers[0])
            self._add("shift folded" if folds else "alu")

    def _converted(self, left: str, source: str) -> None:
        before, after = self._width(source), self._width(left)
        if "f" in (before.kind, after.kind):
            if before != after:
                kind = "double" if 64 in (before.bits, after.bits) else "float"
                both = before.kind == after.kind
                self._library(f"{kind} {'resized' if both else 'converted'}")
            return
        if after.bits == 64 and before.bits < 64:
            self._add("alu")
        if before.bits < after.bits and before.bits < 32:
            origin = self._defined.get(source, "")
            if not _is_memory(origin):
                self._add("extended" if before.bits == 8 and before.kind == "u" else "extended far")

    def _load(self, left: str, place: str) -> None:
        width = self._width(left)
        if width.bits == 64:
            self._add("load", 2)
        elif width.bits == 16 or (width.bits == 8 and width.kind == "i"):
            self._add("load half")
        else:
            self._add("load")
        self._address(place, width)

    def _store(self, place: str, source: str) -> None:
        width = self._width(place) if not SSA.fullmatch(source) else self._width(source)
        if source.startswith(("{", "MEM", "*")) or _is_memory(source):
            self._add("copied aggregate")
            return
        if not SSA.fullmatch(source.removesuffix("(D)")):
            self._add("stored constant", 2 if width.bits == 64 else 1)
        self._add("store", 2 if width.bits == 64 else 1)
        self._address(place, width)
        self._read(place)

    def _address(self, place: str, width: Width) -> None:
        for scale in (int(match.group(2)) for match in SCALED.finditer(place)):
            self._add("index" if scale in (1, 4) and width.bits in (8, 32) else "index far")
        if SCALED.search(place):
            return
        indices = [one for one in INDEX.findall(place) if SSA.search(one) and " " not in one]
        for count, _ in enumerate(indices):
            last = count == len(indices) - 1 and place.endswith("]")
            self._add("index" if last and width.bits in (8, 32) else "index far")

    def _compared(self, a: str, operator: str, b: str) -> None:
        self._read(f"{a} {b}")
        found = self._defined.get(a, "")
        match = BINARY.match(found) if operator in ("!=", "==") and b == "0" else None
        if match and match.group(2) in COMPARISONS:
            self._compare(*match.groups())
            return
        self._compare(a, operator, b)

    def _compare(self, a: str, operator: str, b: str) -> None:
        width = self._width(a)
        if width.kind == "f":
            self._library("double compared" if width.bits == 64 else "float compared")
        elif width.bits == 64:
            self._add("compare long")
        else:
            if width.bits < 32 and not _is_memory(self._defined.get(a, "")):
                self._add("extended")
            if _number(b) == 0 and operator in ("==", "!="):
                self._add("compare with zero")
            else:
                self._constant(_number(b))
                self._add("compare")

    def _library(self, kind: str) -> None:
        """Work that the compiler's own functions do."""
        self._add("library call")
        self._add(f"library {kind}")
        if kind.endswith("division"):
            self._add(f"library {kind} bits", self._magnitudes.quotient_bits(*self._at[:2]))

    def _call(self, left: str | None, name: str, arguments: str) -> None:
        if left is not None and not self._plain and not SSA.fullmatch(left):
            self._add("store")
        if left is not None:
            self._written(left)
        given = [one for one in arguments.split(", ") if one.strip()]
        self._read(arguments)
        if name == ".DIVMOD":
            long = self._width(given[0]).bits == 64
            self._library("long division" if long else "division")
            return
        if name.startswith(".") or name in INLINE:
            self._add(INLINE.get(name, "alu"))
            return
        own = name.split(".")[0] in self._own
        self._add("call" if own else "call outside")
        words = sum(2 if self._width(one).bits == 64 else 1 for one in given)
        self._add("argument", min(words, ARGUMENTS))
        self._add("argument in memory", max(words - ARGUMENTS, 0))


KEYWORDS = frozenset(
    (
        *("MEM", "if", "goto", "return", "switch", "int", "char", "unsigned", "signed", "long"),
        *("short", "float", "double", "void", "const", "struct", "union", "volatile", "vector"),
        *("default", "case", "sizetype", "MIN_EXPR", "MAX_EXPR", "ABS_EXPR", "text", "B", "D"),
        *("bb", "l"),
    )
)
INLINE = {
    "__builtin_bswap32": "swap bytes",
    "__builtin_abs": "minimum",
    "__builtin_unreachable": "nothing",
    "__builtin_expect": "nothing",
    ".FALLTHROUGH": "nothing",
    "__builtin_stack_save": "nothing",
    "__builtin_stack_restore": "nothing",
}


def _named(block: GimpleBlock) -> set[str]:
    """All values that a block reads or writes."""
    found = {name for one in block.statements for name in values(one.text)}
    for choice in block.choices:
        found.add(choice.name)
        found.update(name for one in choice.sources.values() for name in values(one))
    return found


def _is_memory(text: str) -> bool:
    """Whether an operand is a place in memory."""
    bare = text.strip().removesuffix("(D)")
    if not bare or bare[0] in '&"{-~(' or SSA.fullmatch(bare) or bare[0].isdigit():
        return False
    if bare.startswith(("MEM", "*")) or "->" in bare or "[" in bare:
        return " ? " not in bare
    return bool(NAME.match(bare)) or "." in bare


def _number(text: str) -> int | None:
    match = NUMBER.match(text)
    return int(match.group(1)) * (-1 if text.startswith("-") else 1) if match else None


def _is_folded(number: int) -> bool:
    """Whether GCC 12 divides 64 bits by a number without a call: a power of two leaves 1."""
    odd = abs(number) // (number & -number)
    return any(pow(2, bits, odd) == 1 for bits in range(16, 33))


def _is_rotated(number: int) -> bool:
    """Whether ARM can have a number in an instruction: eight bits, turned by an even number."""
    value = number & 0xFFFFFFFF
    return any(
        ((value << turn | value >> (32 - turn)) & 0xFFFFFFFF) <= 0xFF for turn in range(0, 32, 2)
    )


def _takes_shift(text: str) -> bool:
    match = ASSIGNED.match(text)
    binary = BINARY.match(match.group(2)) if match else None
    return binary is not None and binary.group(2) in ("+", "-", "&", "|", "^")
