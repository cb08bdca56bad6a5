//! Instructions that reach registers and SREG alone.

use super::decoder::{self, Operation as O};
use super::Avr;

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

use flag::{C, H, N, S, T, V, Z};

/// Z, N and S of each result without an overflow.
static SIGNS: [u8; 256] = {
    let mut signs = [0; 256];
    signs[0] = Z;
    let mut negative = 0x80;
    while negative < signs.len() {
        signs[negative] = N | S;
        negative += 1;
    }
    signs
};

/// Z, N, V and S of a result: S is N xor V. Bit 7 of `overflow` says whether there was one.
#[inline(always)]
fn signs(result: u8, overflow: u8) -> u8 {
    SIGNS[usize::from(result)] ^ ((overflow >> 7) * (V | S))
}

/// The same of a result of two bytes.
#[inline(always)]
fn wide_signs(result: u16, overflow: u16) -> u8 {
    let any = u8::from(result as u8 != 0);
    signs((result >> 8) as u8 | any, (overflow >> 8) as u8)
}

impl Avr {
    #[inline(always)]
    fn set_flags(&mut self, which: u8, to: u8) {
        self.sreg = self.sreg & !which | to & which;
    }

    #[inline(always)]
    fn carry(&self) -> u8 {
        self.sreg & C
    }

    #[inline(always)]
    fn added(&mut self, a: u8, b: u8, carry: u8) -> u8 {
        let sum = a.wrapping_add(b).wrapping_add(carry);
        let carries = a & b | (a | b) & !sum;
        let flags = signs(sum, (a ^ sum) & (b ^ sum)) | carries >> 7 | (carries & 8) << 2;
        self.set_flags(C | Z | N | V | S | H, flags);
        sum
    }

    /// a − b − borrow. With `extends`, Z stays only where it was set: the result is part of a longer one.
    #[inline(always)]
    fn subtracted(&mut self, a: u8, b: u8, borrow: u8, extends: bool) -> u8 {
        let difference = a.wrapping_sub(b).wrapping_sub(borrow);
        let borrows = !a & b | (!a | b) & difference;
        let signs = signs(difference, (a ^ b) & (a ^ difference));
        let flags = signs | borrows >> 7 | (borrows & 8) << 2;
        let cleared = if extends { !self.sreg & Z } else { 0 };
        self.set_flags(C | Z | N | V | S | H, flags & !cleared);
        difference
    }

    /// Flags of a logical result: V is clear, C and H stay.
    #[inline(always)]
    fn logical(&mut self, result: u8) -> u8 {
        self.set_flags(Z | N | V | S, signs(result, 0));
        result
    }

    /// Flags of INC and DEC: C and H stay.
    #[inline(always)]
    fn counted(&mut self, result: u8, overflow: bool) -> u8 {
        self.set_flags(Z | N | V | S, signs(result, u8::from(overflow) << 7));
        result
    }

    /// Flags of a shift to the right: V is N xor C, H stays.
    #[inline(always)]
    fn shifted(&mut self, result: u8, carry: bool) -> u8 {
        let carry = u8::from(carry);
        self.set_flags(C | Z | N | V | S, signs(result, result ^ carry << 7) | carry);
        result
    }

    #[inline(always)]
    pub(super) fn pair(&self, low: usize) -> u16 {
        u16::from_le_bytes([self.r[low], self.r[low + 1]])
    }

    #[inline(always)]
    pub(super) fn set_pair(&mut self, low: usize, value: u16) {
        [self.r[low], self.r[low + 1]] = value.to_le_bytes();
    }

    #[inline(always)]
    fn add_word(&mut self, low: usize, constant: u16) {
        let a = self.pair(low);
        let sum = a.wrapping_add(constant);
        let carry = ((a & !sum) >> 15) as u8;
        self.set_flags(C | Z | N | V | S, wide_signs(sum, !a & sum) | carry);
        self.set_pair(low, sum);
    }

    #[inline(always)]
    fn subtract_word(&mut self, low: usize, constant: u16) {
        let a = self.pair(low);
        let difference = a.wrapping_sub(constant);
        let carry = ((!a & difference) >> 15) as u8;
        self.set_flags(C | Z | N | V | S, wide_signs(difference, a & !difference) | carry);
        self.set_pair(low, difference);
    }

    /// Puts a product into r1:r0, of a fractional multiplication shifted left. C is its bit 15 before that.
    #[inline(always)]
    fn multiplied(&mut self, product: u16, fractional: bool) {
        let result = if fractional { product << 1 } else { product };
        self.set_flags(C | Z, (product >> 15) as u8 | u8::from(result == 0) << 1);
        self.set_pair(0, result);
    }

