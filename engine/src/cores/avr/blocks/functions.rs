//! The function that executes each operation: the core's own, compiled with the operation as a constant.
//!
//! Each goes on to the next step by itself. A compiler that optimises makes a jump of that; else calls lie as deep as
//! a block has steps.

use super::super::decoder::{Instruction, Operation, Reach, ALL};
use super::super::flags::flag;
use super::super::Avr;
use super::timeless::Timeless;
use super::{Left, Step};
use crate::bus::Bus;

/// Executes a step, and goes on with the rest of its block.
pub(super) type Run = fn(&mut Avr, &mut Timeless, &Step, &[Step]) -> Left;

/// The functions of one shape for all operations.
macro_rules! for_each {
    ($shape:ident) => {
        for_each!($shape, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93)
    };
    ($shape:ident, $($number:literal)*) => {
        [$($shape::<$number>),*]
    };
}

/// The functions of branches by each flag.
macro_rules! for_each_flag {
    ($set:literal) => {
        for_each_flag!($set, 1 2 4 8 16 32 64 128)
    };
    ($set:literal, $($flag:literal)*) => {
        [$(branch::<$flag, $set>),*]
    };
}

/// The function for an instruction.
pub(super) fn run(instruction: Instruction) -> Run {
    let table: [Run; ALL.len()] = for_each!(run_one);
    let if_set: [Run; 8] = for_each_flag!(true);
    let if_clear: [Run; 8] = for_each_flag!(false);
    let flag = instruction.flag().trailing_zeros() as usize;
    match instruction.operation {
        Operation::Brbs => if_set[flag],
        Operation::Brbc => if_clear[flag],
        operation => table[operation as usize],
    }
}

/// The function for an operation on registers whose flags nobody reads.
pub(super) fn run_without_flags(operation: Operation) -> Run {
    let table: [Run; ALL.len()] = for_each!(compute_without_flags);
    table[operation as usize]
}

#[inline(always)]
fn run_next(core: &mut Avr, bus: &mut Timeless, steps: &[Step]) -> Left {
    match steps {
        [next, rest @ ..] => (next.run)(core, bus, next, rest),
        [] => Left::Ended,
    }
}

fn run_one<const N: usize>(core: &mut Avr, bus: &mut Timeless, step: &Step, rest: &[Step]) -> Left {
    match const { ALL[N].reach() } {
        Reach::Registers => {
            core.compute(step.instruction.of(const { ALL[N] }));
            run_next(core, bus, rest)
        }
        Reach::Memory => transfer::<N>(core, bus, step, rest),
        Reach::Flow => go(core, bus, step, step.instruction.of(const { ALL[N] })),
        Reach::Control => leave_before(core, bus, step, rest),
    }
}

fn compute_without_flags<const N: usize>(
    core: &mut Avr,
    bus: &mut Timeless,
    step: &Step,
    rest: &[Step],
) -> Left {
    let flags = core.flags;
    core.compute(step.instruction.of(const { ALL[N] }));
    core.flags = flags;
    run_next(core, bus, rest)
}

#[inline(always)]
fn transfer<const N: usize>(
    core: &mut Avr,
    bus: &mut Timeless,
    step: &Step,
    rest: &[Step],
) -> Left {
    let operation: Operation = const { ALL[N] };
    let (enabled, cycles) = (core.flags.has(flag::I), bus.cycles);
    bus.behind = step.behind;
    if core.transfer(bus, step.instruction.of(operation)).is_err() {
        bus.cycles = cycles;
        return leave_before(core, bus, step, rest);
    }
    // They are a part of the sum that the last step adds.
    bus.cycles = cycles;
    if operation.writes_data() && core.flags.has(flag::I) != enabled {
        // SREG was written: interrupts are taken now that were not, or the reverse.
        core.pc += u32::from(step.words) + operation.words() as u32;
        core.retired -= rest.len() as u64;
        bus.idle(u32::from(step.cycles) + operation.cycles());
        return Left::Looks;
    }
    run_next(core, bus, rest)
}

/// Jumps, calls and returns end a block.
#[inline(always)]
fn go(core: &mut Avr, bus: &mut Timeless, step: &Step, instruction: Instruction) -> Left {
    let (begun, stack, enabled) = (core.pc, core.sp, core.flags.has(flag::I));
    core.pc += u32::from(step.words);
    let cycles = bus.cycles;
    bus.behind = step.behind;
    bus.idle(step.cycles.into());
    if core.go(bus, instruction).is_err() {
        // Bytes that were pushed before are pushed again.
        (core.pc, core.sp, bus.cycles) = (begun, stack, cycles);
        return leave_before(core, bus, step, &[]);
    }
    if instruction.operation.writes_data() && core.flags.has(flag::I) != enabled {
        return Left::Looks;
    }
    Left::Ended
}

/// A branch by a flag.
fn branch<const FLAG: u8, const SET: bool>(
    core: &mut Avr,
    bus: &mut Timeless,
    step: &Step,
    _rest: &[Step],
) -> Left {
    let operation = if SET { Operation::Brbs } else { Operation::Brbc };
    go(core, bus, step, step.instruction.of(operation).by(FLAG))
}

/// Ends a block whose last instruction does not change the flow.
pub(super) fn end(core: &mut Avr, bus: &mut Timeless, step: &Step, rest: &[Step]) -> Left {
    leave_before(core, bus, step, rest);
    Left::Ended
}

/// Leaves the block before a step, for the plain core to execute.
#[cold]
#[inline(never)]
fn leave_before(core: &mut Avr, bus: &mut Timeless, step: &Step, rest: &[Step]) -> Left {
    core.pc = (core.pc + u32::from(step.words)) & core.pc_mask;
    core.retired -= 1 + rest.len() as u64;
    bus.idle(step.cycles.into());
    Left::Undone
}
