//! Data processing: registers and flags alone.

use super::alu::{add, saturate_signed, saturate_unsigned, shift};
use super::decoder::{Instruction, Operand, Operation as O, SetFlags, Shift};
use super::exceptions::{Fault, Leave};
use super::psr::{C, N, V, Z};
use super::{Armv7m, PC, SP};

impl Armv7m {
    #[inline(always)]
    pub(super) fn compute(&mut self, one: &Instruction) -> Result<(), Leave> {
        let Some((result, flags)) = self.computed(one) else { return self.compute_elsewhere(one) };
        if self.sets(one) {
            self.flags = flags;
        }
        if !one.operation.compares() {
            self.write_result(one.d, result);
        }
        Ok(())
    }

    /// The result of an operation, and the flags that it makes; none of one that is executed less often.
    #[inline(always)]
    pub(super) fn computed(&self, one: &Instruction) -> Option<(u32, u32)> {
        self.computed_of(one, self.register(one.n), self.register(one.m))
    }

    /// Likewise, of these values of the registers Rn and Rm.
    #[inline(always)]
    pub(super) fn computed_of(&self, one: &Instruction, n: u32, m: u32) -> Option<(u32, u32)> {
        Some(match one.operation {
            O::And | O::Bic | O::Orr | O::Orn | O::Eor | O::Mov | O::Mvn | O::Tst | O::Teq => {
                self.logical(one, n, m)
            }
            O::Add | O::Cmn => sum(n, self.second(one, m), false),
            O::Adc => sum(n, self.second(one, m), self.carry()),
            O::Sub | O::Cmp => sum(n, !self.second(one, m), true),
            O::Sbc => sum(n, !self.second(one, m), self.carry()),
            O::Rsb => sum(!n, self.second(one, m), true),
            O::Lsl => self.shifted(Shift::Lsl, n, m),
            O::Lsr => self.shifted(Shift::Lsr, n, m),
            O::Asr => self.shifted(Shift::Asr, n, m),
            O::Ror => self.shifted(Shift::Ror, n, m),
            O::Adr => ((self.r[PC] & !3).wrapping_add(one.immediate), self.flags),
            _ => return None,
        })
    }

    #[inline(always)]
    pub(super) fn register(&self, number: u8) -> u32 {
        self.r[usize::from(number & 15)]
    }

    #[inline(never)]
    fn compute_elsewhere(&mut self, one: &Instruction) -> Result<(), Leave> {
        self.compute_rarely(one)
    }

    #[inline(always)]
    fn carry(&self) -> bool {
        self.flags & C != 0
    }

    #[inline(always)]
    fn sets(&self, one: &Instruction) -> bool {
        match one.flags {
            SetFlags::Never => false,
            SetFlags::Always => true,
            SetFlags::OutsideIt => !self.in_block,
        }
    }

    /// The second operand; Rm has this value.
    #[inline(always)]
    fn second(&self, one: &Instruction, m: u32) -> u32 {
        self.second_and_carry(one, m).0
    }

    /// The second operand, and the carry that it makes.
    #[inline(always)]
    fn second_and_carry(&self, one: &Instruction, m: u32) -> (u32, bool) {
        match one.operand {
            Operand::Constant => (one.immediate, self.carry()),
            Operand::Rotated => (one.immediate, one.immediate >> 31 != 0),
            Operand::Register => (m, self.carry()),
            Operand::Shifted(kind) => shift(kind, m, one.amount.into(), self.carry()),
        }
    }

    /// The flags with another N, Z and C.
    #[inline(always)]
    fn with_nzc(&self, result: u32, carry: bool) -> u32 {
        let zero = if result == 0 { Z } else { 0 };
        let carry = if carry { C } else { 0 };
        self.flags & V | result & N | zero | carry
    }

    /// Writes a register: the program counter is branched to, and the stack pointer counts words.
    #[inline(always)]
    pub(super) fn write_result(&mut self, d: u8, value: u32) {
        match usize::from(d) {
            PC => self.branch(value & !1),
            SP => self.r[SP] = value & !3,
            d => self.r[d & 15] = value,
        }
    }

    #[inline(always)]
    fn logical(&self, one: &Instruction, n: u32, m: u32) -> (u32, u32) {
        let (second, carry) = self.second_and_carry(one, m);
        let result = match one.operation {
            O::And | O::Tst => n & second,
            O::Bic => n & !second,
            O::Orr => n | second,
            O::Orn => n | !second,
            O::Eor | O::Teq => n ^ second,
            O::Mov => second,
            _ => !second,
        };
        (result, self.with_nzc(result, carry))
    }

