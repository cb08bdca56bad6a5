//! The bus as blocks of decoded code need it while nothing can happen: they have counted cycles themselves, and
//! only what depends on time or place comes here.

use super::hot::{Data, DEPENDS};
use super::{System, Window};
use crate::bus::{Access, Lent, Width};
use crate::memory::Kind;
use crate::time::Cycle;
use crate::timing::mam_lpc2000::lent::{line, LentFlash};
use crate::timing::{MemoryTiming, Timing, ONE_LINE};

/// How opcodes and constants are read from the memory of the code, as it is set now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fetches {
    /// Cycles of each further fetch from the line fetched last, in sequence.
    pub again: u32,
    /// Of such a fetch that is not in sequence: behind a store, or a branch.
    pub nonsequential: u32,
    /// The most cycles of any access to the memory.
    pub slowest: u32,
    /// Bytes of a line; none where lines do not matter.
    pub line_bytes: Option<u32>,
    /// The memory is a flash, which is [lent](System::lend_flash).
    pub is_flash: bool,
    /// The code never changes.
    pub is_rom: bool,
    /// Cycles of each access to data there; none where they depend on more.
    pub data: Option<u32>,
}

/// Where the window of the code lies, for code that was translated while it did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CodeView {
    pub base: u32,
    pub size: u32,
    /// Added to an address, it gives the offset in the memory.
    pub shift: u32,
    pub line_mask: u32,
    /// The line fetched last, where the whole window is in it.
    pub line: Option<u32>,
}

impl Fetches {
    /// Whether it matters if a fetch is in sequence.
    pub fn differ(&self) -> bool {
        self.again != self.nonsequential
    }
}

impl CodeView {
    /// Whether `bytes` at an address are inside.
    pub fn has(&self, address: u32, bytes: u32) -> bool {
        let inside = address.wrapping_sub(self.base);
        inside < self.size && self.size - inside >= bytes
    }
}

impl System {
    /// The window of the code now.
    #[inline(always)]
    pub(crate) fn code_view(&self) -> CodeView {
        let hot = &self.hot;
        let last = hot.code.base.wrapping_add(hot.code.size.wrapping_sub(1));
        let whole = (hot.code.base ^ hot.line | last ^ hot.line) & hot.line_mask == 0;
        CodeView {
            base: hot.code.base,
            size: hot.code.size,
            shift: hot.code_shift,
            line_mask: hot.line_mask,
            line: whole.then_some(hot.line),
        }
    }

    /// The flash behind a MAM that the code lies in, if it does, until it is [given back](Self::return_flash). Meanwhile
    /// nobody else asks it.
    #[inline(always)]
    pub(crate) fn lend_flash(&self) -> Option<LentFlash> {
        match &self.memories.get(self.hot.code.memory)?.timing {
            Timing::MamLpc2000(flash) => Some(flash.lend()),
            _ => None,
        }
    }

    /// Takes back what [`lend_flash`](Self::lend_flash) has lent.
    #[inline(always)]
    pub(crate) fn return_flash(&mut self, lent: &LentFlash) {
        if let Timing::MamLpc2000(flash) = &mut self.memories[self.hot.code.memory].timing {
            flash.take_back(lent, self.hot.now);
        }
        if let Some(last) = lent.last() {
            self.hot.line = self.line_of(last.wrapping_sub(self.hot.code_shift));
        }
    }

    /// The opcode at `address` was fetched last from a flash, by code to which lines did not matter.
    #[inline(always)]
    pub(crate) fn set_fetched(&mut self, address: u32) {
        let offset = self.code_offset(address);
        if let Timing::MamLpc2000(flash) = &mut self.memories[self.hot.code.memory].timing {
            flash.set_fetched(offset);
        }
        self.hot.line = self.line_of(address);
    }

    /// The bytes of the memory that the code lies in.
    #[cfg(all(feature = "translate", target_arch = "x86_64"))]
    #[inline(always)]
    pub(crate) fn code_bytes(&self) -> &[u8] {
        self.memories.get(self.hot.code.memory).map_or(&[], |memory| memory.bytes())
    }

