//! The moves of the instruction about to execute, between registers and memory ([`Bus::moving`](crate::bus::Bus::moving)).
//!
//! Bytes of the operands go on into the result where they come through whole. Shifts count by multiples of 8.
//! Logic merges lanes: a lane that is masked to zero is gone. Arithmetic with a constant changes bytes and keeps
//! them. Sums of registers are addresses or checksums and keep none, unless no lane holds bits of both.

mod arm;
mod thumb;

use super::decoder::Operation;
use super::psr::Bank;
use super::{Arm7tdmi, PC};
use crate::moves::{Lanes, Move, Operand, Register};

/// The value that SWP has read, until it has written. No bank has this number.
const SWAPPED: Register = 63;

/// Second operand of data processing: its value, and where it comes from unless it is a constant.
struct Second {
    value: u32,
    from: Option<Operand>,
}

/// The lanes of a value shifted by a kind (LSL, LSR, ASR, ROR) and an amount that is no special case.
fn shifted(kind: u32, amount: u32) -> Lanes {
    let by = (amount / 8).min(4) as i8;
    match kind & 3 {
        _ if amount % 8 != 0 => Lanes::NONE,
        0 => Lanes::shifted(-by),
        1 | 2 => Lanes::shifted(by),
        _ => Lanes::rotated(amount / 8),
    }
}

/// The lanes of a value shifted by a constant, whose 0 stands for LSL #0, LSR #32, ASR #32 and RRX.
fn shifted_by_constant(kind: u32, amount: u32) -> Lanes {
    match (kind & 3, amount) {
        (0, 0) => Lanes::ALL,
        (_, 0) => Lanes::NONE,
        _ => shifted(kind, amount),
    }
}

fn lane(value: u32, lane: u8) -> u8 {
    value.to_le_bytes()[usize::from(lane)]
}

impl Arm7tdmi {
    /// The moves of the instruction at the head of the pipeline, as the registers stand.
    pub(super) fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.aborted & 1 != 0 {
            return moves;
        }
        if self.is_thumb() {
            self.moves_of_thumb(self.pipeline[0], &mut moves);
        } else {
            self.moves_of_arm(self.pipeline[0], &mut moves);
        }
        moves
    }

    /// The number of a register as it is seen in the current mode.
    pub(super) fn register_number(&self, index: usize) -> Register {
        let bank = Bank::of(self.cpsr);
        if self.has_context(bank) && index < 13 {
            return Self::number_in_context(index);
        }
        let banked = match bank {
            Bank::User => false,
            Bank::Fiq => (8..PC).contains(&index),
            _ => (13..PC).contains(&index),
        };
        (if banked { 16 + 7 * bank as usize + index - 8 } else { index }) as Register
    }

    fn operand(&self, index: usize, lanes: Lanes) -> Option<Operand> {
        (index != PC).then(|| Operand { register: self.register_number(index), lanes })
    }

    fn clear(&self, index: usize) -> Move {
        Move::clear(self.register_number(index))
    }

    fn set(&self, to: usize, of: [Option<Operand>; 2]) -> Move {
        let of = if to == PC { [None; 2] } else { of };
        Move::Set { to: self.register_number(to), of }
    }

    /// Data processing. `first` is a register.
    fn result_of(&self, operation: Operation, to: usize, first: usize, second: &Second) -> Move {
        let (a, b) = (self.r[first], second.value);
        let whole = self.operand(first, Lanes::ALL);
        let same = second.from.is_some_and(|from| Some(from) == whole);
        let without = |operand: Option<Operand>, mask: u32| {
            let lanes = |one: Operand| one.lanes.filter(|n| lane(mask, n) != 0);
            operand.map(|one| Operand { lanes: lanes(one), ..one })
        };
        let apart = (0..4).all(|n| lane(a, n) == 0 || lane(b, n) == 0);
        let of = match operation {
            Operation::Mov | Operation::Mvn => [second.from, None],
            Operation::And => [without(whole, b), without(second.from, a)],
            Operation::Bic if !same => [without(whole, !b), None],
            Operation::Orr => [whole, second.from],
            Operation::Eor if !same => [whole, second.from],
            Operation::Add | Operation::Sub | Operation::Rsb if second.from.is_none() => {
                [whole, None]
            }
            Operation::Add if apart => [whole, second.from],
            _ => [None; 2],
        };
        self.set(to, of)
    }

    /// LDR and its forms.
    fn load_of(&self, operation: Operation, to: usize, address: u32) -> Move {
        let bytes = match operation {
            Operation::Ldr => Lanes::rotated(address & 3),
            Operation::Ldrh if address & 1 != 0 => Lanes([Some(1), None, None, Some(0)]),
            Operation::Ldrh => Lanes::lowest(2),
            Operation::Ldrsh if address & 1 == 0 => Lanes::lowest(2),
            _ => Lanes::lowest(1),
        };
        self.load_into(self.register_number(to), bytes)
    }

    fn load_into(&self, to: Register, bytes: Lanes) -> Move {
        let bytes = if usize::from(to) == PC { Lanes::NONE } else { bytes };
        Move::Load { to, bytes }
    }

    /// LDM, POP, STM, PUSH: the list of registers, whether they are of the User bank, and the base if it moves.
    fn block_of(
        &self,
        loads: bool,
        list: u32,
        user: bool,
        base: Option<usize>,
        moves: &mut Vec<Move>,
    ) {
        // An empty list transfers r15.
        let list = if list == 0 { 1 << PC } else { list };
        let number = |index| if user { index as Register } else { self.register_number(index) };
        let registers = (0..16).filter(|index| list >> index & 1 != 0).map(number);
        if loads {
            moves.extend(base.map(|base| self.clear(base)));
            moves.extend(registers.map(|to| self.load_into(to, Lanes::ALL)));
            return;
        }
        let at = moves.len() + 1;
        moves.extend(registers.map(|from| Move::Store { from }));
        // The base moves after the first store.
        if let Some(base) = base {
            moves.insert(at, self.clear(base));
        }
    }
}
