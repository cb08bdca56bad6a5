//! One channel: its registers, and what is left of its block.

use super::super::halfwords::merged;
use crate::bus::Width;

// Bits of a control register.
const DESTINATION_SHIFT: u32 = 5;
const SOURCE_SHIFT: u32 = 7;
const WORDS: u32 = 1 << 10;
const TIMING: u32 = 3 << 12;
const REQUESTS: u32 = 1 << 14;
const ENABLED: u32 = 1 << 15;

/// Bits that the control registers of the first three channels have, and of the last.
const WRITABLE: u32 = 0xF7E0;
const WRITABLE_LAST: u32 = 0xFFE0;

/// Address bits of a channel: on board alone, or the cartridge too.
const INSIDE: u32 = 0x07FF_FFFF;
const ANYWHERE: u32 = 0x0FFF_FFFF;

/// From here on the cartridge answers.
const CARTRIDGE: u32 = 0x0800_0000;

/// A channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channel {
    /// As written: addresses, units, control.
    first_source: u32,
    first_destination: u32,
    units: u32,
    pub control: u32,
    /// It wants the bus.
    pub asks: bool,
    /// It accessed the cartridge in this block, and no other channel came since.
    pub bursts: bool,
    /// The next unit's addresses, units left, units moved.
    pub source: u32,
    pub destination: u32,
    pub left: u32,
    moved: u32,
}

impl Channel {
    /// Writes bits of a halfword of channel n; whether that enables the channel.
    pub fn write(&mut self, n: usize, offset: u32, mask: u32, value: u32) -> bool {
        let upper = |old: u32| merged(old, mask << 16, value << 16);
        match offset {
            0 => self.first_source = merged(self.first_source, mask, value),
            2 => self.first_source = upper(self.first_source),
            4 => self.first_destination = merged(self.first_destination, mask, value),
            6 => self.first_destination = upper(self.first_destination),
            8 => self.units = merged(self.units, mask, value),
            _ => return self.write_control(n, mask, value),
        }
        false
    }

    fn write_control(&mut self, n: usize, mask: u32, value: u32) -> bool {
        let was_enabled = self.is_enabled();
        let writable = if n == 3 { WRITABLE_LAST } else { WRITABLE };
        self.control = merged(self.control, mask, value) & writable;
        if !self.is_enabled() {
            self.asks = false;
        } else if !was_enabled {
            self.latch(n);
            return true;
        }
        false
    }

    /// The block begins: addresses and number of units are taken from the registers.
    fn latch(&mut self, n: usize) {
        let aligned = self.width().bytes() - 1;
        self.source = self.first_source & !aligned & if n == 0 { INSIDE } else { ANYWHERE };
        self.destination =
            self.first_destination & !aligned & if n == 3 { ANYWHERE } else { INSIDE };
        let most = if n == 3 { 0x1_0000 } else { 0x4000 };
        let units = self.units & (most - 1);
        self.left = if units == 0 { most } else { units };
        (self.bursts, self.moved) = (false, 0);
    }

    /// Whether an access at `address` is sequential: all but the first to the cartridge.
    pub fn continues_burst(&mut self, address: u32) -> bool {
        address < CARTRIDGE || std::mem::replace(&mut self.bursts, true)
    }

    pub fn is_enabled(&self) -> bool {
        self.control & ENABLED != 0
    }

    pub fn starts_at_once(&self) -> bool {
        self.control & TIMING == 0
    }

    /// Whether the end of a block requests an interrupt.
    pub fn requests(&self) -> bool {
        self.control & REQUESTS != 0
    }

    pub fn width(&self) -> Width {
        if self.control & WORDS != 0 {
            Width::Word
        } else {
            Width::Half
        }
    }

    /// A unit was moved.
    pub fn step(&mut self) {
        let bytes = self.width().bytes();
        let stepped = |address: u32, mode: u32| match mode & 3 {
            1 => address.wrapping_sub(bytes),
            2 => address,
            _ => address.wrapping_add(bytes),
        };
        self.source = stepped(self.source, self.control >> SOURCE_SHIFT);
        self.destination = stepped(self.destination, self.control >> DESTINATION_SHIFT);
        self.moved += 1;
        self.left = self.left.saturating_sub(1);
    }

    /// The block is over: the channel is disabled. How many units were moved.
    pub fn end(&mut self) -> u32 {
        self.control &= !ENABLED;
        self.asks = false;
        self.moved
    }
}
