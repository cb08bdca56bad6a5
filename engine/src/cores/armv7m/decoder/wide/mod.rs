//! Opcodes of 32 bits (ARM DDI 0403, A5.3).

mod arithmetic;
mod control;
mod memory;

use super::{Instruction, Operation as O};

const fn plain(operation: O) -> Instruction {
    Instruction::new(operation, 4)
}

const UNDEFINED: Instruction = plain(O::Undefined);

/// The register in bits `bit + 3` to `bit`.
const fn register(half: u16, bit: u16) -> u8 {
    (half >> bit & 15) as u8
}

/// The instruction of an opcode of 32 bits, without its reach.
pub const fn wide(first: u16, second: u16) -> Instruction {
    match first >> 9 & 15 {
        _ if first & 0xEC00 == 0xEC00 => plain(O::Coprocessor),
        _ if first & 0xFE40 == 0xE800 => memory::list(first, second),
        _ if first & 0xFE40 == 0xE840 => memory::pair_or_exclusive(first, second),
        _ if first & 0xFE00 == 0xEA00 => arithmetic::shifted(first, second),
        _ if first & 0xF800 == 0xF000 => {
            if second & 0x8000 != 0 {
                control::branch_or_control(first, second)
            } else if first & 0x0200 == 0 {
                arithmetic::immediate(first, second)
            } else {
                arithmetic::plain_immediate(first, second)
            }
        }
        _ if first & 0xFE00 == 0xF800 => memory::single(first, second),
        _ if first & 0xFF00 == 0xFA00 => arithmetic::registers(first, second),
        _ if first & 0xFF80 == 0xFB00 => arithmetic::multiply(first, second),
        _ => arithmetic::long_multiply(first, second),
    }
}
