//! Branches.

use super::decoder::{Instruction, Operation as O};
use super::exceptions::Leave;
use super::psr::passes;
use super::{Armv7m, LR, PC};
use crate::bus::{Bus, Width};

impl Armv7m {
    /// The next instruction is that at `target`.
    #[inline(always)]
    pub(super) fn branch(&mut self, target: u32) {
        self.next = target;
        self.target = Some(target);
    }

    /// Branches by a value that names the state in bit 0, or that ends an exception.
    #[inline(always)]
    pub(super) fn interwork(&mut self, value: u32) -> Result<(), Leave> {
        if value >> 28 == 0xF && self.is_handling() {
            return Err(Leave::Return(value));
        }
        self.thumb = value & 1 != 0;
        self.branch(value & !1);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn go<B: Bus>(&mut self, bus: &mut B, one: &Instruction) -> Result<(), Leave> {
        let here = self.r[PC];
        let n = self.r[usize::from(one.n)];
        let far = here.wrapping_add(one.immediate);
        match one.operation {
            O::B => self.branch(far),
            O::Bcond if passes(one.condition, self.flags) => self.branch(far),
            O::Bcond => {}
            O::Cbz if n == 0 => self.branch(far),
            O::Cbnz if n != 0 => self.branch(far),
            O::Cbz | O::Cbnz => {}
            O::Bl => {
                self.r[LR] = self.next | 1;
                self.branch(far);
            }
            O::Bx => return self.interwork(self.r[usize::from(one.m)]),
            O::Blx => {
                let target = self.r[usize::from(one.m)];
                self.r[LR] = self.next | 1;
                self.thumb = target & 1 != 0;
                self.branch(target & !1);
            }
            _ => return self.go_by_table(bus, one),
        }
        Ok(())
    }

    fn go_by_table<B: Bus>(&mut self, bus: &mut B, one: &Instruction) -> Result<(), Leave> {
        let (n, m) = (self.r[usize::from(one.n)], self.r[usize::from(one.m)]);
        let distance = if one.operation == O::Tbb {
            self.load(bus, n.wrapping_add(m), Width::Byte)?
        } else {
            self.load(bus, n.wrapping_add(m << 1), Width::Half)?
        };
        self.branch(self.r[PC].wrapping_add(2 * distance));
        Ok(())
    }
}
