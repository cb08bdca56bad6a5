//! Accesses: how the core's calls reach memories and devices, and spend their cycles.
//!
//! `read` and `write` are the hot path, a part of whatever calls them; what is rare goes on in functions
//! of its own.

use super::hot::{Data, DEPENDS};
use super::{Request, System, Window};
use crate::bus::{Abort, Access, Begun, Bus, Exception, ExceptionKind, Pending, Status, Width};
use crate::instrument::{Pause, Requester};
use crate::memory::Kind;
use crate::moves::Move;
use crate::time::Cycle;
use crate::timing::MemoryTiming;

impl System {
    /// Where the request at input `n` of the core comes from.
    fn requester(&self, n: usize) -> Requester {
        let Some((device, output)) = self.requests.get(n).and_then(|one| one.source) else {
            return Requester::Line(n);
        };
        let placed = &self.wiring.devices[device].device;
        if placed.requesting().is_none() {
            return Requester::Line(n);
        }
        let source = placed.requester(output);
        source.map_or(Requester::Spurious(n), |input| Requester::Source { device, input })
    }

    /// Events that are due by now fire.
    #[inline]
    pub(super) fn fire_due(&mut self) {
        if self.hot.now >= self.hot.next_event {
            self.fire();
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn finish_pause(&mut self, cycles: u32) {
        self.fire_due();
        self.notify_pause(cycles.into(), Pause::Internal);
    }

    /// The window at `address`. The rules that its memory is charged by are touched.
    #[cold]
    pub(super) fn find(&mut self, address: u32) -> Option<Window> {
        let window = self.map.memory(address)?;
        let memory = &self.memories[window.memory];
        let (by_its_own, by_its_timing) = memory.timing.is_charged();
        if by_its_own {
            Self::touch(&mut self.notes.touched, &memory.rules);
        }
        if by_its_timing {
            Self::touch(&mut self.notes.touched, memory.timing.rules());
        }
        Some(window)
    }

    /// Selects the window at `address` for accesses of this kind.
    #[cold]
    pub(super) fn select(&mut self, address: u32, access: Access) -> Option<Window> {
        let window = self.find(address)?;
        if access.is_code() {
            self.select_code(window);
        } else {
            let memory = &self.memories[window.memory];
            let read = memory.each_data_cycles().unwrap_or(DEPENDS);
            let write = if memory.kind == Kind::Ram { read } else { DEPENDS };
            let page = self.hot.page(address);
            self.hot.pages[page] = Data { window, read, write };
        }
        Some(window)
    }

    /// Where `count` words lie, and when they have been accessed, if nothing else happens until then.
    #[inline(always)]
    fn words(&self, address: u32, count: u32, write: bool) -> Option<(usize, u32, Cycle)> {
        let Data { window, read, write: written, .. } = self.hot.pages[self.hot.page(address)];
        let each = if write { written } else { read };
        let inside = address.wrapping_sub(window.base);
        let fits = inside < window.size && window.size - inside >= 4 * count;
        let completed = self.hot.now.wrapping_add(Cycle::from(count).wrapping_mul(each));
        let quiet = each != DEPENDS && completed < self.hot.alarm;
        (fits && quiet).then_some((window.memory, inside + window.offset, completed))
    }
}

impl Bus for System {
    #[inline(always)]
    fn read(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        if access.is_code() {
            return self.fetch(address, access);
        }
        let Data { window, read, .. } = self.hot.pages[self.hot.page(address)];
        let inside = address.wrapping_sub(window.base);
        if inside >= window.size {
            return self.read_elsewhere(address, access);
        }
        let offset = access.align(inside + window.offset);
        let completed = self.hot.now.wrapping_add(read);
        if read == DEPENDS || completed >= self.hot.alarm {
            return self.read_waiting(window.memory, offset, address, access);
        }
        self.hot.now = completed;
        Ok(self.memories[window.memory].read(offset, access))
    }

    #[inline]
    fn fetch(&mut self, address: u32, access: Access) -> Result<u32, Abort> {
        let inside = address.wrapping_sub(self.hot.code.base);
        if inside >= self.hot.code.size {
            return self.read_elsewhere(address, access);
        }
        let offset = access.align(inside + self.hot.code.offset);
        let index = self.hot.code.memory;
        if self.fetches_again(address, access) {
            return Ok(self.memories[index].read(offset, access));
        }
        self.hot.line = self.line_of(address);
        self.read_waiting(index, offset, address, access)
    }

    #[inline(always)]
    fn fetch_beside(&mut self, address: u32, access: Access) -> Result<(u32, u32), Abort> {
        let inside = address.wrapping_sub(self.hot.code.base);
        let free = self.hot.agains[access.index()] == 0;
        if inside < self.hot.code.size && free && self.fetches_again(address, access) {
            let offset = access.align(inside + self.hot.code.offset);
            return Ok((self.memories[self.hot.code.memory].read(offset, access), 0));
        }
        self.fetch_beside_work(address, access)
    }

    #[inline(always)]
    fn fetch_pair_beside(&mut self, address: u32) -> Option<u32> {
        let inside = address.wrapping_sub(self.hot.code.base);
        let in_line = |at: u32| at & self.hot.line_mask == self.hot.line;
        let free = self.hot.agains[Access::code(Width::Half).index()] == 0;
        let known = free && in_line(address) && in_line(address.wrapping_add(Width::Half.bytes()));
        if !known || inside >= self.hot.code.size || self.hot.now >= self.hot.alarm {
            return None;
        }
        let offset = Width::Half.align(inside + self.hot.code.offset);
        self.memories[self.hot.code.memory].pair(offset)
    }

    #[inline(always)]
    fn is_shared(&self) -> bool {
        self.hot.shared
    }

    fn is_kept(&self, address: u32) -> bool {
        self.is_path_kept(address)
    }

    #[inline(always)]
    fn refill(&mut self, address: u32, width: Width) -> Option<[u32; 2]> {
        let length = width.bytes();
        let inside = address.wrapping_sub(self.hot.code.base);
        let fits = inside < self.hot.code.size && self.hot.code.size - inside >= 2 * length;
        if !fits || self.hot.now + 2 * self.hot.slowest >= self.hot.alarm {
            return None;
        }
        self.fetch_code(address, Access::code(width).after_branch());
        self.fetch_code(address + length, Access::code(width).sequential());
        let memory = &self.memories[self.hot.code.memory];
        let offset = width.align(inside + self.hot.code.offset);
        Some([memory.get(offset, width), memory.get(offset + length, width)])
    }

    #[inline(always)]
    fn read_words(&mut self, address: u32, count: u32) -> Option<&[u8]> {
        let (memory, offset, completed) = self.words(address, count, false)?;
        let words = self.memories[memory].words(offset, count)?;
        self.hot.now = completed;
        Some(words)
    }

    #[inline(always)]
    fn write_words(&mut self, address: u32, count: u32) -> Option<&mut [u8]> {
        let (memory, offset, completed) = self.words(address, count, true)?;
        let words = self.memories[memory].words_mut(offset, count)?;
        self.hot.now = completed;
        Some(words)
    }

    #[inline(always)]
    fn write(&mut self, address: u32, value: u32, access: Access) -> Result<(), Abort> {
        let Data { window, write, .. } = self.hot.pages[self.hot.page(address)];
        let inside = address.wrapping_sub(window.base);
        if inside >= window.size {
            return self.write_elsewhere(address, value, access);
        }
        let offset = access.align(inside + window.offset);
        let completed = self.hot.now.wrapping_add(write);
        if write == DEPENDS || completed >= self.hot.alarm {
            self.write_waiting((window.memory, offset), address, value, access);
            return Ok(());
        }
        self.hot.now = completed;
        if self.memories[window.memory].set(offset, access.width(), value) {
            self.rewritten(window.memory, offset, access.width().bytes());
        }
        Ok(())
    }

    fn write_bits(
        &mut self,
        address: u32,
        mask: u32,
        value: u32,
        access: Access,
    ) -> Result<(), Abort> {
        if self.map.memory(address).is_none() {
            if let Some(window) = self.map.device(address) {
                self.write_device_bits(window, address, (mask, value), access);
                return Ok(());
            }
        }
        let old = self.read(address, access)?;
        self.write(address, old & !mask | value, access)
    }

    #[inline]
    fn idle(&mut self, cycles: u32) {
        self.hot.now += Cycle::from(cycles);
        if self.hot.now >= self.hot.alarm {
            self.finish_pause(cycles);
        }
    }

    fn begin(&mut self, address: u32, access: Access, write: Option<u32>) -> Result<Begun, Abort> {
        self.begin_access(address, access, write)
    }

    fn wait(&mut self, until: Cycle) {
        self.wait_until(until);
    }

    #[inline]
    fn now(&self) -> Cycle {
        self.hot.now
    }

    #[inline]
    fn next_check(&self) -> Cycle {
        self.hot.next_check
    }

    fn pending(&mut self) -> Pending {
        let visible = |request: &Request| u64::from(self.hot.now >= request.visible);
        let inputs = self.requests.iter().rev().fold(0, |all, one| all << 1 | visible(one));
        Pending { inputs, stop: self.wants_stop() }
    }

    fn acknowledge(&mut self, n: usize) -> u32 {
        let Some(&Request { level, source, .. }) = self.requests.get(n) else { return 0 };
        self.break_trace();
        if let Some((device, output)) = source {
            let wiring = &mut self.wiring;
            wiring.port.take(self.hot.now);
            wiring.devices[device].device.acknowledged(output, &mut wiring.port);
            self.settle(device);
        }
        level
    }

    fn signal(&mut self, n: usize, level: u32) {
        let Some(owner) = self.core_outputs else { return };
        self.break_trace();
        self.wiring.port.take(self.hot.now);
        self.wiring.port.drive(n, level);
        self.settle(owner);
        self.fire_due();
    }

    fn wakes_by(&mut self, inputs: u64) {
        if self.wakers != inputs {
            self.wakers = inputs;
            self.wiring.port.take(self.hot.now);
            self.tell_requested();
            if let Some(owner) = self.core_outputs {
                self.settle(owner);
            }
        }
    }

    fn own_access(&mut self, address: u32, access: Access, write: bool, value: u32) {
        if self.watch.accesses {
            self.watch.own_accessed(self.hot.now, address, access, write, value);
        }
    }

    #[cold]
    fn unmodelled(&mut self, what: &str) {
        self.note_unmodelled(what.to_owned());
    }

    #[inline(always)]
    fn boundary(&mut self, address: u32, status: Status, stack: u32) -> bool {
        self.hot.pc = address;
        self.watch.instructions && self.boundary_observed(address, status, stack)
    }

    #[inline(always)]
    fn follows_moves(&self) -> bool {
        self.watch.moves
    }

    fn moving(&mut self, moves: &[Move]) {
        self.watch.moving(moves);
    }

    fn entering(&mut self, exception: &Exception, mode: u8) {
        if let (ExceptionKind::Interrupt(n), true) = (exception.kind, self.watch.instructions) {
            let by = self.requester(n);
            self.watch.requested(by);
        }
        self.watch.entering(self.hot.now, exception, mode);
        self.refresh_alarm();
    }

    fn excepted(&mut self, exception: &Exception) {
        self.break_trace();
        if self.watch.instructions {
            self.watch.excepted(self.hot.now, exception);
            self.refresh_alarm();
        }
        self.consider(exception);
    }

    fn left_exception(&mut self) {
        if self.watch.instructions {
            self.watch.left_exception(self.hot.now);
            self.refresh_alarm();
        }
    }
}
