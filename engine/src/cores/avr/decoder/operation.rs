//! The operations, and what each touches and costs.

/// An operation of the AVRe+ set. Forms that differ in their operands alone share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
#[allow(missing_docs)] // the manual's own names
pub enum Operation {
    Undefined,
    Nop,
    Add,
    Adc,
    Sub,
    Sbc,
    And,
    Or,
    Eor,
    Cp,
    Cpc,
    Mov,
    Movw,
    Subi,
    Sbci,
    Andi,
    Ori,
    Cpi,
    Ldi,
    Com,
    Neg,
    Swap,
    Inc,
    Dec,
    Asr,
    Lsr,
    Ror,
    Adiw,
    Sbiw,
    Mul,
    Muls,
    Mulsu,
    Fmul,
    Fmuls,
    Fmulsu,
    Bst,
    Bld,
    Bset,
    Bclr,
    /// BSET and BCLR of the global interrupt flag.
    Sei,
    Cli,
    Lds,
    Sts,
    LdX,
    LdXInc,
    LdXDec,
    LddY,
    LdYInc,
    LdYDec,
    LddZ,
    LdZInc,
    LdZDec,
    StX,
    StXInc,
    StXDec,
    StdY,
    StYInc,
    StYDec,
    StdZ,
    StZInc,
    StZDec,
    Push,
    Pop,
    In,
    Out,
    Sbi,
    Cbi,
    LpmR0,
    Lpm,
    LpmInc,
    ElpmR0,
    Elpm,
    ElpmInc,
    Cpse,
    Sbrc,
    Sbrs,
    Sbic,
    Sbis,
    Brbs,
    Brbc,
    Rjmp,
    Jmp,
    Ijmp,
    Eijmp,
    Rcall,
    Call,
    Icall,
    Eicall,
    Ret,
    Reti,
    Sleep,
    Wdr,
    Break,
    Spm,
}

/// All of them, in their order.
pub(in super::super) const ALL: [Operation; 94] = [
    O::Undefined,
    O::Nop,
    O::Add,
    O::Adc,
    O::Sub,
    O::Sbc,
    O::And,
    O::Or,
    O::Eor,
    O::Cp,
    O::Cpc,
    O::Mov,
    O::Movw,
    O::Subi,
    O::Sbci,
    O::Andi,
    O::Ori,
    O::Cpi,
    O::Ldi,
    O::Com,
    O::Neg,
    O::Swap,
    O::Inc,
    O::Dec,
    O::Asr,
    O::Lsr,
    O::Ror,
    O::Adiw,
    O::Sbiw,
    O::Mul,
    O::Muls,
    O::Mulsu,
    O::Fmul,
    O::Fmuls,
    O::Fmulsu,
    O::Bst,
    O::Bld,
    O::Bset,
    O::Bclr,
    O::Sei,
    O::Cli,
    O::Lds,
    O::Sts,
    O::LdX,
    O::LdXInc,
    O::LdXDec,
    O::LddY,
    O::LdYInc,
    O::LdYDec,
    O::LddZ,
    O::LdZInc,
    O::LdZDec,
    O::StX,
    O::StXInc,
    O::StXDec,
    O::StdY,
    O::StYInc,
    O::StYDec,
    O::StdZ,
    O::StZInc,
    O::StZDec,
    O::Push,
    O::Pop,
    O::In,
    O::Out,
    O::Sbi,
    O::Cbi,
    O::LpmR0,
    O::Lpm,
    O::LpmInc,
    O::ElpmR0,
    O::Elpm,
    O::ElpmInc,
    O::Cpse,
    O::Sbrc,
    O::Sbrs,
    O::Sbic,
    O::Sbis,
    O::Brbs,
    O::Brbc,
    O::Rjmp,
    O::Jmp,
    O::Ijmp,
    O::Eijmp,
    O::Rcall,
    O::Call,
    O::Icall,
    O::Eicall,
    O::Ret,
    O::Reti,
    O::Sleep,
    O::Wdr,
    O::Break,
    O::Spm,
];

use Operation as O;

/// The parts of the machine that an instruction touches, besides r0 to r31 and SREG.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// Nothing: it takes the same cycles always.
    Registers,
    /// The data space or program memory.
    Memory,
    /// The program counter.
    Flow,
    /// The conditions for an interrupt, or the world outside.
    Control,
}

impl Operation {
    /// The parts that it touches.
    pub const fn reach(self) -> Reach {
        match self {
            O::Undefined | O::Sei | O::Cli | O::Reti => Reach::Control,
            O::Sleep | O::Wdr | O::Break | O::Spm => Reach::Control,
            _ if self as u8 <= O::Cli as u8 => Reach::Registers,
            _ if self as u8 <= O::ElpmInc as u8 => Reach::Memory,
            _ => Reach::Flow,
        }
    }

    /// Cycles; of an instruction that may skip or branch: where it does not. The columns AVRe and AVRe+ of the
    /// manual, with a program counter of three bytes.
    pub const fn cycles(self) -> u32 {
        match self {
            O::Adiw | O::Sbiw => 2,
            O::Mul | O::Muls | O::Mulsu | O::Fmul | O::Fmuls | O::Fmulsu => 2,
            O::In | O::Out => 1,
            O::LpmR0 | O::Lpm | O::LpmInc | O::ElpmR0 | O::Elpm | O::ElpmInc | O::Jmp => 3,
            O::Rjmp | O::Ijmp | O::Eijmp => 2,
            O::Rcall | O::Icall | O::Eicall => 4,
            O::Call | O::Ret | O::Reti => 5,
            _ if matches!(self.reach(), Reach::Memory) => 2,
            _ => 1,
        }
    }

    /// Flags of SREG that an operation on registers reads, and those that it writes whatever they were. BSET and
    /// BCLR write that which `constant` is the mask of.
    pub const fn flags(self, constant: u8) -> (u8, u8) {
        const C: u8 = 1;
        const Z: u8 = 2;
        const T: u8 = 64;
        const LOGICAL: u8 = 0x1E;
        const SHIFT: u8 = LOGICAL | C;
        const ARITHMETIC: u8 = SHIFT | 0x20;
        match self {
            O::Add | O::Sub | O::Subi | O::Cp | O::Cpi | O::Neg => (0, ARITHMETIC),
            O::Adc => (C, ARITHMETIC),
            O::Sbc | O::Sbci | O::Cpc => (C | Z, ARITHMETIC),
            O::And | O::Andi | O::Or | O::Ori | O::Eor | O::Inc | O::Dec => (0, LOGICAL),
            O::Com | O::Asr | O::Lsr | O::Adiw | O::Sbiw => (0, SHIFT),
            O::Ror => (C, SHIFT),
            O::Mul | O::Muls | O::Mulsu | O::Fmul | O::Fmuls | O::Fmulsu => (0, C | Z),
            O::Bst => (0, T),
            O::Bld => (T, 0),
            O::Bset | O::Bclr => (0, constant),
            _ => (0, 0),
        }
    }

    /// Whether it writes the data space, where SREG stands.
    pub const fn writes_data(self) -> bool {
        matches!(self, O::Sts | O::Out | O::Push | O::Sbi | O::Cbi | O::Rcall | O::Call)
            || matches!(self, O::Icall | O::Eicall)
            || O::StX as u8 <= self as u8 && self as u8 <= O::StZDec as u8
    }

    /// The words of an instruction.
    pub const fn words(self) -> usize {
        1 + self.is_long() as usize
    }

    /// Whether its opcode is followed by a second word.
    pub const fn is_long(self) -> bool {
        matches!(self, O::Lds | O::Sts | O::Jmp | O::Call)
    }
}
