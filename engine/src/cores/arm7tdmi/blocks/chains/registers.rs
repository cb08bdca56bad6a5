//! The state that operations read and change: registers, flags, and the RAM that the bus lends.

use super::super::super::psr::FLAGS;
use super::super::super::Arm7tdmi;
use crate::bus::{Lent, Width};
use crate::timing::mam_lpc2000::lent::LentFlash;

/// So many numbers a byte can name: no look-up of a register is checked.
const NAMES: usize = 256;

/// The registers of the current mode, outside the core while blocks follow one another.
pub(in super::super) struct Registers {
    /// r0 to r14. r15 stands in for what an instruction reads or writes there.
    pub r: [u32; NAMES],
    /// N, Z, C and V where a status register has them.
    pub flags: u32,
    pub thumb: bool,
    /// The RAM that most data are in.
    pub ram: Lent,
    /// Cycles of an access there.
    pub ram_cycles: u32,
    /// The flash that the code lies in, if it does.
    pub flash: Option<LentFlash>,
    /// Cycles of a branch's two fetches, where lines do not matter.
    pub refill_cycles: Option<u32>,
    /// Where the program goes on, once a block has been left.
    pub target: u32,
    /// Kind of the fetch there: see [`kind`](mod@kind).
    pub kind: u8,
    /// Operations behind the one by which the block was left.
    pub rest: usize,
    /// Instructions that the block has completed, that one included.
    pub completed: u32,
}

/// Kinds of the next fetch.
pub(in super::super) mod kind {
    /// Sequential.
    pub const SEQUENTIAL: u8 = 0;
    /// Non-sequential: behind a store.
    pub const NON_SEQUENTIAL: u8 = 1;
    /// As the core issues it behind an internal cycle.
    pub const AFTER_IDLE: u8 = 2;
}

impl Default for Registers {
    fn default() -> Self {
        Registers {
            r: [0; NAMES],
            flags: 0,
            thumb: false,
            ram: Lent::default(),
            ram_cycles: 0,
            flash: None,
            refill_cycles: None,
            target: 0,
            kind: kind::SEQUENTIAL,
            rest: 0,
            completed: 0,
        }
    }
}

impl Registers {
    /// Takes over from the core.
    #[inline(always)]
    pub fn take(&mut self, core: &Arm7tdmi) {
        self.r[..16].copy_from_slice(&core.r);
        self.flags = core.cpsr & FLAGS;
        self.thumb = core.is_thumb();
        let sequential = core.next.is_sequential();
        self.kind = if sequential { kind::SEQUENTIAL } else { kind::NON_SEQUENTIAL };
    }

    /// Gives the core r0 to r14 and the flags.
    #[inline(always)]
    pub fn give(&self, core: &mut Arm7tdmi) {
        core.r[..15].copy_from_slice(&self.r[..15]);
        core.cpsr = core.cpsr & !FLAGS | self.flags;
    }

    /// Width of an opcode.
    #[inline(always)]
    pub fn width(&self) -> Width {
        if self.thumb {
            Width::Half
        } else {
            Width::Word
        }
    }
}
