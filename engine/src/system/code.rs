//! Code: how it is fetched; that which is decoded ahead: how far it may run, and when it is void.

use super::hot::{Data, NO_LINE};
use super::watch::Addresses;
use super::{System, Window};
use crate::bus::{Abort, Access, Bus, CodeBus, Lent, Status, Width, LONGEST_BLOCK};
use crate::instrument::Answered;
use crate::time::{Cycle, NEVER};
use crate::timing::MemoryTiming;

/// Bytes of a line, as a power of two, where there are none.
const NO_LINE_SHIFT: u32 = 1;

/// Most addresses at which decoded code ends, where somebody waits or waited.
const MOST_ENDS: usize = 64;

/// Where code is shown, and whatever else that it was decoded for besides its bytes.
#[derive(Debug)]
pub(super) struct DecodedFor {
    windows: Vec<Window>,
    /// Bytes of a line of each memory, as a power of two.
    line_shifts: Vec<Option<u32>>,
    /// Blocks end before the instructions at these addresses: at each for which an instrument or a stop
    /// waits, and at others for which one waited before. The plain core executes them, so it costs time
    /// and changes nothing. Instruments come and go with each series of calls, to the same addresses.
    ends: Addresses,
}

impl DecodedFor {
    fn shows_code_as(&self, other: &DecodedFor) -> bool {
        self.windows == other.windows && self.line_shifts == other.line_shifts
    }
}

impl System {
    /// Sets whether decoded code outlives changes that it does not depend on.
    pub fn keep_code(&mut self, keeps: bool) {
        self.decoded = keeps.then(|| self.decoded_for());
    }

    /// Discards all decoded code.
    #[cold]
    pub(super) fn forget_code(&mut self) {
        self.hot.code_version += 1;
        self.hot.pause_at(0);
        self.memories.iter_mut().for_each(|memory| memory.untrack());
    }

    /// Something has changed that is not the code's bytes: discards all decoded code, unless it does not depend on that.
    #[cold]
    pub(super) fn look_at_code(&mut self) {
        let Some(before) = self.decoded.take() else { return self.forget_code() };
        let mut now = self.decoded_for();
        let same = before.shows_code_as(&now);
        if same && before.ends.includes(&now.ends) {
            self.decoded = Some(before);
            self.hot.pause_at(0);
            return;
        }
        if same {
            let both = before.ends.joined(&now.ends);
            now.ends = if both.len() > MOST_ENDS { now.ends } else { both };
        }
        self.decoded = Some(now);
        self.forget_code();
    }

