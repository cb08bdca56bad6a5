//! A channel: its registers, and where its next transfer is.

use crate::bus::Width;

pub const EN: u32 = 1 << 0;
const FROM_MEMORY: u32 = 1 << 4;
const CIRC: u32 = 1 << 5;
const PINC: u32 = 1 << 6;
const MINC: u32 = 1 << 7;
const MEM2MEM: u32 = 1 << 14;

/// Of a channel's four flags.
const TCIF: u32 = 1 << 1;
const HTIF: u32 = 1 << 2;
pub const TEIF: u32 = 1 << 3;

/// One channel.
#[derive(Clone, Copy, Debug, Default)]
pub struct Channel {
    /// CCR.
    pub control: u32,
    /// CNDTR, and what it was when EN was set.
    count: u32,
    whole: u32,
    /// CPAR and CMAR.
    peripheral: u32,
    memory: u32,
}

fn width(code: u32) -> Width {
    match code & 3 {
        0 => Width::Byte,
        1 => Width::Half,
        _ => Width::Word,
    }
}

impl Channel {
    pub fn runs(&self) -> bool {
        self.control & EN != 0 && self.count > 0
    }

    pub fn is_memory_to_memory(&self) -> bool {
        self.control & MEM2MEM != 0
    }

    pub fn priority(&self) -> u32 {
        self.control >> 12 & 3
    }

    fn of_peripheral(&self) -> (u32, Width) {
        self.next(self.peripheral, PINC, width(self.control >> 8))
    }

    fn of_memory(&self) -> (u32, Width) {
        self.next(self.memory, MINC, width(self.control >> 10))
    }

    /// Where the next transfer is, of a side that begins at `base`.
    fn next(&self, base: u32, moves: u32, width: Width) -> (u32, Width) {
        let done = self.whole - self.count;
        let step = if self.control & moves != 0 { width.bytes() } else { 0 };
        (width.align(base.wrapping_add(done * step)), width)
    }

    /// Where the next transfer reads.
    pub fn source(&self) -> (u32, Width) {
        if self.control & FROM_MEMORY != 0 {
            self.of_memory()
        } else {
            self.of_peripheral()
        }
    }

    /// Where the next transfer writes.
    pub fn destination(&self) -> (u32, Width) {
        if self.control & FROM_MEMORY != 0 {
            self.of_peripheral()
        } else {
            self.of_memory()
        }
    }

    /// A transfer is complete: the flags it sets, and the transfers of the block that it ends.
    pub fn step(&mut self) -> (u32, Option<u32>) {
        self.count = self.count.saturating_sub(1);
        let half = if self.count == self.whole / 2 { HTIF } else { 0 };
        if self.count > 0 {
            return (half, None);
        }
        if self.control & CIRC != 0 && !self.is_memory_to_memory() {
            self.count = self.whole;
        }
        (half | TCIF, Some(self.whole))
    }

    pub fn read(&self, register: u32) -> u32 {
        match register & !3 {
            0x0 => self.control,
            0x4 => self.count,
            0x8 => self.peripheral,
            _ => self.memory,
        }
    }

    /// Writes a register; `false`: it is locked while the channel is on.
    pub fn write(&mut self, register: u32, value: u32) -> bool {
        if register & !3 == 0 {
            if value & !self.control & EN != 0 {
                self.whole = self.count;
            }
            self.control = value & 0x7FFF;
            return true;
        }
        if self.control & EN != 0 {
            return false;
        }
        match register & !3 {
            0x4 => (self.count, self.whole) = (value & 0xFFFF, value & 0xFFFF),
            0x8 => self.peripheral = value,
            _ => self.memory = value,
        }
        true
    }
}
