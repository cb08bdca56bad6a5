//! The longer way of an access: its memory's timing has a state, something is due, or it is observed.

use super::hot::NO_LINE;
use super::System;
use crate::bus::{Abort, Access, Status};
use crate::instrument::Answered;
use crate::memory::Kind;
use crate::timing::MemoryTiming;

impl System {
    /// Waits until the path to a memory is free.
    #[inline(always)]
    fn await_path(&mut self, memory: usize) {
        if self.hot.contended {
            self.take_path(self.memories[memory].path);
        }
    }

    /// Reads a memory whose timing has a state, or where something is due or watched, or opcodes from
    /// another line than the last.
    #[inline(never)]
    pub(super) fn read_waiting(
        &mut self,
        index: usize,
        offset: u32,
        address: u32,
        access: Access,
    ) -> Result<u32, Abort> {
        if self.watch.accesses {
            return self.read_watched(index, offset, address, access);
        }
        self.await_path(index);
        let memory = &mut self.memories[index];
        let (completes, ends_line) = memory.timing.access_on_bus(self.hot.now, offset, access);
        self.hot.now = completes;
        if ends_line {
            self.hot.line = NO_LINE;
        }
        if self.hot.now < self.hot.alarm {
            return Ok(memory.read(offset, access));
        }
        let by = Answered::Memory { index, lines_read: 0 };
        self.finish_read(index, offset, address, access, by)
    }

    /// The same while instruments observe accesses.
    #[inline(never)]
    fn read_watched(
        &mut self,
        index: usize,
        offset: u32,
        address: u32,
        access: Access,
    ) -> Result<u32, Abort> {
        self.await_path(index);
        let memory = &mut self.memories[index];
        let lines_read = memory.timing.lines_read(self.hot.now, offset, access);
        let (completes, ends_line) = memory.timing.access_on_bus(self.hot.now, offset, access);
        self.hot.now = completes;
        if ends_line {
            self.hot.line = NO_LINE;
        }
        let by = Answered::Memory { index, lines_read };
        self.finish_read(index, offset, address, access, by)
    }

    #[cold]
    #[inline(never)]
    fn finish_read(
        &mut self,
        index: usize,
        offset: u32,
        address: u32,
        access: Access,
        by: Answered,
    ) -> Result<u32, Abort> {
        self.fire_during_access(self.memories[index].path);
        let value = self.memories[index].get(offset, access.width());
        self.notify_access(address, access, false, value, by);
        self.leave_path();
        Ok(value)
    }

    /// Writes a memory whose timing has a state or a cost for each kind of access, or one that is read only,
    /// or while something else is due.
    #[inline(never)]
    pub(super) fn write_waiting(
        &mut self,
        (index, offset): (usize, u32),
        address: u32,
        value: u32,
        access: Access,
    ) {
        self.await_path(index);
        let memory = &mut self.memories[index];
        let writing = access.writing();
        let (completes, ends_line) = memory.timing.access_on_bus(self.hot.now, offset, writing);
        self.hot.now = completes;
        if ends_line {
            self.hot.line = NO_LINE;
        }
        if self.hot.now >= self.hot.alarm || memory.kind == Kind::Rom {
            self.finish_write((index, offset), address, value, access);
        } else if memory.set(offset, access.width(), value) {
            self.rewritten(index, offset, access.width().bytes());
        }
    }

    #[cold]
    #[inline(never)]
    fn finish_write(
        &mut self,
        (memory, offset): (usize, u32),
        address: u32,
        value: u32,
        access: Access,
    ) {
        self.fire_during_access(self.memories[memory].path);
        if self.memories[memory].kind == Kind::Ram {
            self.trace_write(memory, offset, access.width());
            if self.memories[memory].set(offset, access.width(), value) {
                self.rewritten(memory, offset, access.width().bytes());
            }
        } else {
            self.write_rom(memory, address);
        }
        let by = Answered::Memory { index: memory, lines_read: 0 };
        self.notify_access(address, access, true, value, by);
        self.leave_path();
    }

    /// Notifies observers of a boundary. Returns `true` if the run is to stop there.
    #[inline(never)]
    pub(super) fn boundary_observed(&mut self, address: u32, status: Status, stack: u32) -> bool {
        let watched = self.watch.memories;
        let stop = self.watch.boundary(self.hot.now, address, status, stack);
        if self.watch.memories != watched {
            self.refresh_alarm();
        }
        stop
    }

    #[cold]
    fn write_rom(&mut self, memory: usize, address: u32) {
        let text = format!("a write to {}: it is ignored", self.memories[memory].name);
        self.wiring.port.take(self.hot.now);
        self.notes.accessing = Some(address);
        self.break_trace();
        self.report_unmodelled(text);
        self.notes.accessing = None;
    }
}