    /// Executes an instruction of [`Reach::Registers`](super::decoder::Reach::Registers). The program counter and
    /// the time are the caller's.
    #[inline(always)]
    pub(super) fn compute(&mut self, operation: O, opcode: u16) {
        let (d, r) = (decoder::d(opcode), decoder::r(opcode));
        let (high, constant) = (decoder::high_d(opcode), decoder::constant(opcode));
        match operation {
            O::Add => self.r[d] = self.added(self.r[d], self.r[r], 0),
            O::Adc => self.r[d] = self.added(self.r[d], self.r[r], self.carry()),
            O::Sub => self.r[d] = self.subtracted(self.r[d], self.r[r], 0, false),
            O::Sbc => self.r[d] = self.subtracted(self.r[d], self.r[r], self.carry(), true),
            O::And => self.r[d] = self.logical(self.r[d] & self.r[r]),
            O::Or => self.r[d] = self.logical(self.r[d] | self.r[r]),
            O::Eor => self.r[d] = self.logical(self.r[d] ^ self.r[r]),
            O::Cp => drop(self.subtracted(self.r[d], self.r[r], 0, false)),
            O::Cpc => drop(self.subtracted(self.r[d], self.r[r], self.carry(), true)),
            O::Mov => self.r[d] = self.r[r],
            O::Movw => {
                let from = self.pair(2 * (opcode & 15) as usize);
                self.set_pair(2 * (opcode >> 4 & 15) as usize, from);
            }
            O::Subi => self.r[high] = self.subtracted(self.r[high], constant, 0, false),
            O::Sbci => self.r[high] = self.subtracted(self.r[high], constant, self.carry(), true),
            O::Andi => self.r[high] = self.logical(self.r[high] & constant),
            O::Ori => self.r[high] = self.logical(self.r[high] | constant),
            O::Cpi => drop(self.subtracted(self.r[high], constant, 0, false)),
            O::Ldi => self.r[high] = constant,
            O::Com => {
                self.r[d] = self.logical(!self.r[d]);
                self.sreg |= C;
            }
            O::Neg => self.r[d] = self.subtracted(0, self.r[d], 0, false),
            O::Swap => self.r[d] = self.r[d].rotate_left(4),
            O::Inc => self.r[d] = self.counted(self.r[d].wrapping_add(1), self.r[d] == 0x7F),
            O::Dec => self.r[d] = self.counted(self.r[d].wrapping_sub(1), self.r[d] == 0x80),
            O::Asr => self.r[d] = self.shifted((self.r[d] as i8 >> 1) as u8, self.r[d] & 1 != 0),
            O::Lsr => self.r[d] = self.shifted(self.r[d] >> 1, self.r[d] & 1 != 0),
            O::Ror => {
                let result = self.r[d] >> 1 | self.carry() << 7;
                self.r[d] = self.shifted(result, self.r[d] & 1 != 0);
            }
            O::Adiw | O::Sbiw => {
                let (low, constant) = decoder::pair_and_constant(opcode);
                if matches!(operation, O::Adiw) {
                    self.add_word(low, constant);
                } else {
                    self.subtract_word(low, constant);
                }
            }
            O::Mul => self.multiplied(u16::from(self.r[d]) * u16::from(self.r[r]), false),
            O::Muls => {
                let (a, b) = (self.r[high] as i8, self.r[(opcode & 15 | 16) as usize] as i8);
                self.multiplied((i16::from(a) * i16::from(b)) as u16, false);
            }
            O::Mulsu | O::Fmul | O::Fmuls | O::Fmulsu => self.multiply_low(operation, opcode),
            O::Bst => {
                let set = self.r[d] & decoder::bit(opcode) != 0;
                self.set_flags(T, if set { T } else { 0 });
            }
            O::Bld => {
                let bit = decoder::bit(opcode);
                let set = if self.sreg & T != 0 { bit } else { 0 };
                self.r[d] = self.r[d] & !bit | set;
            }
            O::Bset => self.sreg |= decoder::bit(opcode >> 4),
            O::Bclr => self.sreg &= !decoder::bit(opcode >> 4),
            _ => {}
        }
    }

    /// The multiplications of r16 to r23.
    #[inline(always)]
    fn multiply_low(&mut self, operation: O, opcode: u16) {
        let a = self.r[(opcode >> 4 & 7 | 16) as usize];
        let b = self.r[(opcode & 7 | 16) as usize];
        let signed = |byte: u8| i16::from(byte as i8);
        let product = match operation {
            O::Fmul => u16::from(a) * u16::from(b),
            O::Fmuls => (signed(a) * signed(b)) as u16,
            _ => (signed(a) * i16::from(b)) as u16,
        };
        self.multiplied(product, !matches!(operation, O::Mulsu));
    }
}
