//! Accesses: how the core's calls reach memories and devices, and spend their cycles.
//!
//! `read` and `write` are the hot path. They make no calls but last ones, so that they save no
//! registers; what is rare goes on in functions of its own.

use super::{DeviceWindow, System, Window, NO_LINE};
use crate::bus::{Abort, Access, Bus, Lines, Status};
use crate::instrument::{Answered, Pause};
use crate::memory::{Kind, MemoryTiming};
use crate::time::Cycle;
use crate::timing::LINE_SHIFT;

/// Which of the windows for data an address may be in.
#[inline(always)]
fn nibble(address: u32) -> usize {
    (address >> 28) as usize
}

impl System {
    /// Events that are due by now fire.
    #[inline]
    fn fire_due(&mut self) {
        if self.now >= self.next_event {
            self.fire();
        }
    }

    #[cold]
    #[inline(never)]
    fn finish_pause(&mut self, cycles: u32) {
        self.fire_due();
        self.watch.paused(self.now, cycles.into(), Pause::Internal);
    }

    /// The window at `address`. The rules that its memory is charged by are touched.
    #[cold]
    fn find(&mut self, address: u32) -> Option<Window> {
        let window = self.map.memory(address)?;
        let memory = &self.memories[window.memory];
        let (slow, ahead) = match &memory.timing {
            MemoryTiming::Waits(_) => (true, false),
            MemoryTiming::Mam { mam, .. } => (mam.is_slow(), mam.is_slow() && mam.prefetches()),
        };
        if slow {
            Self::touch(&mut self.touched, &memory.rules);
        }
        if ahead {
            Self::touch(&mut self.touched, memory.prefetch_rule.as_slice());
        }
        Some(window)
    }

    /// Selects the window at `address` for accesses of this kind.
    #[cold]
    fn select(&mut self, address: u32, access: Access) -> Option<Window> {
        let window = self.find(address)?;
        if access.is_code() {
            (self.code, self.line) = (window, NO_LINE);
            self.again = self.memories[window.memory].each_fetches_again();
        } else {
            self.windows[nibble(address)] = window;
        }
        Some(window)
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

    /// The line at an address of the window of code, if lines there are lines of the memory.
    #[inline(always)]
    pub(super) fn line_of(&self, address: u32) -> u32 {
        let Window { base, size, offset, .. } = self.code;
        if (base | size | offset) & ((1 << LINE_SHIFT) - 1) == 0 {
            address >> LINE_SHIFT
        } else {
            NO_LINE
        }
    }

    /// Reads a memory whose timing has a state, or opcodes from another line than the last.
    #[inline(never)]
    fn read_waiting(
        &mut self,
        index: usize,
        offset: u32,
        address: u32,
        access: Access,
    ) -> Result<u32, Abort> {
        if self.watch.accesses {
            return self.read_watched(index, offset, address, access);
        }
        let memory = &mut self.memories[index];
        self.now = memory.completes(self.now, offset, access);
        if self.now < self.alarm {
            return Ok(memory.read(offset, access));
        }
        let by = Answered::Memory { index, lines_read: 0 };
        self.finish_read(index, offset, address, access, by)
    }

    /// The same while somebody watches accesses.
    #[inline(never)]
    fn read_watched(
        &mut self,
        index: usize,
        offset: u32,
        address: u32,
        access: Access,
    ) -> Result<u32, Abort> {
        let memory = &mut self.memories[index];
        let lines_read = memory.lines_read(self.now, offset, access);
        self.now = memory.completes(self.now, offset, access);
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
        self.fire_due();
        let value = self.memories[index].get(offset, access.width());
        if self.watch.accesses {
            self.watch.accessed(self.now, address, access, false, value, by);
        }
        Ok(value)
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
        self.fire_due();
        if self.memories[memory].kind == Kind::Ram {
            self.trace_write(memory, offset, access.width());
            if self.memories[memory].set(offset, access.width(), value) {
                self.rewritten(memory, offset, access.width().bytes());
            }
        } else {
            self.write_rom(memory, address);
        }
        if self.watch.accesses {
            let by = Answered::Memory { index: memory, lines_read: 0 };
            self.watch.accessed(self.now, address, access, true, value, by);
        }
    }

    #[cold]
    fn write_rom(&mut self, memory: usize, address: u32) {
        let text = format!("a write to {}: it is ignored", self.memories[memory].name);
        self.wiring.port.take(self.now);
        self.accessing = Some(address);
        self.break_trace();
        self.report_unmodelled(text);
        self.accessing = None;
    }

    #[cold]
    #[inline(never)]
    fn read_elsewhere(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        if self.select(address, access).is_some() {
            return self.read(address, access);
        }
        let Some(window) = self.map.device(address) else {
            return Err(self.abort(address, access, false));
        };
        let width = access.width();
        let offset = width.align(address) - window.base + window.offset;
        self.begin_device_access(address, window);
        let placed = &mut self.wiring.devices[window.device];
        let steady = placed.device.steady(offset);
        let value = placed.device.read(offset, width, &mut self.wiring.port);
        self.end_device_access(window);
        self.polled(steady, address, value);
        if self.watch.accesses {
            let by = Answered::Device { bus: window.bus };
            self.watch.accessed(self.now, address, access, false, value, by);
        }
        Ok(value)
    }

    #[cold]
    #[inline(never)]
    fn write_elsewhere(&mut self, address: u32, value: u32, access: Access) -> Result<(), Abort> {
        if self.select(address, access).is_some() {
            return self.write(address, value, access);
        }
        let Some(window) = self.map.device(address) else {
            return Err(self.abort(address, access, true));
        };
        let width = access.width();
        let offset = width.align(address) - window.base + window.offset;
        self.begin_device_access(address, window);
        let placed = &mut self.wiring.devices[window.device];
        placed.device.write(offset, width, value, &mut self.wiring.port);
        self.end_device_access(window);
        self.polled(false, address, value);
        if self.watch.accesses {
            let by = Answered::Device { bus: window.bus };
            self.watch.accessed(self.now, address, access, true, value, by);
        }
        Ok(())
    }

    /// The device sees the access at the cycle at which it completes, after every event due by then.
    fn begin_device_access(&mut self, address: u32, window: DeviceWindow) {
        let bus = &self.buses[window.bus];
        self.now = bus.completes(self.now);
        self.fire_due();
        let placed = &mut self.wiring.devices[window.device];
        if !placed.touched {
            placed.touched = true;
            Self::touch(&mut self.touched, &placed.rules);
        }
        Self::touch(&mut self.touched, &self.buses[window.bus].rules);
        self.wiring.port.take(self.now);
        self.accessing = Some(address);
    }

    fn end_device_access(&mut self, window: DeviceWindow) {
        self.settle(window.device);
        self.accessing = None;
        self.fire_due();
    }

    fn abort(&mut self, address: u32, access: Access, write: bool) -> Abort {
        self.now += 1;
        self.finish_pause(1);
        self.break_trace();
        self.pause = 0;
        self.refuse(address, access, write);
        Abort
    }
}

impl Bus for System {
    #[inline]
    fn read(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        if access.is_code() {
            return self.fetch(address, access);
        }
        let window = &self.windows[nibble(address)];
        let inside = address.wrapping_sub(window.base);
        if inside >= window.size {
            return self.read_elsewhere(address, access);
        }
        let offset = access.align(inside + window.offset);
        let index = window.memory;
        let memory = &self.memories[index];
        let Some(cycles) = memory.fixed_cycles(access) else {
            return self.read_waiting(index, offset, address, access);
        };
        self.now += cycles;
        if self.now >= self.alarm {
            let by = Answered::Memory { index, lines_read: 0 };
            return self.finish_read(index, offset, address, access, by);
        }
        Ok(memory.read(offset, access))
    }

