//! Operations with their operands decoded, each of which goes on with the next.

use super::super::super::decoder::{Condition, Operation};
use super::super::super::transfer::Load;
use super::registers::Registers;
use super::{alu, flow, memory};
use crate::bus::Width;
use crate::system::System;

/// Executes an operation, then those behind it. The last one of a block leaves it.
pub(in super::super) type Run = fn(&mut Registers, &mut System, &Op, &[Op]) -> Left;

/// The work of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum What {
    /// Fetches the first opcode of a line.
    Cross(Behind),
    /// Passes the cycles so far to the bus.
    Settle,
    /// Leaves out operations unless a condition holds.
    Guard,
    /// Sets a register to a constant.
    Set,
    /// Leaves for a constant address; always, or if a condition holds.
    Branch { always: bool },
    /// Leaves for r15.
    Jump,
    /// Leaves for a register, in the state that it says.
    Exchange,
    /// The second half of Thumb's BL, apart from the first.
    Link,
    /// Leaves for the instruction behind.
    End,
    /// Data processing.
    Process { operation: Operation, source: u8, flags: bool },
    /// MUL, MLA.
    Multiply { adds: bool, flags: bool },
    /// A multiplication to 64 bits.
    MultiplyLong { operation: Operation, flags: bool },
    /// Loads a register, addressing in this [`way`](memory::addressing).
    Load(Load, u8),
    /// Loads a constant of the code, timed by its memory.
    Literal,
    /// Stores a register.
    Store(Width, u8),
    /// LDM, or STM.
    Transfer { loads: bool },
}

/// The place of a fetch, where it matters whether it is in sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Behind {
    /// In sequence.
    Sequence = 0,
    /// Behind a store, if the condition holds.
    Store = 1,
    /// The first of a block: behind a store if the instruction before it was one.
    Unknown = 2,
}

impl Behind {
    pub const SEQUENCE: u8 = Behind::Sequence as u8;
    pub const STORE: u8 = Behind::Store as u8;
    pub const UNKNOWN: u8 = Behind::Unknown as u8;
}

impl What {
    /// The function that executes it.
    fn run(self) -> Run {
        match self {
            What::Cross(behind) => flow::crossing(behind),
            What::Settle => flow::settle,
            What::Guard => flow::guard,
            What::Set => flow::set,
            What::Branch { always: true } => flow::branch::<true>,
            What::Branch { always: false } => flow::branch::<false>,
            What::Jump => flow::jump,
            What::Exchange => flow::exchange,
            What::Link => flow::link,
            What::End => flow::end,
            What::Process { operation, source, flags } => {
                alu::processing(operation, source)[usize::from(flags)]
            }
            What::Multiply { adds, flags } => alu::multiplying(adds)[usize::from(flags)],
            What::MultiplyLong { operation, flags } => {
                alu::multiplying_long(operation)[usize::from(flags)]
            }
            What::Load(kind, way) => memory::loading(kind, way),
            What::Literal => memory::literal,
            What::Store(width, way) => memory::storing(width, way),
            What::Transfer { loads } => memory::transferring(loads),
        }
    }

    /// The same without a change of the flags, of data processing and multiplication.
    pub fn without_flags(self) -> Self {
        match self {
            What::Process { operation, source, .. } => {
                What::Process { operation, source, flags: false }
            }
            What::Multiply { adds, .. } => What::Multiply { adds, flags: false },
            What::MultiplyLong { operation, .. } => What::MultiplyLong { operation, flags: false },
            other => other,
        }
    }
}

/// One operation of a block. An instruction has one as a rule, and some have more or none.
#[derive(Clone, Copy)]
pub(in super::super) struct Op {
    pub run: Run,
    #[cfg(all(feature = "translate", target_arch = "x86_64"))]
    pub what: What,
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
    pub fn new(what: What) -> Self {
        let (run, condition) = (what.run(), Condition::of(14));
        Op {
            run,
            #[cfg(all(feature = "translate", target_arch = "x86_64"))]
            what,
            imm: 0,
            aux: 0,
            since: 0,
            condition,
            a: 0,
            b: 0,
            c: 0,
            d: 0,
            index: 0,
        }
    }

    /// The same operands for another operation.
    pub fn with(self, what: What) -> Self {
        Op {
            run: what.run(),
            #[cfg(all(feature = "translate", target_arch = "x86_64"))]
            what,
            ..self
        }
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