    /// How code is fetched from the line fetched last, which has `address`, and around it. None where cycles of
    /// fetches are not known ahead.
    #[inline(always)]
    pub(crate) fn fetches(&self, address: u32) -> Option<Fetches> {
        self.hot.fetches.filter(|_| address & self.hot.line_mask == self.hot.line)
    }

    /// How code is fetched from the window of the code, once that and all else about it is set.
    pub(super) fn fetches_of_window(&self) -> Option<Fetches> {
        let hot = &self.hot;
        let memory = self.memories.get(hot.code.memory)?;
        let flash = match &memory.timing {
            Timing::Waits(_) => None,
            Timing::MamLpc2000(flash) => Some(flash),
            Timing::Other(_) => return None,
        };
        let each = |access: Access| {
            let cycles = |width| hot.agains[access.with_width(width).index()];
            let word = cycles(Width::Word);
            (word == cycles(Width::Half)).then_some(u32::try_from(word).ok()?)
        };
        let code = Access::code(Width::Word);
        let again = each(code.sequential())?;
        let nonsequential =
            each(code).filter(|&cycles| each(code.after_branch()) == Some(cycles))?;
        if again == 0 || nonsequential < again || hot.code.size == 0 {
            return None;
        }
        let is_line = hot.line_mask != u32::MAX << ONE_LINE;
        let line_bytes = is_line.then(|| hot.line_mask.wrapping_neg());
        // A window may cut the lines of a flash.
        let whole = flash.is_none_or(|flash| line_bytes == Some(flash.line_bytes()));
        let data = memory.each_data_cycles();
        let slowest = hot.slowest.max(data.unwrap_or(0));
        Some(Fetches {
            again,
            nonsequential,
            slowest: u32::try_from(slowest).ok()?,
            line_bytes: line_bytes.filter(|_| !flash.is_some_and(|flash| flash.is_off())),
            is_flash: flash.is_some(),
            is_rom: memory.kind == Kind::Rom,
            data: data.and_then(|cycles| u32::try_from(cycles).ok()),
        })
        .filter(|_| whole)
    }

    /// Lends the RAM at `address` with the cycles of each access there. No bytes are lent where accesses do not cost
    /// the same, or the memory is shown in part. Nothing but this module's functions is asked of the bus until
    /// it is [given back](Self::return_ram).
    pub(crate) fn lend_ram(&mut self, address: u32) -> (Lent, u32) {
        let Data { window, read, write } = self.hot.pages[self.hot.page(address)];
        if address.wrapping_sub(window.base) >= window.size {
            self.select_unnoted(address);
            return Default::default();
        }
        let Window { memory, base, size, offset } = window;
        let lender = &mut self.memories[memory];
        let whole = offset == 0 && size == lender.size() && base % Width::Word.bytes() == 0;
        let fixed = read == write && read != DEPENDS && read <= Cycle::from(u16::MAX);
        if !whole || !fixed {
            return Default::default();
        }
        let (bytes, granules) = lender.lend_tracked();
        (Lent { memory, base, bytes, granules }, read as u32)
    }

    /// Takes back what [`lend_ram`](Self::lend_ram) has lent.
    pub(crate) fn return_ram(&mut self, lent: Lent) {
        if !lent.bytes.is_empty() {
            self.memories[lent.memory].take_back_tracked(lent.bytes, lent.granules);
        }
    }

    /// Cycles go by until `now`, as translated code has counted them.
    #[inline(always)]
    pub(crate) fn set_now(&mut self, now: Cycle) {
        self.hot.now = now;
    }

    /// Cycles go by that a block has counted.
    #[inline(always)]
    pub(crate) fn spend(&mut self, cycles: u32) {
        self.hot.now = self.hot.now.wrapping_add(cycles.into());
    }

    /// Cycles that a block is going to count do not go by.
    #[inline(always)]
    pub(crate) fn take_back_cycles(&mut self, cycles: u32) {
        self.hot.now = self.hot.now.wrapping_sub(cycles.into());
    }

    /// Fetches the opcode at `address` in the window of the code, the first of a line behind the last.
    #[inline(never)]
    pub(crate) fn fetch_ahead(&mut self, address: u32, access: Access) {
        self.fetch_quietly(address, access);
    }

