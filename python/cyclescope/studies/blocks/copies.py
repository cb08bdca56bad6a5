"""Copies of a fragment in an image: the calls that begin executions, and what they begin."""

from collections.abc import Collection, Mapping

from cyclescope.firmware.fragment.plan import Plan
from cyclescope.firmware.fragment.source import WRAPPER, point_name
from cyclescope.firmware.program import Program


def root_of(program: Program, executed: str, calls: Collection[int]) -> int:
    """Where executions begin: what makes a call with its arguments, if copies call that."""
    architecture = program.architecture
    first = next(program.instructions(min(calls), min(calls) + architecture.call_bytes))
    wrapper = program.symbols.get(WRAPPER)
    called = architecture.target(first)
    if wrapper is not None and called == program.address(wrapper):
        return called
    return program.address(program.symbols[executed])


def copies_of(program: Program, plan: Plan) -> tuple[Mapping[int, int], set[int]]:
    """The calls between the probes of a plan's points, and where they return to."""
    calls = {
        one.address: one.address + one.size
        for point in plan
        for one in program.instructions(
            program.symbols[f"fragment.{point_name(point)}.start"],
            program.symbols[f"fragment.{point_name(point)}.stop"],
        )
        if one.mnemonic in program.architecture.calls
    }
    return calls, set(calls.values())
