//! Memory as blocks reach it: without a cycle, and without anybody who learns of it.

use super::super::pipeline::Path;
use super::super::Armv7m;
use crate::bus::{Lent, Width};
use crate::system::System;

/// All that the steps of a block read and change besides the core.
pub(super) struct Reach<'a> {
    pub system: &'a mut System,
    /// The RAM that most data are in; on the System bus.
    pub ram: Lent,
    /// The memory that the code is in, if it is on the code buses: constants are read there.
    flash: Lent,
    /// Facts of the instructions executed so far that the pipeline must know: see [`super::decode::Item`].
    pub key: u64,
    /// Where a branch leads that the block does not name.
    pub target: u32,
    /// Where code may go on: the first address, and bytes.
    pub code: (u32, u32),
    /// Steps behind the one by which the block was left.
    pub rest: usize,
}

/// No target of a branch: targets are even.
pub(super) const NO_TARGET: u32 = 1;

/// Bytes from a target that must lie in the code: its instruction, and the half-word behind.
const TARGET_BYTES: u32 = 6;

/// Whether a branch by a value goes on in this range, in Thumb state.
#[inline(always)]
pub(super) fn leads_on((base, bytes): (u32, u32), value: u32) -> bool {
    let inside = (value & !1).wrapping_sub(base);
    value & 1 != 0 && value >> 28 != 0xF && inside < bytes && bytes - inside >= TARGET_BYTES
}

impl<'a> Reach<'a> {
    /// Borrows the RAM that the stack is in, or the one at `otherwise`.
    #[inline(always)]
    pub fn new(core: &Armv7m, system: &'a mut System, otherwise: &mut u32) -> Self {
        let mut ram = lend(system, core.r[super::super::SP], Path::System);
        if ram.bytes.is_empty() {
            ram = lend(system, *otherwise, Path::System);
        } else {
            *otherwise = ram.base;
        }
        let code = system.code_range();
        let flash = lend(system, code.0, Path::Code);
        Reach { system, ram, flash, key: 0, target: NO_TARGET, code, rest: 0 }
    }

    /// Gives back what was borrowed.
    #[inline(always)]
    pub fn end(self) -> &'a mut System {
        self.system.return_ram(self.ram);
        self.system.return_ram(self.flash);
        self.system
    }

    /// Whether a branch by this value goes on in the code.
    #[inline(always)]
    pub fn leads_on(&self, value: u32) -> bool {
        leads_on(self.code, value)
    }

    /// Bytes in the RAM that was borrowed, for `count` words at an aligned address.
    #[inline(always)]
    pub fn words(&mut self, address: u32, count: u32, writes: bool) -> Option<&mut [u8]> {
        let at = address.wrapping_sub(self.ram.base) as usize;
        let bytes = 4 * count as usize;
        if address & 3 != 0 || count == 0 || at >= self.ram.bytes.len() {
            return None;
        }
        if writes {
            let last = at + bytes - 1;
            let granules = at >> Lent::GRANULE_SHIFT..=last >> Lent::GRANULE_SHIFT;
            if self.ram.granules.get(granules)?.iter().any(|one| one & Lent::TRACKED != 0) {
                return None;
            }
        }
        self.ram.bytes.get_mut(at..at + bytes)
    }

    /// Reads data. None where the plain core must: at devices, at unaligned addresses, or where nothing answers. In a
    /// memory on the code buses, `bit` is set in the key.
    #[inline(always)]
    pub fn read(&mut self, address: u32, width: Width, bit: u8) -> Option<u32> {
        match self.read_near(address, width) {
            Some(value) => Some(value),
            None => self.read_elsewhere(address, width, bit),
        }
    }

    /// Reads data in the RAM that was borrowed. None elsewhere, and at unaligned addresses.
    #[inline(always)]
    pub fn read_near(&self, address: u32, width: Width) -> Option<u32> {
        read_lent(&self.ram, address, width)
    }

    #[inline(never)]
    fn read_elsewhere(&mut self, address: u32, width: Width, bit: u8) -> Option<u32> {
        if let Some(value) = read_lent(&self.flash, address, width) {
            self.key |= 1 << bit;
            return Some(value);
        }
        if address & (width.bytes() - 1) != 0 {
            return None;
        }
        let value = self.system.read_free(address, width)?;
        self.note(address, bit)?;
        Some(value)
    }

    fn note(&mut self, address: u32, bit: u8) -> Option<()> {
        match Path::of(address) {
            Path::Code => self.key |= 1 << bit,
            Path::System => {}
            Path::Private => return None,
        }
        Some(())
    }

    /// Writes data. Returns whether it did; else the plain core must.
    #[inline(always)]
    pub fn write(&mut self, address: u32, width: Width, value: u32) -> bool {
        self.write_near(address, width, value) || self.write_elsewhere(address, width, value)
    }

    /// Writes data in the RAM that was borrowed. Returns whether it did: not at code, and not at unaligned addresses.
    #[inline(always)]
    pub fn write_near(&mut self, address: u32, width: Width, value: u32) -> bool {
        let at = address.wrapping_sub(self.ram.base) as usize;
        let granule = self.ram.granules.get(at >> Lent::GRANULE_SHIFT);
        if address & (width.bytes() - 1) != 0 || granule.is_none_or(|one| one & Lent::TRACKED != 0)
        {
            return false;
        }
        let (value, bytes) = (value.to_le_bytes(), &mut self.ram.bytes);
        match width {
            Width::Byte => bytes.get_mut(at).map(|to| *to = value[0]),
            Width::Half => {
                bytes.get_mut(at..at.wrapping_add(2)).map(|to| to.copy_from_slice(&value[..2]))
            }
            Width::Word => {
                bytes.get_mut(at..at.wrapping_add(4)).map(|to| to.copy_from_slice(&value))
            }
        }
        .is_some()
    }

    #[inline(never)]
    fn write_elsewhere(&mut self, address: u32, width: Width, value: u32) -> bool {
        let aligned = address & (width.bytes() - 1) == 0;
        aligned
            && Path::of(address) == Path::System
            && self.system.write_free(address, width, width.lanes(value))
    }
}

/// Reads data in a memory that was borrowed. None elsewhere, and at unaligned addresses.
#[inline(always)]
fn read_lent(lent: &Lent, address: u32, width: Width) -> Option<u32> {
    if address & (width.bytes() - 1) != 0 {
        return None;
    }
    let at = address.wrapping_sub(lent.base) as usize;
    match width {
        Width::Byte => lent.bytes.get(at).map(|&byte| byte.into()),
        Width::Half => lent
            .bytes
            .get(at..at.wrapping_add(2))
            .map(|one| u16::from_le_bytes([one[0], one[1]]).into()),
        Width::Word => lent
            .bytes
            .get(at..at.wrapping_add(4))
            .map(|one| u32::from_le_bytes([one[0], one[1], one[2], one[3]])),
    }
}

/// The memory at an address, if all of it is on this bus and costs no cycle.
#[inline(always)]
fn lend(system: &mut System, address: u32, path: Path) -> Lent {
    let (lent, cycles) = system.lend_ram(address);
    if cycles == 0 && Path::of(lent.base) == path {
        return lent;
    }
    system.return_ram(lent);
    Lent::default()
}
