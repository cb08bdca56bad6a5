//! The one decoder: what an opcode means, and whether a second word belongs to it (AVR Instruction Set Manual, 0856).
//!
//! A table has the operation and the operands of each opcode.

mod fields;
mod operation;

pub(super) use operation::ALL;
pub use operation::{Operation, Reach};

use Operation as O;

/// An opcode's operation and operands. Operands are numbers of registers, masks of one bit, data addresses of I/O
/// registers, constants, displacements and distances; without a meaning, 0 or anything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instruction {
    pub operation: Operation,
    first: u8,
    second: u16,
}

impl Instruction {
    /// The same, of this operation: the compiler knows it then.
    #[inline(always)]
    pub const fn of(self, operation: Operation) -> Self {
        Instruction { operation, ..self }
    }

    /// The same branch, by this flag.
    #[inline(always)]
    pub const fn by(self, flag: u8) -> Self {
        Instruction { first: flag, ..self }
    }

    /// Rd, or the lower register of a pair.
    #[inline(always)]
    pub const fn d(self) -> usize {
        (self.first & 31) as usize
    }

    /// Rr, or the lower register of a pair.
    #[inline(always)]
    pub const fn r(self) -> usize {
        (self.second & 31) as usize
    }

    /// The constant, or the mask of a bit of a register.
    #[inline(always)]
    pub const fn constant(self) -> u8 {
        self.second as u8
    }

    /// The displacement of LDD and STD, or the data address of the register of IN and OUT.
    #[inline(always)]
    pub const fn address(self) -> u16 {
        self.second
    }

    /// The data address of the register of SBI and its like.
    #[inline(always)]
    pub const fn io(self) -> u16 {
        self.first as u16
    }

    /// The data address that it names, with the word behind the opcode.
    pub const fn named_address(self, behind: u16) -> Option<u16> {
        match self.operation {
            O::In | O::Out => Some(self.address()),
            O::Sbi | O::Cbi | O::Sbic | O::Sbis => Some(self.io()),
            O::Lds | O::Sts => Some(behind),
            _ => None,
        }
    }

    /// The flag of a conditional branch.
    #[inline(always)]
    pub const fn flag(self) -> u8 {
        self.first
    }

    /// Words from the following instruction to the target of a relative jump.
    #[inline(always)]
    pub const fn distance(self) -> u32 {
        self.second as i16 as u32
    }

    /// The target of JMP and CALL, counted as the program counter does, with the word behind the opcode.
    #[inline(always)]
    pub const fn target(self, behind: u16) -> u32 {
        (self.second as u32) << 16 | behind as u32
    }
}

static INSTRUCTIONS: [Instruction; 1 << 16] = {
    let mut instructions = [Instruction { operation: O::Undefined, first: 0, second: 0 }; 1 << 16];
    let mut opcode = 0;
    while opcode < instructions.len() {
        let operation = decode(opcode as u16);
        let (first, second) = fields::operands(operation, opcode as u16);
        instructions[opcode] = Instruction { operation, first, second };
        opcode += 1;
    }
    instructions
};

/// The instruction of an opcode.
#[inline(always)]
pub(super) fn instruction(opcode: u16) -> Instruction {
    INSTRUCTIONS[opcode as usize]
}

/// The operation of an opcode.
#[inline(always)]
pub fn operation(opcode: u16) -> Operation {
    instruction(opcode).operation
}

const fn decode(opcode: u16) -> Operation {
    match opcode >> 12 {
        0x0..=0x2 => decode_two_registers(opcode),
        0x3 => O::Cpi,
        0x4 => O::Sbci,
        0x5 => O::Subi,
        0x6 => O::Ori,
        0x7 => O::Andi,
        0x8 | 0xA => match (opcode >> 9 & 1, opcode >> 3 & 1) {
            (0, 0) => O::LddZ,
            (0, _) => O::LddY,
            (_, 0) => O::StdZ,
            _ => O::StdY,
        },
        0x9 => decode_one_register(opcode),
        0xB if opcode & 0x0800 == 0 => O::In,
        0xB => O::Out,
        0xC => O::Rjmp,
        0xD => O::Rcall,
        0xE => O::Ldi,
        _ => match (opcode >> 9 & 7, opcode >> 3 & 1) {
            (0 | 1, _) => O::Brbs,
            (2 | 3, _) => O::Brbc,
            (4, 0) => O::Bld,
            (5, 0) => O::Bst,
            (6, 0) => O::Sbrc,
            (7, 0) => O::Sbrs,
            _ => O::Undefined,
        },
    }
}

