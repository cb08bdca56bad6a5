//! Arithmetic on words (ARM DDI 0403, A2.2.1).

use super::decoder::Shift;
use super::psr::{C, V};

/// The sum with a carry, and the carry and overflow that it makes, as flags.
#[inline(always)]
pub(super) const fn add(a: u32, b: u32, carry: bool) -> (u32, u32) {
    let sum = a as u64 + b as u64 + carry as u64;
    let result = sum as u32;
    let overflow = (a ^ result) & (b ^ result);
    (result, ((sum >> 32) as u32 * C) | (overflow >> 31 << 28))
}

const _: () = assert!(V == 1 << 28);

/// Shifts by a constant, or by the low byte of a register. Returns the carry out, which is `carry` where nothing
/// is shifted.
#[inline(always)]
pub(super) const fn shift(kind: Shift, value: u32, distance: u32, carry: bool) -> (u32, bool) {
    if let Shift::Rrx = kind {
        return ((carry as u32) << 31 | value >> 1, value & 1 != 0);
    }
    if distance == 0 {
        return (value, carry);
    }
    match kind {
        Shift::Lsl if distance < 32 => (value << distance, value >> (32 - distance) & 1 != 0),
        Shift::Lsl => (0, distance == 32 && value & 1 != 0),
        Shift::Lsr if distance < 32 => (value >> distance, value >> (distance - 1) & 1 != 0),
        Shift::Lsr => (0, distance == 32 && value >> 31 != 0),
        Shift::Asr if distance < 32 => {
            ((value as i32 >> distance) as u32, value >> (distance - 1) & 1 != 0)
        }
        Shift::Asr => ((value as i32 >> 31) as u32, value >> 31 != 0),
        _ => {
            let turned = value.rotate_right(distance & 31);
            (turned, turned >> 31 != 0)
        }
    }
}

/// The value as a signed number of `bits`, or the nearest one; whether it is another.
pub(super) const fn saturate_signed(value: i32, bits: u32) -> (u32, bool) {
    let most = ((1i64 << (bits - 1)) - 1) as i32;
    let least = -most - 1;
    let nearest = if value > most {
        most
    } else if value < least {
        least
    } else {
        value
    };
    (nearest as u32, nearest != value)
}

/// The value as a number of `bits`, at most 31, without a sign, or the nearest one; whether it is another.
pub(super) const fn saturate_unsigned(value: i32, bits: u32) -> (u32, bool) {
    let most = (1u32 << bits) - 1;
    if value < 0 {
        (0, true)
    } else if value as u32 > most {
        (most, true)
    } else {
        (value as u32, false)
    }
}
