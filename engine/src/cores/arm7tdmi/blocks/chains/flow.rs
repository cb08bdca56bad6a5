//! Fetches from new lines, conditions, branches, and the end of a block.

use super::super::super::FETCH;
use super::op::{go_on, Behind, Left, Op, Run};
use super::registers::{kind, Registers};
use crate::bus::Bus;
use crate::system::System;
use crate::timing::mam_lpc2000::lent::line;

/// Passes the cycles so far to the bus, then fetches the opcode at `imm`, the first of a line; `aux` is its offset.
fn cross<const BEHIND: u8>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    bus.spend(op.since);
    if BEHIND == Behind::SEQUENCE {
        if let Some(flash) = &mut registers.flash {
            if let Some(completes) = flash.run_on(bus.now(), line(op.aux)) {
                bus.set_now(completes);
                return go_on(registers, bus, rest);
            }
        }
    }
    cross_other::<BEHIND>(registers, bus, op, rest)
}

/// The same where the line may not have been read ahead.
#[inline(never)]
fn cross_other<const BEHIND: u8>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    let sequential = match BEHIND {
        Behind::SEQUENCE => true,
        Behind::STORE => !op.condition.holds(registers.flags),
        _ => registers.kind != kind::NON_SEQUENTIAL,
    };
    if let Some(flash) = &mut registers.flash {
        let completes = flash.fetch(bus.now(), line(op.aux), sequential, false);
        bus.set_now(completes);
    } else {
        let access = if sequential { FETCH.sequential() } else { FETCH };
        bus.fetch_ahead(op.imm, access.with_width(registers.width()));
    }
    go_on(registers, bus, rest)
}

/// The function for a fetch from a new line.
pub(super) fn crossing(behind: Behind) -> Run {
    match behind {
        Behind::Sequence => cross::<{ Behind::SEQUENCE }>,
        Behind::Store => cross::<{ Behind::STORE }>,
        Behind::Unknown => cross::<{ Behind::UNKNOWN }>,
    }
}

/// Passes the cycles so far to the bus.
pub(super) fn settle(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    bus.spend(op.since);
    go_on(registers, bus, rest)
}

/// Unless the condition holds, leaves out the next `a` operations and takes back their `imm` cycles.
pub(super) fn guard(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    if op.condition.holds(registers.flags) {
        return go_on(registers, bus, rest);
    }
    bus.take_back_cycles(op.imm);
    go_on(registers, bus, rest.get(op.a as usize..).unwrap_or_default())
}

/// r`a` = `imm`.
pub(super) fn set(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    registers.r[op.a as usize] = op.imm;
    go_on(registers, bus, rest)
}

/// The program goes on at `target`, in the state that the registers name: 1N + 1S behind what the instruction
/// has spent.
#[inline(always)]
fn refill(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op], left: Left) -> Left {
    registers.kind = kind::SEQUENTIAL;
    registers.rest = rest.len();
    registers.completed = u32::from(op.index) + 1;
    bus.spend(op.since);
    if fetch_both(registers, bus) {
        left
    } else {
        Left::Far
    }
}

/// Fetches the two opcodes at `target`. Does nothing and returns `false` where the window of the code does not have both.
#[inline(always)]
pub(in super::super) fn fetch_both(registers: &mut Registers, bus: &mut System) -> bool {
    let (target, width) = (registers.target, registers.width());
    if !bus.has_refill(target, width) {
        return false;
    }
    if let Some(cycles) = registers.refill_cycles {
        bus.spend(cycles);
    } else if let Some(flash) = &mut registers.flash {
        let offset = bus.code_offset(target);
        let second = line(offset.wrapping_add(width.bytes()));
        let completes = flash.refill(bus.now(), line(offset), second);
        bus.set_now(completes);
    } else {
        bus.refill_ahead(target, width);
    }
    true
}

/// B, if the condition holds: to `imm`.
pub(super) fn branch<const ALWAYS: bool>(
    registers: &mut Registers,
    bus: &mut System,
    op: &Op,
    rest: &[Op],
) -> Left {
    if !ALWAYS && !op.condition.holds(registers.flags) {
        return go_on(registers, bus, rest);
    }
    registers.target = op.imm;
    refill(registers, bus, op, rest, Left::Known)
}

/// To r15, in the same state.
pub(super) fn jump(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    registers.target = registers.width().align(registers.r[15]);
    refill(registers, bus, op, rest, Left::Any)
}

/// BX: to register `c`.
pub(super) fn exchange(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    let target = registers.r[op.c as usize];
    registers.thumb = target & 1 != 0;
    registers.target = registers.width().align(target);
    refill(registers, bus, op, rest, Left::Any)
}

/// Second half of Thumb's BL apart from the first: to r14 + `imm`; `aux` is returned to.
pub(super) fn link(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    registers.target = registers.r[14].wrapping_add(op.imm) & !1;
    registers.r[14] = op.aux;
    refill(registers, bus, op, rest, Left::Any)
}

/// The block ends and the program goes straight on at `imm`, by a fetch of kind `a`.
pub(super) fn end(registers: &mut Registers, bus: &mut System, op: &Op, rest: &[Op]) -> Left {
    bus.spend(op.since);
    registers.target = op.imm;
    registers.kind = op.a;
    registers.rest = rest.len();
    registers.completed = op.index.into();
    Left::Known
}