    fn decoded_for(&self) -> DecodedFor {
        DecodedFor {
            windows: self.map.visible().to_vec(),
            line_shifts: self.memories.iter().map(|memory| memory.timing.line_shift()).collect(),
            ends: self.watch.breakpoints().clone(),
        }
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
    fn horizon(&self, status: Status) -> Cycle {
        if self.watch.is_quiet(status) {
            self.hot.next_check
        } else {
            0
        }
    }

    #[inline]
    fn pause_at(&mut self, cycle: Cycle) {
        self.hot.pause_at(cycle);
    }

    #[inline(always)]
    fn pauses(&self) -> bool {
        self.hot.now >= self.hot.pause
    }

    #[inline]
    fn version(&self) -> u64 {
        self.hot.code_version
    }

    fn code(&self, address: u32) -> Option<&[u8]> {
        self.bytes_from(address)
    }

    fn steady_code(&self, address: u32, length: usize) -> Option<&[u8]> {
        let window = self.map.memory(address)?;
        let code = self.bytes_from(address)?;
        let offset = address - window.base + window.offset;
        let most = length.min(code.len()) as u32;
        Some(&code[..self.memories[window.memory].steady_bytes(offset, most) as usize])
    }

    fn track_writes(&mut self, address: u32, length: u32) -> bool {
        let (mut at, mut left) = (address, length);
        while let Some(window) = self.map.memory(at) {
            let inside = at - window.base;
            let here = left.min(window.size - inside);
            if !self.memories[window.memory].track_writes(inside + window.offset, here) {
                return false;
            }
            if here == left {
                return true;
            }
            (at, left) = (at.wrapping_add(here), left - here);
        }
        // Where no memory follows nothing is written.
        left < length
    }

    fn line_bytes(&self, address: u32) -> u32 {
        let window = self.map.memory(address);
        1 << window.and_then(|window| self.line_shift(window)).unwrap_or(NO_LINE_SHIFT)
    }

    fn has_breakpoint(&self, address: u32) -> bool {
        match &self.decoded {
            Some(decoded) => decoded.ends.contains(address),
            None => self.watch.breakpoints().contains(address),
        }
    }

    #[inline(always)]
    fn fetch_known(&mut self, pc: u32, address: u32, access: Access) {
        self.hot.pc = pc;
        if !self.fetches_again(address, access) {
            self.fetch_elsewhere(address, access);
        }
    }

    #[inline(always)]
    fn flows(&self, address: u32) -> bool {
        self.flows_on() && address & self.hot.line_mask == self.hot.line
    }

    #[inline(always)]
    fn undisturbed_until(&self) -> Cycle {
        self.hot.alarm.min(self.hot.pause)
    }

    fn lend(&mut self, address: u32, written: bool) -> Lent {
        let Data { window, read, write } = self.hot.pages[self.hot.page(address)];
        if address.wrapping_sub(window.base) >= window.size {
            self.select_unnoted(address);
            return Lent::default();
        }
        let Window { memory, base, size, offset } = window;
        let lender = &mut self.memories[memory];
        let whole = offset == 0 && size == lender.size();
        let free = read == 0 && (!written || write == 0 && !lender.is_tracked());
        let bytes = if whole && free { lender.lend() } else { Vec::new() };
        Lent { memory, base, bytes, granules: Vec::new() }
    }

    fn give_back(&mut self, lent: Lent) {
        if !lent.bytes.is_empty() {
            self.memories[lent.memory].take_back(lent.bytes);
        }
    }

    #[inline(always)]
    fn flows_on(&self) -> bool {
        self.hot.now < self.hot.flow_end
    }

    #[inline(always)]
    fn fetch_again(&mut self, count: u32) {
        self.hot.now += Cycle::from(count) * self.hot.again;
    }

    #[inline(never)]
    fn fetch_line(&mut self, address: u32, access: Access) {
        self.fetch_quietly(address, access);
    }

    #[inline(always)]
    fn stand_at(&mut self, pc: u32) {
        self.hot.pc = pc;
    }
}

impl System {
    /// Selects the window at `address` for accesses to data, if that notes no rule.
    #[cold]
    pub(super) fn select_unnoted(&mut self, address: u32) {
        let Some(window) = self.map.memory(address) else { return };
        let memory = &self.memories[window.memory];
        let (by_its_own, by_its_timing) = memory.timing.is_charged();
        let noted = |rules: &[String]| rules.iter().all(|rule| self.notes.touched.contains(rule));
        if (!by_its_own || noted(&memory.rules)) && (!by_its_timing || noted(memory.timing.rules()))
        {
            self.select(address, Access::data(Width::Byte));
        }
    }

    /// Fetches go to this window from now on.
    pub(super) fn select_code(&mut self, window: Window) {
        let memory = &self.memories[window.memory];
        (self.hot.again, self.hot.slowest) =
            (memory.each_fetches_again(), memory.timing.slowest_fetch());
        for access in Access::all().filter(|access| access.is_code()) {
            self.hot.agains[access.index()] = memory.timing.fetches_again(access);
        }
        let longest = LONGEST_BLOCK as Cycle * self.hot.slowest;
        self.hot.longest_block = if self.hot.again > 0 { longest } else { NEVER };
        self.hot.refresh_flow();
        let shift = self.line_shift(window);
        self.hot.line_mask = u32::MAX << shift.unwrap_or(NO_LINE_SHIFT);
        self.hot.no_line = if shift.is_some() { 0 } else { NO_LINE };
        self.hot.code_shift = window.offset.wrapping_sub(window.base);
        (self.hot.code, self.hot.line) = (window, NO_LINE);
        self.hot.fetches = self.fetches_of_window();
    }

