//! Operations with their operands decoded, each of which goes on with the next.

use super::super::super::decoder::Condition;
use super::registers::Registers;
use crate::system::System;

/// Executes an operation, then those behind it. The last one of a block leaves it.
pub(in super::super) type Run = fn(&mut Registers, &mut System, &Op, &[Op]) -> Left;

/// One operation of a block. An instruction has one as a rule, and some have more or none.
#[derive(Clone, Copy)]
pub(in super::super) struct Op {
    pub run: Run,
    pub imm: u32,
    /// A second constant; of a branch the block that it leads to, 0 while that is unknown.
    pub aux: u32,
    /// Cycles since the bus had the last, the instruction's own fetch included and what it does behind
    /// that not.
    pub since: u32,
    pub condition: Condition,
    /// Registers, or small constants.
    pub a: u8,
    pub b: u8,
    pub c: u8,
    pub d: u8,
    /// The place of its instruction in the block.
    pub index: u8,
}

/// How a block was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Left {
    /// At a boundary. An operation knows, or is to learn, which block follows.
    Known,
    /// At a boundary. Which block follows is looked up.
    Any,
    /// By a branch whose refill is left to the plain core.
    Far,
    /// In an instruction whose fetch has been made: the plain core executes it.
    Unfinished,
}

impl Op {
    /// An operation without operands.
    pub fn new(run: Run) -> Self {
        let condition = Condition::of(14);
        Op { run, imm: 0, aux: 0, since: 0, condition, a: 0, b: 0, c: 0, d: 0, index: 0 }
    }

    /// Leaves the instruction to the plain core, with `rest` behind it.
    #[cold]
    #[inline(never)]
    pub fn unfinished(&self, registers: &mut Registers, rest: &[Op]) -> Left {
        registers.rest = rest.len();
        Left::Unfinished
    }
}

/// Goes on with the next operation.
#[inline(always)]
pub(in super::super) fn go_on(registers: &mut Registers, bus: &mut System, rest: &[Op]) -> Left {
    match rest {
        [op, rest @ ..] => (op.run)(registers, bus, op, rest),
        [] => Left::Any,
    }
}
