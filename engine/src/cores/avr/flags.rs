//! SREG.

/// The bits of SREG.
pub(super) mod flag {
    pub const C: u8 = 1;
    pub const Z: u8 = 2;
    pub const N: u8 = 4;
    pub const V: u8 = 8;
    pub const S: u8 = 16;
    pub const H: u8 = 32;
    pub const T: u8 = 64;
    pub const I: u8 = 128;
}

use flag::{C, H, I, N, S, T, V, Z};

/// Bits that differ where S is not N xor V, as an instruction has written it.
const S_APART: u32 = 0xC000_0000;

/// SREG as what its flags follow from: an instruction leaves that behind, and who reads a flag computes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flags {
    /// Bit n is the carry, or the borrow, into bit n of the result: C is bit 8, H is bit 4.
    carries: u32,
    /// The same, of the instruction that wrote V last: V is bit 8 xor bit 7.
    overflow: u32,
    /// Z is set if this is 0.
    zero: u8,
    /// N is bit 7.
    sign: u8,
    /// T and I.
    held: u8,
}

impl Flags {
    /// All clear.
    pub const CLEAR: Self = Flags { carries: 0, overflow: 0, zero: 1, sign: 0, held: 0 };

    /// Whether this one flag is set.
    #[inline(always)]
    pub fn has(&self, flag: u8) -> bool {
        match flag {
            C => self.carries & 0x100 != 0,
            Z => self.zero == 0,
            N => self.sign & 0x80 != 0,
            V => (self.overflow >> 1 ^ self.overflow) & 0x80 != 0,
            S => {
                let apart = self.overflow >> 31 ^ self.overflow >> 30;
                let overflow = self.overflow >> 8 ^ self.overflow >> 7;
                (u32::from(self.sign >> 7) ^ overflow ^ apart) & 1 != 0
            }
            H => self.carries & 0x10 != 0,
            _ => self.held & flag != 0,
        }
    }

    /// SREG.
    pub fn byte(&self) -> u8 {
        [C, Z, N, V, S, H].into_iter().filter(|&flag| self.has(flag)).sum::<u8>() | self.held
    }

    /// Writes SREG.
    pub fn set_byte(&mut self, sreg: u8) {
        self.carries = u32::from(sreg & C) << 8 | u32::from(sreg & H) >> 1;
        self.overflow = if sreg & V != 0 { 0x100 } else { 0 };
        self.zero = !sreg & Z;
        self.sign = if sreg & N != 0 { 0x80 } else { 0 };
        self.held = sreg & (T | I);
        if self.has(S) != (sreg & S != 0) {
            self.overflow ^= S_APART & 1 << 31;
        }
    }

    /// Sets or clears one flag.
    #[inline(always)]
    pub fn set(&mut self, flag: u8, to: bool) {
        match flag {
            T | I => self.held = self.held & !flag | if to { flag } else { 0 },
            C => self.set_carry(to),
            _ => {
                let others = self.byte() & !flag;
                self.set_byte(if to { others | flag } else { others });
            }
        }
    }

    /// C as a number.
    #[inline(always)]
    pub fn carry(&self) -> u32 {
        self.carries >> 8 & 1
    }

    #[inline(always)]
    pub fn set_carry(&mut self, to: bool) {
        self.carries = self.carries & !0x100 | u32::from(to) << 8;
    }

    /// All flags of a sum or a difference of bytes, of which `carries` has bit 8 and those below.
    #[inline(always)]
    pub fn computed(&mut self, result: u8, carries: u32) {
        (self.carries, self.overflow) = (carries, carries);
        (self.zero, self.sign) = (result, result);
    }

    /// The same, where Z stays only if it was set: the result is part of a longer one.
    #[inline(always)]
    pub fn extended(&mut self, result: u8, carries: u32) {
        let zero = self.zero | result;
        self.computed(result, carries);
        self.zero = zero;
    }

    /// Z, N, V and S of a result: C and H stay.
    #[inline(always)]
    pub fn signed(&mut self, result: u8, overflow: bool) {
        self.overflow = u32::from(overflow) << 8;
        (self.zero, self.sign) = (result, result);
    }

    /// C, Z, N, V and S of a shift to the right: V is N xor C.
    #[inline(always)]
    pub fn shifted(&mut self, result: u8, carry: bool) {
        self.set_carry(carry);
        self.overflow = u32::from(carry) << 8 | u32::from(result & 0x80);
        (self.zero, self.sign) = (result, result);
    }

    /// C, Z, N, V and S of a result of two bytes.
    #[inline(always)]
    pub fn wide(&mut self, result: u16, overflow: bool, carry: bool) {
        self.set_carry(carry);
        self.overflow = u32::from(overflow) << 8;
        self.sign = (result >> 8) as u8;
        self.zero = (result >> 8) as u8 | result as u8;
    }

    /// C and Z of a product.
    #[inline(always)]
    pub fn multiplied(&mut self, result: u16, carry: bool) {
        self.set_carry(carry);
        self.zero = (result >> 8) as u8 | result as u8;
    }
}
