//! Cycles of products of 64 bits and of quotients, by their operands.

use super::super::decoder::Operation as O;

/// Cycles of an instruction that multiplies or divides.
pub fn cycles(operation: O, operands: [u32; 2]) -> u8 {
    match operation {
        O::Mla | O::Mls => 2,
        O::Udiv | O::Sdiv => divide(operation, operands),
        O::Umull | O::Umlal => unsigned(operation == O::Umlal, operands),
        O::Smull | O::Smlal => signed(operation == O::Smlal, operands),
        _ => 1,
    }
}

/// Bits of a quotient take a quarter of a cycle each.
fn divide(operation: O, [n, m]: [u32; 2]) -> u8 {
    if n == 0 || m == 0 {
        return 2;
    }
    let bits = |value: u32| u32::BITS - value.leading_zeros();
    let (dividend, divisor) = if operation == O::Udiv {
        (bits(n), bits(m))
    } else {
        let negative = (m as i32) < 0;
        let lowest = n == 1 << 31 && negative;
        let divisor = if negative { !m } else { m };
        (bits((n as i32).unsigned_abs()) - u32::from(lowest), bits(divisor))
    };
    if dividend < divisor {
        3
    } else {
        5 + ((dividend - divisor) / 4) as u8
    }
}

/// A product of halves that are not 0 takes a cycle.
fn unsigned(accumulates: bool, [n, m]: [u32; 2]) -> u8 {
    let (low, high) = (|value: u32| value & 0xFFFF != 0, |value: u32| value >> 16 != 0);
    let crosses = u8::from(low(n) && high(m)) + u8::from(high(n) && low(m));
    let both = u8::from(high(n) && high(m));
    match (accumulates, crosses + both) {
        (false, _) => 3 + crosses,
        (true, 0) => 3,
        (true, _) => 4 + crosses + both,
    }
}

/// The kind of an operand of a product with a sign: which halves are not 0, and its sign.
fn kind(value: u32) -> usize {
    let (low, negative) = (value & 0xFFFF != 0, value >> 31 != 0);
    match (low, value >> 16 != 0, negative) {
        (_, false, _) => 0,
        (false, true, false) => 1,
        (false, true, true) => 2,
        (true, true, false) => 3,
        (true, true, true) => 4,
    }
}

/// Cycles of SMULL and of SMLAL: for each kind of the first operand those of the second.
const SIGNED: [[[u8; 2]; 5]; 5] = [
    [[3, 3], [4, 5], [5, 6], [4, 5], [5, 6]],
    [[4, 5], [3, 5], [4, 6], [4, 6], [4, 6]],
    [[4, 5], [4, 6], [4, 6], [4, 6], [4, 6]],
    [[4, 5], [4, 6], [5, 7], [5, 7], [5, 7]],
    [[4, 5], [5, 7], [5, 7], [5, 7], [5, 7]],
];

fn signed(accumulates: bool, [n, m]: [u32; 2]) -> u8 {
    if n == 0 || m == 0 {
        return 3;
    }
    SIGNED[kind(n)][kind(m)][usize::from(accumulates)]
}