    /// Whether the window of the code has two opcodes at `target`.
    #[inline(always)]
    pub(crate) fn has_refill(&self, target: u32, width: Width) -> bool {
        let inside = target.wrapping_sub(self.hot.code.base);
        inside < self.hot.code.size && self.hot.code.size - inside >= 2 * width.bytes()
    }

    /// Fetches the two opcodes at `target` in the window of the code, the first after a break in the flow.
    #[inline(never)]
    pub(crate) fn refill_ahead(&mut self, target: u32, width: Width) {
        self.fetch_code(target, Access::code(width).after_branch());
        let second = target.wrapping_add(width.bytes());
        self.fetch_code(second, Access::code(width).sequential());
    }

    /// The offset of an address of the window of the code in its memory.
    #[inline(always)]
    pub(crate) fn code_offset(&self, address: u32) -> u32 {
        address.wrapping_add(self.hot.code_shift)
    }

    /// Whether `address` is in the window of the code.
    pub(crate) fn is_beside(&self, address: u32) -> bool {
        address.wrapping_sub(self.hot.code.base) < self.hot.code.size
    }

    /// Reads data at an aligned address in the window of the code, `since` cycles from now, and says how many cycles
    /// that takes; they are not spent. A flash that is lent is asked. Does nothing where `address` is not there.
    pub(crate) fn read_beside(
        &mut self,
        address: u32,
        access: Access,
        since: u32,
        flash: Option<&mut LentFlash>,
    ) -> Option<(u32, u32)> {
        let Window { memory, base, size, offset } = self.hot.code;
        let inside = address.wrapping_sub(base);
        let memory = &mut self.memories[memory];
        if inside >= size || memory.bytes().is_empty() {
            return None;
        }
        let offset = access.align(inside + offset);
        let cycles = match flash {
            Some(flash) => flash.read(line(offset)),
            None => {
                let begins = self.hot.now.wrapping_add(since.into());
                (memory.timing.access(begins, offset, access) - begins) as u32
            }
        };
        Some((memory.read(offset, access), cycles))
    }

    /// Whether fetches around `address` cost no cycle, as the code fetched last lies there.
    #[inline(always)]
    pub(crate) fn fetches_free(&self, address: u32) -> bool {
        self.hot.slowest == 0 && self.is_beside(address)
    }

    /// Reads data at an aligned address in a memory that was accessed before, is not lent, and costs no cycle. Else
    /// nothing is read.
    pub(crate) fn read_free(&self, address: u32, width: Width) -> Option<u32> {
        let Data { window, read, .. } = self.hot.pages[self.hot.page(address)];
        let inside = address.wrapping_sub(window.base);
        if inside >= window.size || read != 0 {
            return None;
        }
        let memory = &self.memories[window.memory];
        let access = Access::data(width);
        let offset = access.align(inside + window.offset);
        (!memory.bytes().is_empty()).then(|| memory.read(offset, access))
    }

    /// Whether reads of data at `address` cost no cycle, in a memory that is not lent.
    pub(crate) fn reads_free(&mut self, address: u32) -> bool {
        let window = self.hot.pages[self.hot.page(address)].window;
        if address.wrapping_sub(window.base) >= window.size {
            self.select_unnoted(address);
        }
        self.read_free(address, Width::Byte).is_some()
    }

    /// Writes so. Returns whether it did: where writes are tracked, nothing is written.
    pub(crate) fn write_free(&mut self, address: u32, width: Width, value: u32) -> bool {
        let Data { window, write, .. } = self.hot.pages[self.hot.page(address)];
        let inside = address.wrapping_sub(window.base);
        if inside >= window.size || write != 0 {
            return false;
        }
        let memory = &mut self.memories[window.memory];
        let offset = width.align(inside + window.offset);
        let writes = !memory.bytes().is_empty() && !memory.tracks(offset);
        if writes {
            memory.set(offset, width, value);
        }
        writes
    }

    /// The range of addresses that the code fetched last lies in: the first, and bytes.
    pub(crate) fn code_range(&self) -> (u32, u32) {
        (self.hot.code.base, self.hot.code.size)
    }
}
