//! Counts of the transfers that devices make by themselves (DMA): by device, channel and direction.

use std::collections::BTreeMap;

use crate::bus::Access;
use crate::device::Tag;
use crate::instrument::{Instrument, Interest, Mover};
use crate::time::Cycle;

/// All that one channel of a device has moved in one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Transfers that are complete.
    pub transfers: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Cycles for which the core waited for them.
    pub stolen_cycles: Cycle,
    /// Blocks that are over, by their length in transfers: a buffer was full, empty or withdrawn.
    pub blocks: BTreeMap<u32, u64>,
    /// Transfers of the block under way.
    pub open: u32,
}

/// The instrument.
#[derive(Debug, Default)]
pub struct Transfers {
    moved: BTreeMap<Mover, Moved>,
}

impl Transfers {
    /// The counts so far.
    pub fn counts(&self) -> &BTreeMap<Mover, Moved> {
        &self.moved
    }

    /// Begins to count anew. A block that is under way counts with all its transfers when it ends.
    pub fn clear(&mut self) {
        self.moved.clear();
    }
}

impl Instrument for Transfers {
    fn interest(&self) -> Interest {
        Interest::Transfers
    }

    fn reset(&mut self) {
        self.clear();
    }

    fn kept(&mut self, by: Mover, cycles: Cycle) {
        self.moved.entry(by).or_default().stolen_cycles += cycles;
    }

    fn transferred(&mut self, _at: Cycle, _address: u32, access: Access, by: Mover, _value: u32) {
        let moved = self.moved.entry(by).or_default();
        moved.transfers += 1;
        moved.bytes += u64::from(access.width().bytes());
        moved.open += 1;
    }

    fn block_ended(&mut self, _at: Cycle, device: usize, tag: Tag, transfers: u32) {
        let mut of_channel =
            self.moved.iter_mut().filter(|(mover, _)| (mover.device, mover.tag) == (device, tag));
        if let Some((_, moved)) = of_channel.next() {
            *moved.blocks.entry(transfers).or_default() += 1;
            moved.open = 0;
        }
    }
}
