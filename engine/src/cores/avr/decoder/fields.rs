//! The operands that an opcode names.

use super::{Operation, Operation as O};

/// The I/O registers begin here in the data space.
const IO: u16 = 0x20;

/// The first and the second operand of an opcode: see [`Instruction`](super::Instruction).
pub(super) const fn operands(operation: Operation, opcode: u16) -> (u8, u16) {
    let d = opcode >> 4 & 31;
    let r = opcode >> 5 & 16 | opcode & 15;
    let high_d = opcode >> 4 & 15 | 16;
    let bit = 1 << (opcode & 7);
    let (first, second) = match operation {
        O::Movw => (2 * (opcode >> 4 & 15), 2 * (opcode & 15)),
        O::Muls => (high_d, opcode & 15 | 16),
        O::Mulsu | O::Fmul | O::Fmuls | O::Fmulsu => (opcode >> 4 & 7 | 16, opcode & 7 | 16),
        O::Subi | O::Sbci | O::Andi | O::Ori | O::Cpi | O::Ldi => {
            (high_d, opcode >> 4 & 0xF0 | opcode & 0xF)
        }
        O::Adiw | O::Sbiw => (24 + (opcode >> 3 & 6), opcode >> 2 & 0x30 | opcode & 0xF),
        O::Bset | O::Bclr => (0, 1 << (opcode >> 4 & 7)),
        O::LddY | O::LddZ | O::StdY | O::StdZ => {
            (d, opcode >> 8 & 0x20 | opcode >> 7 & 0x18 | opcode & 7)
        }
        O::In | O::Out => (d, IO + (opcode >> 5 & 0x30 | opcode & 0xF)),
        O::Sbi | O::Cbi | O::Sbic | O::Sbis => (IO + (opcode >> 3 & 31), bit),
        O::LpmR0 | O::ElpmR0 => (0, 0),
        O::Bst | O::Bld | O::Sbrc | O::Sbrs => (d, bit),
        O::Brbs | O::Brbc => (bit, ((opcode << 6) as i16 >> 9) as u16),
        O::Rjmp | O::Rcall => (0, ((opcode << 4) as i16 >> 4) as u16),
        O::Jmp | O::Call => (0, opcode >> 3 & 0x3E | opcode & 1),
        _ => (d, r),
    };
    (first as u8, second)
}
