"""A pricer with memories as a program's start sets them, and the program's own functions."""

from cyclescope.errors import CyclescopeError
from cyclescope.firmware import boards
from cyclescope.firmware.application import BuiltApplication
from cyclescope.firmware.arm_code.flow import CASE_HELPER
from cyclescope.firmware.program import Function, Program
from cyclescope.targets.virtual.board import Pricer, make_pricer

STACK_TOP = "svc_stack_top"
FRAME_BYTES = 64
"""Data whose place is not known lie so far below the top of the stack."""


def pricer_of(built: BuiltApplication) -> Pricer:
    """A pricer whose memories are set as the image's start sets them."""
    content = built.image.elf.read_bytes()
    board, facts = built.configuration.board, built.image.facts
    program = Program(content)
    stack = program.symbols.get(STACK_TOP)
    registers = boards.firmware_of(board).memory_register
    if stack is None or not registers:
        raise CyclescopeError(
            f"code for {board} has no prices: choose a board with an ARM7TDMI, or the way run",
            code="board-without-prices",
        )
    pricer = make_pricer(board, 0)
    for one in registers:
        chosen = facts.memory[one.fact] if one.fact else 0
        pricer.set_register(one.address, one.values[chosen])
    # Memories behind chip selects answer from here on.
    for function in program.functions:
        if function.name.startswith(CASE_HELPER):
            for step in program.decoded(function.address, function.end):
                # The tables lie in the code.
                loads = step.mnemonic.startswith("ldr")
                pricer.place_data(step.address, function.address if loads else stack - FRAME_BYTES)
    for function in own_functions(built):
        for address in range(function.address, function.end, 2):
            pricer.place_data(address, stack - FRAME_BYTES)
        code = program.decoded(function.address, function.end)
        for address, data in program.architecture.data_places(program, code):
            if any(begin <= data < begin + len(content) for begin, content in program.loaded):
                pricer.place_data(address, data)
    return pricer


def own_functions(built: BuiltApplication) -> list[Function]:
    """The functions of an image that are the user's."""
    own = [(begin, end) for begin, end, owner in built.owners if owner == "program"]
    functions = Program(built.image.elf.read_bytes()).functions
    return [one for one in functions if any(begin <= one.address < end for begin, end in own)]
