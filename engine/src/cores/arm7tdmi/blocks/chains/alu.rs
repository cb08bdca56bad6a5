//! Data processing and multiplication, by the plain core's functions.

use super::super::super::alu::{
    further_cycles, result, shift_by_constant, shift_by_register, Shifted,
};
use super::super::super::decoder::{arm, Operation};
use super::super::super::psr::{self, negative_zero, C};
use super::op::{go_on, Left, Op, Run};
use super::registers::Registers;
use crate::system::System;

/// Where a second operand comes from.
pub(in super::super) mod source {
    /// `imm`; its carry is C of `aux`, or bit 0 of `d`.
    pub const CONSTANT: u8 = 0;
    /// Register `c`.
    pub const REGISTER: u8 = 1;
    /// Register `c` shifted by the constant `d`, 1 at least: this and the three behind it are LSL, LSR, ASR, ROR.
    pub const SHIFTED: u8 = 2;
    /// Register `c` shifted by a constant of 0: LSR and ASR by 32 and RRX; bits 1:0 of `imm` say which.
    pub const SHIFTED_BY_ZERO: u8 = 6;
    /// Register `c` shifted by register `d`; bits 1:0 of `imm` say how.
    pub const SHIFTED_BY_REGISTER: u8 = 7;
}

/// How many sources there are.
const SOURCES: usize = 8;

#[inline(always)]
fn second<const SOURCE: u8>(registers: &Registers, op: &Op) -> Shifted {
    let flags = registers.flags;
    if SOURCE == source::CONSTANT {
        let carry = flags & op.aux | u32::from(op.d) << 29;
        return Shifted { value: op.imm, carry };
    }
    let value = registers.r[op.c as usize];
    match SOURCE {
        source::REGISTER => Shifted { value, carry: flags & C },
        source::SHIFTED_BY_ZERO => shift_by_constant(op.imm, value, 0, flags),
        source::SHIFTED_BY_REGISTER => {
            shift_by_register(op.imm, value, registers.r[op.d as usize], flags)
        }
        _ => {
            let (kind, amount) = (u32::from(SOURCE - source::SHIFTED), u32::from(op.d & 31));
            if amount == 0 {
                return Shifted { value, carry: flags & C };
            }
            shift_by_constant(kind, value, amount, flags)
        }
    }
}

/// Data processing: `a` = `b` and the second operand.
fn process<const OPERATION: u8, const SOURCE: u8, const FLAGS: bool>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    let operation = const { arm::form_by_bits(0x0210_0000 | (OPERATION as u32) << 21).operation };
    let second = second::<SOURCE>(registers, op);
    let first = registers.r[op.b as usize];
    let (result, carry_overflow) = result(operation, first, second, registers.flags);
    if FLAGS {
        registers.flags = negative_zero(result) | carry_overflow;
    }
    if !operation.compares() {
        registers.r[op.a as usize] = result;
    }
    go_on(registers, bus, rest)
}

macro_rules! of_source {
    ($operation:literal: $($source:literal)*) => {
        [$([process::<$operation, $source, false>, process::<$operation, $source, true>]),*]
    };
}

macro_rules! of_operation {
    ($($operation:literal)*) => { [$(of_source!($operation: 0 1 2 3 4 5 6 7)),*] };
}

/// By operation, source, and whether it sets flags.
static PROCESS: [[[Run; 2]; SOURCES]; 16] = of_operation!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);

/// The functions for data processing, without and with flags.
pub(super) fn processing(operation: Operation, source: u8) -> [Run; 2] {
    PROCESS[operation as usize & 15][source as usize % SOURCES]
}

/// MUL and MLA: `a` = `b` × `c` + `d`. The bus learns of the cycles that depend on `c`.
fn multiply<const ADDS: bool, const FLAGS: bool>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    let multiplier = registers.r[op.c as usize];
    let mut result = registers.r[op.b as usize].wrapping_mul(multiplier);
    if ADDS {
        result = result.wrapping_add(registers.r[op.d as usize]);
    }
    bus.spend(further_cycles(multiplier, true));
    if FLAGS {
        registers.flags = registers.flags & !(psr::N | psr::Z) | negative_zero(result);
    }
    registers.r[op.a as usize] = result;
    go_on(registers, bus, rest)
}

/// The functions for MUL or MLA, without and with flags.
pub(super) fn multiplying(adds: bool) -> [Run; 2] {
    if adds {
        [multiply::<true, false>, multiply::<true, true>]
    } else {
        [multiply::<false, false>, multiply::<false, true>]
    }
}

/// The multiplications to 64 bits: `d`:`a` = `b` × `c`, and what they were before.
fn multiply_long<const SIGNED: bool, const ADDS: bool, const FLAGS: bool>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    let (low, high) = (op.a as usize, op.d as usize);
    let (a, b) = (registers.r[op.b as usize], registers.r[op.c as usize]);
    let mut result = if SIGNED {
        i64::from(a as i32).wrapping_mul(i64::from(b as i32)) as u64
    } else {
        u64::from(a) * u64::from(b)
    };
    if ADDS {
        let sum = u64::from(registers.r[high]) << 32 | u64::from(registers.r[low]);
        result = result.wrapping_add(sum);
    }
    bus.spend(further_cycles(b, SIGNED));
    if FLAGS {
        let zero = if result == 0 { psr::Z } else { 0 };
        let negative = (result >> 32) as u32 & psr::N;
        registers.flags = registers.flags & !(psr::N | psr::Z) | negative | zero;
    }
    registers.r[low] = result as u32;
    registers.r[high] = (result >> 32) as u32;
    go_on(registers, bus, rest)
}

/// The functions for a multiplication to 64 bits, without and with flags.
pub(super) fn multiplying_long(operation: Operation) -> [Run; 2] {
    match operation {
        Operation::Umull => {
            [multiply_long::<false, false, false>, multiply_long::<false, false, true>]
        }
        Operation::Umlal => {
            [multiply_long::<false, true, false>, multiply_long::<false, true, true>]
        }
        Operation::Smull => {
            [multiply_long::<true, false, false>, multiply_long::<true, false, true>]
        }
        _ => [multiply_long::<true, true, false>, multiply_long::<true, true, true>],
    }
}