    #[inline(always)]
    fn shifted(&self, kind: Shift, n: u32, m: u32) -> (u32, u32) {
        let (result, carry) = shift(kind, n, m & 0xFF, self.carry());
        (result, self.with_nzc(result, carry))
    }

    #[inline(always)]
    pub(super) fn compute_rarely(&mut self, one: &Instruction) -> Result<(), Leave> {
        let (d, n, m) = (self.register(one.d), self.register(one.n), self.register(one.m));
        let turned = m.rotate_right(one.amount.into());
        let field = || field_mask(one.immediate) << one.amount;
        let result = match one.operation {
            O::Movt => d & 0xFFFF | one.immediate << 16,
            O::Clz => m.leading_zeros(),
            O::Rbit => m.reverse_bits(),
            O::Rev => m.swap_bytes(),
            O::Rev16 => m.swap_bytes().rotate_right(16),
            O::Revsh => i32::from((m as u16).swap_bytes() as i16) as u32,
            O::Sxtb => turned as i8 as u32,
            O::Sxth => turned as i16 as u32,
            O::Uxtb => turned & 0xFF,
            O::Uxth => turned & 0xFFFF,
            O::Bfc => d & !field(),
            O::Bfi => d & !field() | n << one.amount & field(),
            O::Sbfx => bits_signed(n >> one.amount, one.immediate),
            O::Ubfx => n >> one.amount & field_mask(one.immediate),
            O::Ssat | O::Usat => return self.compute_saturated(one),
            _ => return self.compute_product(one, n, m),
        };
        self.write_result(one.d, result);
        Ok(())
    }

    #[inline(always)]
    fn compute_saturated(&mut self, one: &Instruction) -> Result<(), Leave> {
        let value = self.second(one, self.register(one.m)) as i32;
        let (result, changed) = if one.operation == O::Ssat {
            saturate_signed(value, one.immediate)
        } else {
            saturate_unsigned(value, one.immediate)
        };
        if changed {
            self.saturated = true;
        }
        self.write_result(one.d, result);
        Ok(())
    }

    #[inline(always)]
    fn compute_product(&mut self, one: &Instruction, n: u32, m: u32) -> Result<(), Leave> {
        self.operands = [n, m];
        let accumulator = self.register(one.a);
        self.kept = [self.register(one.d), accumulator];
        let long = u64::from(accumulator) << 32 | u64::from(self.kept[0]);
        let signed = || i64::from(n as i32).wrapping_mul(i64::from(m as i32)) as u64;
        let unsigned = || u64::from(n) * u64::from(m);
        let result = match one.operation {
            O::Mul => {
                let result = n.wrapping_mul(m);
                if self.sets(one) {
                    self.flags = self.with_nzc(result, self.carry());
                }
                result
            }
            O::Mla => n.wrapping_mul(m).wrapping_add(accumulator),
            O::Mls => accumulator.wrapping_sub(n.wrapping_mul(m)),
            O::Udiv | O::Sdiv if m == 0 => {
                if self.scb.traps_division() {
                    return Err(Fault::DivisionByZero.into());
                }
                0
            }
            O::Udiv => n / m,
            O::Sdiv => (n as i32).wrapping_div(m as i32) as u32,
            operation => {
                let product = match operation {
                    O::Smull => signed(),
                    O::Smlal => signed().wrapping_add(long),
                    O::Umull => unsigned(),
                    _ => unsigned().wrapping_add(long),
                };
                self.write_result(one.d, product as u32);
                self.write_result(one.a, (product >> 32) as u32);
                return Ok(());
            }
        };
        self.write_result(one.d, result);
        Ok(())
    }
}

/// A sum, and the flags that it makes.
#[inline(always)]
const fn sum(a: u32, b: u32, carry: bool) -> (u32, u32) {
    let (result, carries) = add(a, b, carry);
    let zero = if result == 0 { Z } else { 0 };
    (result, result & N | zero | carries)
}

/// So many ones.
const fn field_mask(bits: u32) -> u32 {
    if bits >= 32 {
        u32::MAX
    } else {
        (1 << bits) - 1
    }
}

/// The low bits as a signed number; 1 at least.
const fn bits_signed(value: u32, bits: u32) -> u32 {
    let unused = 32 - if bits > 32 { 32 } else { bits };
    ((value << unused) as i32 >> unused) as u32
}