const fn decode_two_registers(opcode: u16) -> Operation {
    match opcode >> 10 {
        0 => match opcode >> 8 {
            0 if opcode == 0 => O::Nop,
            0 => O::Undefined,
            1 => O::Movw,
            2 => O::Muls,
            _ => match (opcode >> 7 & 1, opcode >> 3 & 1) {
                (0, 0) => O::Mulsu,
                (0, _) => O::Fmul,
                (_, 0) => O::Fmuls,
                _ => O::Fmulsu,
            },
        },
        1 => O::Cpc,
        2 => O::Sbc,
        3 => O::Add,
        4 => O::Cpse,
        5 => O::Cp,
        6 => O::Sub,
        7 => O::Adc,
        8 => O::And,
        9 => O::Eor,
        10 => O::Or,
        _ => O::Mov,
    }
}

const fn decode_one_register(opcode: u16) -> Operation {
    match opcode >> 8 & 0xF {
        0 | 1 => match opcode & 0xF {
            0x0 => O::Lds,
            0x1 => O::LdZInc,
            0x2 => O::LdZDec,
            0x4 => O::Lpm,
            0x5 => O::LpmInc,
            0x6 => O::Elpm,
            0x7 => O::ElpmInc,
            0x9 => O::LdYInc,
            0xA => O::LdYDec,
            0xC => O::LdX,
            0xD => O::LdXInc,
            0xE => O::LdXDec,
            0xF => O::Pop,
            _ => O::Undefined,
        },
        2 | 3 => match opcode & 0xF {
            0x0 => O::Sts,
            0x1 => O::StZInc,
            0x2 => O::StZDec,
            0x9 => O::StYInc,
            0xA => O::StYDec,
            0xC => O::StX,
            0xD => O::StXInc,
            0xE => O::StXDec,
            0xF => O::Push,
            _ => O::Undefined,
        },
        4 | 5 => match opcode & 0xF {
            0x0 => O::Com,
            0x1 => O::Neg,
            0x2 => O::Swap,
            0x3 => O::Inc,
            0x5 => O::Asr,
            0x6 => O::Lsr,
            0x7 => O::Ror,
            0x8 => decode_flags_and_control(opcode),
            0x9 => match opcode {
                0x9409 => O::Ijmp,
                0x9419 => O::Eijmp,
                0x9509 => O::Icall,
                0x9519 => O::Eicall,
                _ => O::Undefined,
            },
            0xA => O::Dec,
            0xC | 0xD => O::Jmp,
            0xE | 0xF => O::Call,
            _ => O::Undefined,
        },
        6 => O::Adiw,
        7 => O::Sbiw,
        8 => O::Cbi,
        9 => O::Sbic,
        0xA => O::Sbi,
        0xB => O::Sbis,
        _ => O::Mul,
    }
}

const fn decode_flags_and_control(opcode: u16) -> Operation {
    match opcode {
        0x9478 => O::Sei,
        0x94F8 => O::Cli,
        0x9400..=0x947F => O::Bset,
        0x9480..=0x94FF => O::Bclr,
        0x9508 => O::Ret,
        0x9518 => O::Reti,
        0x9588 => O::Sleep,
        0x9598 => O::Break,
        0x95A8 => O::Wdr,
        0x95C8 => O::LpmR0,
        0x95D8 => O::ElpmR0,
        0x95E8 => O::Spm,
        _ => O::Undefined,
    }
}
