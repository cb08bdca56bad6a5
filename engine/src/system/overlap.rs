//! Accesses that the core begins without waiting for them. Observers are notified of them in order.

use super::hot::NO_LINE;
use super::System;
use crate::bus::{Abort, Access, Begun, Bus};
use crate::instrument::{Answered, Pause};
use crate::time::Cycle;
use crate::timing::MemoryTiming;

/// An access that was begun and that observers are to be notified of once it is complete.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unnotified {
    completes: Cycle,
    address: u32,
    access: Access,
    write: bool,
    value: u32,
    by: Answered,
}

impl System {
    /// [`Bus::begin`].
    pub(super) fn begin_access(
        &mut self,
        address: u32,
        access: Access,
        write: Option<u32>,
    ) -> Result<Begun, Abort> {
        if let Some(window) = self.map.memory(address) {
            self.take_path(self.memories[window.memory].path);
        }
        // Events that fell into the waiting may have changed the map.
        let Some(window) = self.find(address) else {
            let value = match write {
                Some(value) => self.write(address, value, access).map(|()| 0)?,
                None => self.read(address, access)?,
            };
            return Ok(Begun { value, completes: self.hot.now });
        };
        let (index, offset) = (window.memory, access.align(address - window.base + window.offset));
        let memory = &mut self.memories[index];
        let lines_read = if write.is_some() || !self.watch.accesses {
            0
        } else {
            memory.timing.lines_read(self.hot.now, offset, access)
        };
        let seen = if write.is_some() { access.writing() } else { access };
        let (completes, ends_line) = memory.timing.access_on_bus(self.hot.now, offset, seen);
        if ends_line {
            self.hot.line = NO_LINE;
        }
        let path = memory.path;
        let value = match write {
            None => memory.get(offset, access.width()),
            Some(value) => {
                self.wiring.port.take(self.hot.now);
                self.trace_write(index, offset, access.width());
                self.put((index, offset), value, access)
            }
        };
        self.arbiter.paths[path].busy_until = completes;
        if self.watch.accesses {
            let by = Answered::Memory { index, lines_read };
            let (write, value) = (write.is_some(), write.unwrap_or(value));
            self.unnotified.push(Unnotified { completes, address, access, write, value, by });
        }
        self.hot.contended = true;
        self.leave_path();
        Ok(Begun { value, completes })
    }

    /// [`Bus::wait`].
    pub(super) fn wait_until(&mut self, until: Cycle) {
        if until > self.hot.now {
            self.hot.now = until;
            self.fire_due();
        }
        self.notify_begun();
        self.refresh_alarm();
    }

    /// Notifies observers of the accesses that were begun and are complete. Returns the cycle in which the last
    /// of them completed; 0 without any.
    fn notify_begun(&mut self) -> Cycle {
        let mut last = 0;
        if !self.unnotified.is_empty() {
            self.unnotified.sort_by_key(|unnotified| unnotified.completes);
            let complete =
                self.unnotified.partition_point(|unnotified| unnotified.completes <= self.hot.now);
            for one in self.unnotified.drain(..complete) {
                let Unnotified { completes, address, access, write, value, by } = one;
                self.watch.accessed(completes, address, access, write, value, by);
                last = completes;
            }
        }
        last
    }

    /// Notifies observers of an access that is complete now.
    pub(super) fn notify_access(
        &mut self,
        address: u32,
        access: Access,
        write: bool,
        value: u32,
        by: Answered,
    ) {
        if self.watch.accesses {
            self.notify_begun();
            self.watch.accessed(self.hot.now, address, access, write, value, by);
            if !access.is_code() {
                self.consider_access(address, access, write, value);
            }
        }
    }

    /// Notifies observers of cycles up to now without an access of the core.
    pub(super) fn notify_pause(&mut self, cycles: Cycle, why: Pause) {
        let last = self.notify_begun();
        self.watch.paused(self.hot.now, cycles.min(self.hot.now - last), why);
    }
}
