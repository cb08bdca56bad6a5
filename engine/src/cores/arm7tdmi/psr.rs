//! Program status registers: flags, mask bits, modes and conditions (ARM DDI 0029, "Programmer's model").

/// Negative.
pub(super) const N: u32 = 1 << 31;
/// Zero.
pub(super) const Z: u32 = 1 << 30;
/// Carry; after a subtraction, "no borrow".
pub(super) const C: u32 = 1 << 29;
/// Signed overflow.
pub(super) const V: u32 = 1 << 28;
/// The four flags.
pub(super) const FLAGS: u32 = N | Z | C | V;
/// Normal interrupts are masked.
pub(super) const I: u32 = 1 << 7;
/// Fast interrupts are masked.
pub(super) const F: u32 = 1 << 6;
/// Thumb state.
pub(super) const T: u32 = 1 << 5;
/// The mode bits.
pub(super) const MODE: u32 = 0x1F;
/// Bit 4 of the mode, which reads as 1 whatever was written.
pub(super) const ALWAYS: u32 = 0x10;

/// A set of banked registers. User and System share one; the 26-bit and unallocated mode numbers,
/// whose behaviour no manual defines, use it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Bank {
    User,
    Fiq,
    Supervisor,
    Abort,
    Irq,
    Undefined,
}

impl Bank {
    /// How many there are.
    pub(super) const COUNT: usize = 6;

    /// The bank that a status register selects.
    #[inline]
    pub(super) const fn of(psr: u32) -> Self {
        match psr & MODE {
            mode::FIQ => Bank::Fiq,
            mode::IRQ => Bank::Irq,
            mode::SUPERVISOR => Bank::Supervisor,
            mode::ABORT => Bank::Abort,
            mode::UNDEFINED => Bank::Undefined,
            _ => Bank::User,
        }
    }
}

/// The seven processor modes, as the low five bits of a status register.
pub mod mode {
    /// User: the only unprivileged mode.
    pub const USER: u32 = 0x10;
    /// Fast interrupt.
    pub const FIQ: u32 = 0x11;
    /// Normal interrupt.
    pub const IRQ: u32 = 0x12;
    /// Supervisor: after reset and SWI.
    pub const SUPERVISOR: u32 = 0x13;
    /// After a prefetch or data abort.
    pub const ABORT: u32 = 0x17;
    /// After an undefined instruction.
    pub const UNDEFINED: u32 = 0x1B;
    /// Privileged, with the registers of User.
    pub const SYSTEM: u32 = 0x1F;
}

/// For each condition, one bit per value of NZCV: whether it passes. The condition NV (0xF) never
/// does on this architecture.
const PASSES: [u16; 16] = {
    let mut table = [0u16; 16];
    let mut nzcv = 0;
    while nzcv < 16 {
        let (n, z, c, v) = (nzcv & 8 != 0, nzcv & 4 != 0, nzcv & 2 != 0, nzcv & 1 != 0);
        let tests = [z, c, n, v, c && !z, n == v, n == v && !z, true];
        let mut i = 0;
        while i < 8 {
            table[2 * i + !tests[i] as usize] |= 1 << nzcv;
            i += 1;
        }
        nzcv += 1;
    }
    table
};

/// Whether `condition` (0 to 15) holds for the flags of `psr`.
#[inline(always)]
pub(super) const fn passes(condition: u32, psr: u32) -> bool {
    Condition::of(condition).holds(psr)
}

/// When an instruction executes: one bit per value of NZCV.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition(u16);

impl Condition {
    /// The condition of this number (0 to 15).
    #[inline(always)]
    pub const fn of(number: u32) -> Self {
        Condition(PASSES[(number & 15) as usize])
    }

    /// Its number, 0 (EQ) to 15 (NV).
    pub fn number(self) -> usize {
        PASSES.iter().position(|&passes| passes == self.0).unwrap_or_default()
    }

    /// Whether it holds whatever the flags are.
    pub const fn holds_always(self) -> bool {
        self.0 == u16::MAX
    }

    /// Whether it holds for the flags of `psr`.
    #[inline(always)]
    pub const fn holds(self, psr: u32) -> bool {
        self.0 >> (psr >> 28) & 1 != 0
    }
}

/// N and Z of a 32-bit result.
#[inline(always)]
pub(super) const fn negative_zero(result: u32) -> u32 {
    (result & N) | if result == 0 { Z } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_follow_their_names() {
        let (eq, ne, hi, ls, ge, lt, gt, le, al, nv) = (0, 1, 8, 9, 10, 11, 12, 13, 14, 15);
        assert!(passes(eq, Z) && !passes(ne, Z) && passes(ne, 0));
        assert!(passes(hi, C) && passes(ls, C | Z) && passes(ls, 0));
        assert!(passes(ge, N | V) && passes(lt, N) && passes(gt, 0) && passes(le, Z));
        for psr in 0..16 {
            assert!(passes(al, psr << 28) && !passes(nv, psr << 28));
        }
    }
}
