//! Barrel shifter, adder and multiplier timing (ARM DDI 0029, "ARM instruction set").

use super::decoder::Operation;
use super::psr::{C, V};

/// A value out of the barrel shifter, with its carry at the place of the C flag.
#[derive(Clone, Copy)]
pub(super) struct Shifted {
    pub(super) value: u32,
    pub(super) carry: u32,
}

#[inline(always)]
fn shifted(value: u32, carry: u32) -> Shifted {
    Shifted { value, carry: (carry & 1) << 29 }
}

/// Shift by a constant, types 0 to 3 (LSL, LSR, ASR, ROR). An amount of 0 means LSL #0, LSR #32,
/// ASR #32 and RRX.
#[inline(always)]
pub(super) fn shift_by_constant(kind: u32, value: u32, amount: u32, psr: u32) -> Shifted {
    if amount == 0 {
        return match kind & 3 {
            0 => Shifted { value, carry: psr & C },
            1 => shifted(0, value >> 31),
            2 => shifted((value as i32 >> 31) as u32, value >> 31),
            _ => shifted((psr & C) << 2 | value >> 1, value),
        };
    }
    match kind & 3 {
        0 => shifted(value << amount, value >> (32 - amount)),
        1 => shifted(value >> amount, value >> (amount - 1)),
        2 => shifted((value as i32 >> amount) as u32, value >> (amount - 1)),
        _ => shifted(value.rotate_right(amount), value >> (amount - 1)),
    }
}

/// Shift by the low byte of a register: 0 to 255, and 0 changes nothing.
#[inline]
pub(super) fn shift_by_register(kind: u32, value: u32, amount: u32, psr: u32) -> Shifted {
    let amount = amount & 0xFF;
    match (kind & 3, amount) {
        (_, 0) => Shifted { value, carry: psr & C },
        (_, 1..=31) => shift_by_constant(kind, value, amount, psr),
        (0, 32) => shifted(0, value),
        (1, 32) => shifted(0, value >> 31),
        (0 | 1, _) => shifted(0, 0),
        (2, _) => shifted((value as i32 >> 31) as u32, value >> 31),
        _ => {
            let value = value.rotate_right(amount & 31);
            shifted(value, value >> 31)
        }
    }
}

/// `a + b + carry`, with C and V at the places of the flags. `a - b` is `add(a, !b, 1)`.
#[inline(always)]
pub(super) fn add(a: u32, b: u32, carry: u32) -> (u32, u32) {
    let wide = u64::from(a) + u64::from(b) + u64::from(carry);
    let result = wide as u32;
    let carry_out = (wide >> 32) as u32 * C;
    let overflow = ((a ^ result) & (b ^ result)) >> 31;
    (result, carry_out | (overflow * V))
}

/// The result of data processing, and C and V at the places of the flags.
#[inline(always)]
pub(super) fn result(operation: Operation, a: u32, second: Shifted, psr: u32) -> (u32, u32) {
    let b = second.value;
    let carry = psr >> 29 & 1;
    let logical = |value| (value, second.carry | psr & V);
    match operation {
        Operation::And | Operation::Tst => logical(a & b),
        Operation::Eor | Operation::Teq => logical(a ^ b),
        Operation::Sub | Operation::Cmp => add(a, !b, 1),
        Operation::Rsb => add(b, !a, 1),
        Operation::Add | Operation::Cmn => add(a, b, 0),
        Operation::Adc => add(a, b, carry),
        Operation::Sbc => add(a, !b, carry),
        Operation::Rsc => add(b, !a, carry),
        Operation::Orr => logical(a | b),
        Operation::Mov => logical(b),
        Operation::Bic => logical(a & !b),
        _ => logical(!b),
    }
}

/// Cycles of the multiplier array after its first, m - 1. It looks at 8 bits of its second operand per cycle. It ends
/// when the rest are all zeros or, for signed operations, all ones (ARM DDI 0210C, "Instruction
/// cycle timings").
#[inline]
pub(super) fn further_cycles(operand: u32, signed: bool) -> u32 {
    let rest = if signed { operand ^ (operand as i32 >> 31) as u32 } else { operand };
    (31 - (rest | 1).leading_zeros()) >> 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiplier_ends_early_on_ones_only_when_signed() {
        let cycles = further_cycles;
        assert_eq!(
            [0, 0xFF, 0x100, 0xFFFF, 0x1_0000, 0xFF_FFFF].map(|v| cycles(v, true)),
            [0, 0, 1, 1, 2, 2]
        );
        assert_eq!([u32::MAX, 0xFFFF_FF00, 0xFFFF_FE00].map(|v| cycles(v, true)), [0, 0, 1]);
        assert_eq!([u32::MAX, 0x100_0000].map(|v| cycles(v, false)), [3, 3]);
    }

    #[test]
    fn shifts_of_32_and_more() {
        let by = |kind, amount| {
            let s = shift_by_register(kind, 0x8000_0001, amount, 0);
            (s.value, s.carry >> 29)
        };
        assert_eq!((by(0, 32), by(0, 33)), ((0, 1), (0, 0)));
        assert_eq!((by(1, 32), by(1, 33)), ((0, 1), (0, 0)));
        assert_eq!((by(2, 32), by(2, 200)), ((u32::MAX, 1), (u32::MAX, 1)));
        assert_eq!((by(3, 32), by(3, 33)), ((0x8000_0001, 1), (0xC000_0000, 1)));
    }
}
