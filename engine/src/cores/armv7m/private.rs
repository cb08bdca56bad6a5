//! The private peripherals that are the core's own: no access to them reaches the bus. All else there, such as the
//! system timer, is a device of the board.

use super::exceptions::{number, output};
use super::nvic::{bit, Set, FIRST_INTERRUPT};
use super::Armv7m;
use crate::bus::{Bus, Width};

/// The trace unit of the program's own messages.
const ITM: u32 = 0xE000_0000;
const DWT: u32 = 0xE000_1000;
/// CYCCNT.
pub(super) const CYCLE_COUNTER: u32 = DWT + 4;
const FPB: u32 = 0xE000_2000;
/// System control space.
const SCS: u32 = 0xE000_E000;
/// Bytes of each.
const BLOCK: u32 = 0x1000;
/// Registers of the system timer, which is a device.
const TIMER: std::ops::Range<u32> = 0x010..0x020;

/// The upper half of AIRCR when it is written, and when it is read.
const KEY: u32 = 0x05FA;
const KEY_READ: u32 = 0xFA05;

/// Bits of SHCSR that show exceptions, with their numbers: active, then pending.
const ACTIVE: [(u32, usize); 6] = [
    (0, number::MEMORY),
    (1, number::BUS),
    (3, number::USAGE),
    (7, number::CALL),
    (10, number::PEND_SV),
    (11, number::SYSTICK),
];
const PENDING: [(u32, usize); 4] =
    [(12, number::USAGE), (13, number::MEMORY), (14, number::BUS), (15, number::CALL)];

/// Whether a byte or a half-word of a register can be accessed by itself.
const fn has_bytes(offset: u32) -> bool {
    matches!(offset, 0x400..0x600 | 0xD18..0xD24 | 0xD28..0xD2C)
}

/// Whether a register of the core's own is there, and not merely a place that reads as 0.
const fn is_there(block: u32, offset: u32) -> bool {
    match block {
        DWT => offset < 0x1C,
        FPB => offset < 0x28,
        SCS => matches!(
            offset,
            0x004 | 0x008
                | 0x100..0x120
                | 0x180..0x1A0
                | 0x200..0x220
                | 0x280..0x2A0
                | 0x300..0x320
                | 0x400..0x4F0
                | 0xD00..0xD3C
                | 0xD40..0xD74
                | 0xD90
                | 0xDFC
                | 0xF00
        ),
        _ => false,
    }
}

