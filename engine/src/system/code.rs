//! Code that is decoded ahead: how far it may run, and when it is void.

use super::System;
use crate::bus::{Access, Bus, CodeBus, Status};
use crate::time::Cycle;

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
            self.fetch_line(address, access);
        }
    }
}

impl System {
    /// Fetches from another line than the last, or while somebody watches.
    #[inline(never)]
    fn fetch_line(&mut self, address: u32, access: Access) {
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
