//! Branches, special registers, barriers and hints.

use super::super::{signed, Instruction, Operation as O};
use super::{plain, register, UNDEFINED};

pub(super) const fn branch_or_control(first: u16, second: u16) -> Instruction {
    match second >> 12 & 5 {
        0 if first >> 7 & 7 != 7 => {
            let (first, second) = (first as u32, second as u32);
            let distance = (first & 0x0400) << 10
                | (second & 0x0800) << 8
                | (second & 0x2000) << 5
                | (first & 0x3F) << 12
                | (second & 0x7FF) << 1;
            let condition = (first >> 6 & 15) as u8;
            Instruction { condition, immediate: signed(distance, 21), ..plain(O::Bcond) }
        }
        0 => control(first, second),
        1 => Instruction { immediate: distance(first, second), ..plain(O::B) },
        5 => Instruction { immediate: distance(first, second), ..plain(O::Bl) },
        _ => UNDEFINED,
    }
}

/// Of B and BL without a condition.
const fn distance(first: u16, second: u16) -> u32 {
    let (first, second) = (first as u32, second as u32);
    let sign = first >> 10 & 1;
    let upper = !((second >> 13) ^ sign) & 1;
    let lower = !((second >> 11) ^ sign) & 1;
    let distance =
        sign << 24 | upper << 23 | lower << 22 | (first & 0x3FF) << 12 | (second & 0x7FF) << 1;
    signed(distance, 25)
}

const fn control(first: u16, second: u16) -> Instruction {
    let number = second as u32 & 0xFF;
    match first >> 4 & 0x7F {
        0x38 | 0x39 => {
            let amount = (second >> 10 & 3) as u8;
            Instruction { n: register(first, 0), amount, immediate: number, ..plain(O::Msr) }
        }
        0x3A if second & 0x0700 == 0 => match number {
            0 => plain(O::Nop),
            1 => plain(O::Yield),
            2 => plain(O::Wfe),
            3 => plain(O::Wfi),
            4 => plain(O::Sev),
            _ => plain(O::Hint),
        },
        0x3B => match number >> 4 {
            2 => plain(O::Clrex),
            4 => plain(O::Dsb),
            5 => plain(O::Dmb),
            6 => plain(O::Isb),
            _ => UNDEFINED,
        },
        0x3E | 0x3F => Instruction { d: register(second, 8), immediate: number, ..plain(O::Mrs) },
        _ => UNDEFINED,
    }
}