    /// Bytes of a line of a window, as a power of two: a line of its memory, or less where the window cuts
    /// lines. `None` where the memory has none.
    fn line_shift(&self, window: Window) -> Option<u32> {
        let Window { memory, base, size, offset } = window;
        let aligned = (base | size | offset).trailing_zeros();
        let shift = self.memories[memory].timing.line_shift()?.min(aligned);
        (shift >= NO_LINE_SHIFT).then_some(shift)
    }

    /// Spends the cycles of a fetch from the line fetched last, if `address` is in it and nothing else
    /// happens until then.
    #[inline(always)]
    pub(super) fn fetches_again(&mut self, address: u32, access: Access) -> bool {
        if address & self.hot.line_mask != self.hot.line {
            return false;
        }
        let completed = self.hot.now + self.hot.agains[access.index()];
        let quiet = completed < self.hot.alarm;
        if quiet {
            self.hot.now = completed;
        }
        quiet
    }

    /// Fetches from another line of the window of code than the last, where nothing else happens until then.
    #[inline(always)]
    pub(super) fn fetch_quietly(&mut self, address: u32, access: Access) {
        self.hot.line = self.line_of(address);
        let offset = address.wrapping_add(self.hot.code_shift);
        self.hot.now =
            self.memories[self.hot.code.memory].timing.fetch_line(self.hot.now, offset, access);
    }

    /// Fetches from the window of code, where nothing else happens until then.
    #[inline(always)]
    pub(super) fn fetch_code(&mut self, address: u32, access: Access) {
        if address & self.hot.line_mask != self.hot.line {
            self.fetch_line(address, access);
        } else {
            self.hot.now += self.hot.agains[access.index()];
        }
    }

    /// The line at an address of the window of code, if lines there are lines of the memory.
    #[inline(always)]
    pub(super) fn line_of(&self, address: u32) -> u32 {
        address & self.hot.line_mask | self.hot.no_line
    }

    /// A fetch beside the core's other work, which spends no cycles: the opcode, and the cycles of its word. It waits
    /// for no path: the core asks for that by itself.
    #[inline(never)]
    pub(super) fn fetch_beside_work(
        &mut self,
        address: u32,
        access: Access,
    ) -> Result<(u32, u32), Abort> {
        let known = self.hot.code;
        let within = address.wrapping_sub(known.base) < known.size;
        let found = if within { Some(known) } else { self.select(address, access) };
        let Some(window) = found else {
            return self.fetch(address, access).map(|opcode| (opcode, 0));
        };
        self.hot.line = self.line_of(address);
        let (now, index) = (self.hot.now, window.memory);
        let offset = access.align(address - window.base + window.offset);
        let memory = &mut self.memories[index];
        let (place, word) = (Width::Word.align(offset), access.with_width(Width::Word));
        let lines_read =
            if self.watch.accesses { memory.timing.lines_read(now, place, word) } else { 0 };
        let (completes, ends_line) = memory.timing.access_on_bus(now, place, word);
        if ends_line {
            self.hot.line = NO_LINE;
        }
        let opcode = memory.get(offset, access.width());
        let by = Answered::Memory { index, lines_read };
        self.notify_access(address, access, false, opcode, by);
        Ok((opcode, (completes - now) as u32))
    }

    /// Fetches from another line than the last, or while instruments observe accesses.
    #[inline(never)]
    fn fetch_elsewhere(&mut self, address: u32, access: Access) {
        let inside = address.wrapping_sub(self.hot.code.base);
        if inside < self.hot.code.size && self.hot.alarm > 0 {
            self.hot.line = self.line_of(address);
            let offset = access.align(inside + self.hot.code.offset);
            let memory = &mut self.memories[self.hot.code.memory];
            self.hot.now = memory.timing.access(self.hot.now, offset, access);
            if self.hot.now >= self.hot.alarm {
                self.fire_during_access(self.memories[self.hot.code.memory].path);
                self.leave_path();
            }
        } else {
            // Decoded code lies in memory, which always answers.
            let _ = self.fetch(address, access);
        }
    }
}