    #[inline]
    fn fetch(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        let inside = address.wrapping_sub(self.code.base);
        if inside >= self.code.size {
            return self.read_elsewhere(address, access);
        }
        let offset = access.align(inside + self.code.offset);
        let index = self.code.memory;
        if self.fetches_again(address, access) {
            return Ok(self.memories[index].read(offset, access));
        }
        self.line = self.line_of(address);
        self.read_waiting(index, offset, address, access)
    }

    #[inline]
    fn write(&mut self, address: u32, value: u32, access: Access) -> Result<(), Abort> {
        let window = &self.windows[nibble(address)];
        let inside = address.wrapping_sub(window.base);
        if inside >= window.size {
            return self.write_elsewhere(address, value, access);
        }
        let offset = access.align(inside + window.offset);
        let index = window.memory;
        let memory = &mut self.memories[index];
        self.now = memory.completes(self.now, offset, access);
        if self.now >= self.alarm || memory.kind == Kind::Rom {
            self.finish_write((index, offset), address, value, access);
        } else if memory.set(offset, access.width(), value) {
            self.rewritten(index, offset, access.width().bytes());
        }
        Ok(())
    }

    #[inline]
    fn idle(&mut self, cycles: u32) {
        self.now += Cycle::from(cycles);
        if self.now >= self.alarm {
            self.finish_pause(cycles);
        }
    }

    #[inline]
    fn now(&self) -> Cycle {
        self.now
    }

    #[inline]
    fn attention(&self) -> Cycle {
        self.attention
    }

    fn lines(&mut self) -> Lines {
        Lines {
            irq: self.now >= self.irq_visible,
            fiq: self.now >= self.fiq_visible,
            stop: self.wish.is_some() || self.asleep || self.seems_to_wait,
        }
    }

    #[inline]
    fn boundary(&mut self, address: u32, status: Status) -> bool {
        self.pc = address;
        self.watch.instructions && self.watch.boundary(self.now, address, status)
    }

    fn entering(&mut self, vector: u32, mode: u8) {
        self.watch.entering(self.now, vector, mode);
    }

    fn excepted(&mut self, vector: u32, address: u32, return_address: u32) {
        self.break_trace();
        self.consider(vector, address, return_address);
    }
}
