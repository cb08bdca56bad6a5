//! The function that executes each operation: the core's own, compiled with the operation as a constant.

use super::super::alu::flag;
use super::super::decoder::{Operation, Reach, ALL};
use super::super::exceptions::Leave;
use super::super::Avr;
use super::timeless::Timeless;
use super::Done;
use crate::bus::Bus;

/// Executes an instruction and spends no cycle. Gets its opcode and the word behind it.
pub(super) type Run<B> = fn(&mut Avr, &mut B, u16, u16) -> Done;
/// Executes an instruction as the plain core does.
pub(super) type Finish<B> = fn(&mut Avr, &mut B, u16) -> Result<(), Leave>;

/// The functions of one shape for all operations.
macro_rules! for_each {
    ($shape:ident) => {
        for_each!($shape, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 75 76 77 78 79 80 81 82 83 84 85 86 87 88 89 90 91 92 93)
    };
    ($shape:ident, $($number:literal)*) => {
        [$($shape::<B, $number>),*]
    };
}

/// Executes an instruction that does not change the flow.
fn run_one<B: Bus, const N: usize>(core: &mut Avr, bus: &mut B, opcode: u16, second: u16) -> Done {
    let operation: Operation = const { ALL[N] };
    match operation.reach() {
        Reach::Registers => {
            core.compute(operation, opcode);
            Done::Yes
        }
        Reach::Memory => {
            let enabled = core.sreg & flag::I;
            let done = core.transfer(&mut Timeless { bus, second }, operation, opcode);
            done_with(core, enabled, done.is_ok())
        }
        _ => Done::No,
    }
}

/// The same, where its flags do not matter.
fn run_without_flags<B: Bus, const N: usize>(
    core: &mut Avr,
    _bus: &mut B,
    opcode: u16,
    _second: u16,
) -> Done {
    let flags = core.sreg;
    core.compute(const { ALL[N] }, opcode);
    core.sreg = flags;
    Done::Yes
}

/// Executes a jump, a call or a return.
fn go_one<B: Bus, const N: usize>(core: &mut Avr, bus: &mut B, opcode: u16, second: u16) -> Done {
    let operation: Operation = const { ALL[N] };
    if matches!(operation, Operation::Sbic | Operation::Sbis) {
        return Done::No;
    }
    let (enabled, stack) = (core.sreg & flag::I, core.sp);
    let done = core.go(&mut Timeless { bus, second }, operation, opcode).is_ok();
    if !done {
        // Bytes that were pushed before are pushed again.
        core.sp = stack;
    }
    done_with(core, enabled, done)
}

/// A store may have reached SREG.
#[inline(always)]
fn done_with(core: &Avr, enabled: u8, done: bool) -> Done {
    match done {
        true if core.sreg & flag::I == enabled => Done::Yes,
        true => Done::Leave,
        false => Done::No,
    }
}

fn finish_one<B: Bus, const N: usize>(
    core: &mut Avr,
    bus: &mut B,
    opcode: u16,
) -> Result<(), Leave> {
    core.execute(bus, const { ALL[N] }, opcode)
}

pub(super) fn run<B: Bus>(operation: Operation, with_flags: bool) -> Run<B> {
    let table: [Run<B>; ALL.len()] =
        if with_flags { for_each!(run_one) } else { for_each!(run_without_flags) };
    table[operation as usize]
}

pub(super) fn go<B: Bus>(operation: Operation) -> Run<B> {
    let table: [Run<B>; ALL.len()] = for_each!(go_one);
    table[operation as usize]
}

pub(super) fn finish<B: Bus>(operation: Operation) -> Finish<B> {
    let table: [Finish<B>; ALL.len()] = for_each!(finish_one);
    table[operation as usize]
}
