//! Instructions that reach registers and SREG alone.

use super::decoder::{Instruction, Operation as O};
use super::flags::flag::T;
use super::Avr;

impl Avr {
    #[inline(always)]
    fn added(&mut self, a: u8, b: u8, carry: u32) -> u8 {
        let sum = u32::from(a) + u32::from(b) + carry;
        self.flags.computed(sum as u8, u32::from(a ^ b) ^ sum);
        sum as u8
    }

    /// a − b.
    #[inline(always)]
    fn subtracted(&mut self, a: u8, b: u8) -> u8 {
        let difference = u32::from(a).wrapping_sub(u32::from(b));
        self.flags.computed(difference as u8, u32::from(a ^ b) ^ difference);
        difference as u8
    }

    /// a − b − C, where the difference is part of a longer one.
    #[inline(always)]
    fn subtracted_further(&mut self, a: u8, b: u8) -> u8 {
        let difference = u32::from(a).wrapping_sub(u32::from(b) + self.flags.carry());
        self.flags.extended(difference as u8, u32::from(a ^ b) ^ difference);
        difference as u8
    }

    #[inline(always)]
    fn logical(&mut self, result: u8) -> u8 {
        self.flags.signed(result, false);
        result
    }

    #[inline(always)]
    fn counted(&mut self, result: u8, overflow: bool) -> u8 {
        self.flags.signed(result, overflow);
        result
    }

    #[inline(always)]
    fn shifted(&mut self, result: u8, carry: bool) -> u8 {
        self.flags.shifted(result, carry);
        result
    }

    #[inline(always)]
    fn add_word(&mut self, low: usize, constant: u16) {
        let a = self.r.pair(low);
        let sum = a.wrapping_add(constant);
        self.flags.wide(sum, !a & sum & 0x8000 != 0, a & !sum & 0x8000 != 0);
        self.r.set_pair(low, sum);
    }

    #[inline(always)]
    fn subtract_word(&mut self, low: usize, constant: u16) {
        let a = self.r.pair(low);
        let difference = a.wrapping_sub(constant);
        self.flags.wide(difference, a & !difference & 0x8000 != 0, !a & difference & 0x8000 != 0);
        self.r.set_pair(low, difference);
    }

    /// Puts a product into r1:r0, of a fractional multiplication shifted left. C is its bit 15 before that.
    #[inline(always)]
    fn multiplied(&mut self, product: u16, fractional: bool) {
        let result = if fractional { product << 1 } else { product };
        self.flags.multiplied(result, product & 0x8000 != 0);
        self.r.set_pair(0, result);
    }

    /// Executes an instruction of [`Reach::Registers`](super::decoder::Reach::Registers). The program counter and
    /// the time are the caller's.
    #[inline(always)]
    pub(super) fn compute(&mut self, instruction: Instruction) {
        let (d, r, constant) = (instruction.d(), instruction.r(), instruction.constant());
        match instruction.operation {
            O::Add => self.r[d] = self.added(self.r[d], self.r[r], 0),
            O::Adc => self.r[d] = self.added(self.r[d], self.r[r], self.flags.carry()),
            O::Sub => self.r[d] = self.subtracted(self.r[d], self.r[r]),
            O::Sbc => self.r[d] = self.subtracted_further(self.r[d], self.r[r]),
            O::And => self.r[d] = self.logical(self.r[d] & self.r[r]),
            O::Or => self.r[d] = self.logical(self.r[d] | self.r[r]),
            O::Eor => self.r[d] = self.logical(self.r[d] ^ self.r[r]),
            O::Cp => drop(self.subtracted(self.r[d], self.r[r])),
            O::Cpc => drop(self.subtracted_further(self.r[d], self.r[r])),
            O::Mov => self.r[d] = self.r[r],
            O::Movw => self.r.set_pair(d, self.r.pair(r)),
            O::Subi => self.r[d] = self.subtracted(self.r[d], constant),
            O::Sbci => self.r[d] = self.subtracted_further(self.r[d], constant),
            O::Andi => self.r[d] = self.logical(self.r[d] & constant),
            O::Ori => self.r[d] = self.logical(self.r[d] | constant),
            O::Cpi => drop(self.subtracted(self.r[d], constant)),
            O::Ldi => self.r[d] = constant,
            O::Com => {
                self.r[d] = self.logical(!self.r[d]);
                self.flags.set_carry(true);
            }
            O::Neg => self.r[d] = self.subtracted(0, self.r[d]),
            O::Swap => self.r[d] = self.r[d].rotate_left(4),
            O::Inc => self.r[d] = self.counted(self.r[d].wrapping_add(1), self.r[d] == 0x7F),
            O::Dec => self.r[d] = self.counted(self.r[d].wrapping_sub(1), self.r[d] == 0x80),
            O::Asr => self.r[d] = self.shifted((self.r[d] as i8 >> 1) as u8, self.r[d] & 1 != 0),
            O::Lsr => self.r[d] = self.shifted(self.r[d] >> 1, self.r[d] & 1 != 0),
            O::Ror => {
                let result = self.r[d] >> 1 | (self.flags.carry() as u8) << 7;
                self.r[d] = self.shifted(result, self.r[d] & 1 != 0);
            }
            O::Adiw => self.add_word(d, constant.into()),
            O::Sbiw => self.subtract_word(d, constant.into()),
            O::Mul | O::Muls | O::Mulsu | O::Fmul | O::Fmuls | O::Fmulsu => {
                self.multiply(instruction.operation, self.r[d], self.r[r]);
            }
            O::Bst => self.flags.set(T, self.r[d] & constant != 0),
            O::Bld => {
                let set = if self.flags.has(T) { constant } else { 0 };
                self.r[d] = self.r[d] & !constant | set;
            }
            O::Bset => self.flags.set(constant, true),
            O::Bclr => self.flags.set(constant, false),
            _ => {}
        }
    }

    #[inline(always)]
    fn multiply(&mut self, operation: O, a: u8, b: u8) {
        let signed = |byte: u8| i16::from(byte as i8);
        let product = match operation {
            O::Mul | O::Fmul => u16::from(a) * u16::from(b),
            O::Muls | O::Fmuls => (signed(a) * signed(b)) as u16,
            _ => (signed(a) * i16::from(b)) as u16,
        };
        self.multiplied(product, matches!(operation, O::Fmul | O::Fmuls | O::Fmulsu));
    }
}