impl Armv7m {
    /// Reads a register of the core's own; none where the bus answers.
    pub(super) fn read_private<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
    ) -> Option<u32> {
        let value = self.private_word(address & !3, bus.now())?;
        report_absent(bus, address & !3);
        Some(width.lanes(value >> (8 * (address & 3))))
    }

    /// The word of the core's own at an address. Reading changes nothing.
    pub(super) fn private_word(&self, address: u32, now: u64) -> Option<u32> {
        let offset = address % BLOCK;
        match address - offset {
            ITM => Some(0),
            DWT => Some(self.dwt.read(offset, now)),
            FPB => Some(self.fpb.read(offset)),
            SCS if TIMER.contains(&offset) => None,
            SCS => Some(self.control_space(offset)),
            _ => None,
        }
    }

    /// Writes a register of the core's own; `false` where the bus answers.
    pub(super) fn write_private<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
        value: u32,
    ) -> bool {
        let (place, shift) = (address & !3, 8 * (address & 3));
        let offset = place % BLOCK;
        let block = place - offset;
        if !matches!(block, ITM | DWT | FPB | SCS) || block == SCS && TIMER.contains(&offset) {
            return false;
        }
        report_absent(bus, place);
        let mask = width.lanes(u32::MAX) << shift;
        let value = value << shift;
        // Elsewhere an access that is no word has no defined meaning: it writes the word.
        let mask = if block == SCS && has_bytes(offset) { mask } else { u32::MAX };
        match block {
            DWT => self.dwt.write(offset, value, bus.now()),
            FPB => self.fpb.write(offset, value),
            SCS => self.write_control_space(bus, offset, value, mask),
            _ => {}
        }
        true
    }

    /// 32 exceptions of a set, from the interrupt whose bit is in this register on.
    fn interrupts_at(&self, set: Set, offset: u32) -> u32 {
        (set & self.nvic.existing())
            .checked_shr(FIRST_INTERRUPT as u32 + 8 * (offset & 0x3C))
            .unwrap_or(0) as u32
    }

    fn control_space(&self, offset: u32) -> u32 {
        let nvic = &self.nvic;
        match offset {
            0x004 => (nvic.interrupts as u32).div_ceil(32).saturating_sub(1),
            0x008 => self.scb.actlr,
            0x100..0x140 | 0x180..0x1C0 => self.interrupts_at(nvic.enabled, offset),
            0x200..0x240 | 0x280..0x2C0 => self.interrupts_at(nvic.pending, offset),
            0x300..0x340 => self.interrupts_at(nvic.active, offset),
            0x400..0x600 => self.priorities_at(FIRST_INTERRUPT + (offset as usize - 0x400)),
            0xD00 => self.scb.revision.cpuid,
            0xD04 => self.icsr(),
            0xD08 => self.scb.vector_table(),
            0xD0C => KEY_READ << 16 | nvic.group << 8,
            0xD10 => self.scb.scr(),
            0xD14 => self.scb.ccr(),
            0xD18..0xD24 => self.priorities_at(4 + (offset as usize - 0xD18)),
            0xD24 => self.shcsr(),
            0xD28 => self.scb.cfsr,
            0xD2C => self.scb.hfsr,
            0xD30 => self.scb.dfsr,
            0xD34 => self.scb.mmfar,
            0xD38 => self.scb.bfar,
            0xD40..0xD74 => IDENTITY[(offset as usize - 0xD40) / 4],
            0xDFC => self.scb.demcr(),
            _ => 0,
        }
    }

    fn write_control_space<B: Bus>(&mut self, bus: &mut B, offset: u32, value: u32, mask: u32) {
        let interrupts = || {
            let set = Set::from(value).checked_shl(FIRST_INTERRUPT as u32 + 8 * (offset & 0x3C));
            set.unwrap_or(0)
        };
        let existing = self.nvic.existing();
        let nvic = &mut self.nvic;
        match offset {
            0x008 => self.scb.set_actlr(value),
            0x100..0x140 => nvic.enabled |= interrupts() & existing,
            0x180..0x1C0 => nvic.enabled &= !(interrupts() & existing),
            0x200..0x240 => nvic.pending |= interrupts() & existing,
            0x280..0x2C0 => nvic.pending &= !(interrupts() & existing),
            0x400..0x600 => {
                self.set_priorities(FIRST_INTERRUPT + (offset as usize - 0x400), value, mask)
            }
            0xD04 => self.set_icsr(value),
            0xD08 => self.scb.set_vector_table(value),
            0xD0C if value >> 16 == KEY => self.set_aircr(bus, value),
            0xD10 => self.scb.set_scr(value),
            0xD14 => self.scb.set_ccr(value),
            0xD18..0xD24 => self.set_priorities(4 + (offset as usize - 0xD18), value, mask),
            0xD24 => self.set_shcsr(value),
            0xD28 => self.scb.cfsr &= !(value & mask),
            0xD2C => self.scb.hfsr &= !value,
            0xD30 => self.scb.dfsr &= !value,
            0xD34 => self.scb.mmfar = value,
            0xD38 => self.scb.bfar = value,
            0xDFC => {
                self.scb.set_demcr(value);
                self.dwt.set_on(self.scb.traces(), bus.now());
            }
            0xF00 => {
                let number = FIRST_INTERRUPT as u32 + (value & 0x1FF);
                self.nvic.pending |= (1 as Set).checked_shl(number).unwrap_or(0) & existing;
            }
            _ => {}
        }
        self.masks_changed();
    }

    fn priorities_at(&self, first: usize) -> u32 {
        u32::from_le_bytes(std::array::from_fn(|byte| self.nvic.priority(first + byte)))
    }

    fn set_priorities(&mut self, first: usize, value: u32, mask: u32) {
        for (byte, (value, mask)) in
            value.to_le_bytes().into_iter().zip(mask.to_le_bytes()).enumerate()
        {
            if mask != 0 {
                self.nvic.set_priority(first + byte, value);
            }
        }
    }

    fn icsr(&self) -> u32 {
        let nvic = &self.nvic;
        let waits = |number: usize| u32::from(nvic.pending >> number & 1 != 0);
        let first = nvic.first(super::nvic::LOWEST).unwrap_or(0) as u32;
        let ipsr = u32::from(self.ipsr);
        let others = nvic.active & !bit(self.ipsr.into());
        waits(number::NMI) << 31
            | waits(number::PEND_SV) << 28
            | waits(number::SYSTICK) << 26
            | u32::from(nvic.pending & nvic.existing() != 0) << 22
            | first << 12
            | u32::from(others == 0) << 11
            | ipsr
    }

    fn set_icsr(&mut self, value: u32) {
        let has = |bit: u32| value >> bit & 1 != 0;
        let mut change = |number: usize, set: bool, clear: bool| {
            if set {
                self.nvic.pending |= 1 << number;
            } else if clear {
                self.nvic.pending &= !(1 << number);
            }
        };
        change(number::NMI, has(31), false);
        change(number::PEND_SV, has(28), has(27));
        change(number::SYSTICK, has(26), has(25));
    }

    fn set_aircr<B: Bus>(&mut self, bus: &mut B, value: u32) {
        self.nvic.group = value >> 8 & 7;
        if value & 4 != 0 {
            [1, 0].into_iter().for_each(|level| bus.signal(output::RESET, level));
        }
    }

    fn shcsr(&self) -> u32 {
        let shown = |set: Set, bits: &[(u32, usize)]| {
            bits.iter().fold(0, |all, &(bit, number)| all | ((set >> number & 1) as u32) << bit)
        };
        self.scb.faults_enabled()
            | shown(self.nvic.active, &ACTIVE)
            | shown(self.nvic.pending, &PENDING)
    }

    fn set_shcsr(&mut self, value: u32) {
        self.scb.enable_faults(value);
        let put = |set: &mut Set, bits: &[(u32, usize)]| {
            for &(bit, number) in bits {
                *set = *set & !(1 << number) | Set::from(value >> bit & 1) << number;
            }
        };
        put(&mut self.nvic.active, &ACTIVE);
        put(&mut self.nvic.pending, &PENDING);
    }
}

/// Reports an access of what is not modelled; it reads as 0, and ignores writes.
fn report_absent<B: Bus>(bus: &mut B, place: u32) {
    let offset = place % BLOCK;
    if !is_there(place - offset, offset) {
        bus.unmodelled(&format!("the core's private register at {place:#x}"));
    }
}

/// ID_PFR0 to ID_ISAR4 (ARM DDI 0337, table 8-1 and on).
const IDENTITY: [u32; 13] = [
    0x0000_0030,
    0x0000_0200,
    0x0010_0000,
    0x0000_0000,
    0x0000_0030,
    0x0000_0000,
    0x0000_0000,
    0x0000_0000,
    0x0114_1110,
    0x0211_1000,
    0x2111_2231,
    0x0111_1110,
    0x0131_0102,
];
