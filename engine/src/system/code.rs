//! Code: how it is fetched; that which is decoded ahead: how far it may run, and when it is void.

use super::{System, Window, NO_LINE};
use crate::bus::{Access, Bus, CodeBus, Status, LONGEST_BLOCK};
use crate::time::{Cycle, NEVER};
use crate::timing::LINE_SHIFT;

impl System {
    /// Whatever was decoded is void.
    #[cold]
    pub(super) fn forget_code(&mut self) {
        self.code_version += 1;
        self.pause = 0;
        self.memories.iter_mut().for_each(|memory| memory.release());
    }

    /// Bytes of a memory change: code that was decoded there is void.
    #[cold]
    #[inline(never)]
    pub(super) fn rewritten(&mut self, memory: usize, offset: u32, length: u32) {
        if length > 0 && self.memories[memory].rewrite(offset, length) {
            self.forget_code();
        }
    }
}

impl CodeBus for System {
    const LINE_SHIFT: u32 = LINE_SHIFT;

    #[inline]
    fn quiet_until(&self, status: Status) -> Cycle {
        if self.watch.is_quiet(status) {
            self.attention
        } else {
            0
        }
    }

    #[inline]
    fn pause_at(&mut self, cycle: Cycle) {
        self.pause = cycle;
    }

    #[inline(always)]
    fn pauses(&self) -> bool {
        self.now >= self.pause
    }

    #[inline]
    fn version(&self) -> u64 {
        self.code_version
    }

    fn code(&self, address: u32) -> Option<&[u8]> {
        self.stretch(address)
    }

    fn hold(&mut self, address: u32, length: u32) -> bool {
        let Some(window) = self.map.memory(address) else { return false };
        let offset = address - window.base + window.offset;
        self.memories[window.memory].hold(offset, length)
    }

    fn is_awaited(&self, address: u32) -> bool {
        self.watch.awaits(address)
    }

    #[inline(always)]
    fn fetch_known(&mut self, pc: u32, address: u32, access: Access) {
        self.pc = pc;
        if !self.fetches_again(address, access) {
            self.fetch_elsewhere(address, access);
        }
    }

    #[inline(always)]
    fn flows(&self, address: u32) -> bool {
        self.flows_on() && address >> LINE_SHIFT == self.line
    }

    #[inline(always)]
    fn flows_on(&self) -> bool {
        let until = self.now.saturating_add(self.longest_block);
        until < self.alarm && until < self.pause
    }

    #[inline(always)]
    fn fetch_again(&mut self, count: u32) {
        self.now += Cycle::from(count) * self.again;
    }

    #[inline(never)]
    fn fetch_line(&mut self, address: u32, access: Access) {
        self.fetch_quietly(address, access);
    }

    #[inline(always)]
    fn stand_at(&mut self, pc: u32) {
        self.pc = pc;
    }
}

impl System {
    /// Fetches go to this window from now on.
    pub(super) fn select_code(&mut self, window: Window) {
        let memory = &self.memories[window.memory];
        (self.again, self.slowest) = (memory.each_fetches_again(), memory.slowest_fetch());
        let longest = LONGEST_BLOCK as Cycle * self.slowest;
        self.longest_block = if self.again > 0 { longest } else { NEVER };
        let Window { base, size, offset, .. } = window;
        let aligned = (base | size | offset) & ((1 << LINE_SHIFT) - 1) == 0;
        self.no_line = if aligned { 0 } else { NO_LINE };
        self.code_shift = offset.wrapping_sub(base);
        (self.code, self.line) = (window, NO_LINE);
    }

    /// Spends the cycles of a fetch from the line fetched last, if `address` is in it and nothing else
    /// happens until then.
    #[inline(always)]
    pub(super) fn fetches_again(&mut self, address: u32, access: Access) -> bool {
        if address >> LINE_SHIFT != self.line {
            return false;
        }
        let cycles = match self.again {
            0 => self.memories[self.code.memory].fetches_again(access),
            cycles => cycles,
        };
        let completed = self.now + cycles;
        let quiet = completed < self.alarm;
        if quiet {
            self.now = completed;
        }
        quiet
    }

    /// Fetches from another line of the window of code than the last, where nothing else happens until then.
    #[inline(always)]
    fn fetch_quietly(&mut self, address: u32, access: Access) {
        self.line = self.line_of(address);
        let offset = address.wrapping_add(self.code_shift);
        self.now = self.memories[self.code.memory].completes_line(self.now, offset, access);
    }

    /// Fetches from the window of code, where nothing else happens until then.
    #[inline(always)]
    pub(super) fn fetch_code(&mut self, address: u32, access: Access) {
        if address >> LINE_SHIFT != self.line {
            self.fetch_line(address, access);
        } else if self.again > 0 {
            self.now += self.again;
        } else {
            self.now += self.memories[self.code.memory].fetches_again(access);
        }
    }

    /// The line at an address of the window of code, if lines there are lines of the memory.
    #[inline(always)]
    pub(super) fn line_of(&self, address: u32) -> u32 {
        address >> LINE_SHIFT | self.no_line
    }

    /// Fetches from another line than the last, or while somebody watches.
    #[inline(never)]
    fn fetch_elsewhere(&mut self, address: u32, access: Access) {
        let inside = address.wrapping_sub(self.code.base);
        if inside < self.code.size && self.alarm > 0 {
            self.line = self.line_of(address);
            let offset = access.align(inside + self.code.offset);
            let memory = &mut self.memories[self.code.memory];
            self.now = memory.completes(self.now, offset, access);
            if self.now >= self.alarm {
                self.fire();
            }
        } else {
            // What is decoded lies in memory, which answers.
            let _ = self.fetch(address, access);
        }
    }
}
