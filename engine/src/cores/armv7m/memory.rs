//! Accesses to data: aligned or not, of the bus, of an alias of single bits, or of the core's own registers.

use super::exceptions::{Fault, Leave};
use super::pipeline::{Path, Until, Work};
use super::Armv7m;
use crate::bus::{Access, Bus, Width};
use crate::time::Cycle;

/// Whether something else than the bus answers as it is asked: an alias of single bits, or the private
/// peripherals.
#[inline(always)]
const fn is_special(address: u32) -> bool {
    matches!(address >> 25, 0x11 | 0x21 | 0x70)
}

/// The word and the bit that a place in an alias of single bits stands for (ARM DDI 0337, "Bit-banding").
const fn aliased(address: u32) -> (u32, u32) {
    let offset = address & 0x01FF_FFFF;
    let base = address & 0xFC00_0000;
    (base + (offset >> 5 & !3), offset >> 2 & 31)
}

/// Accesses of the bus that one of an instruction takes. A word at an odd address moves as a byte, a half-word and a
/// byte, other unaligned data in two parts.
#[inline(always)]
const fn parts(address: u32, width: Width) -> u8 {
    match (width, address & 3) {
        (Width::Word, 1 | 3) => 3,
        (Width::Word, 2) | (Width::Half, 1 | 3) => 2,
        _ => 1,
    }
}

/// The pipeline follows a wait up to this; the rest goes by for the whole core.
const LONGEST_WAIT: Cycle = 1 << 11;

/// The direction of an access.
#[derive(Clone, Copy, Debug)]
enum Way {
    Read,
    Write(u32),
}

impl Armv7m {
    /// The cycles until an access of the executing instruction go by.
    #[inline(always)]
    pub(super) fn approach<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
        write: bool,
    ) {
        if self.data.is_none() {
            self.data = Some(address);
            if !self.work.accesses() {
                self.work = Work::accessing(parts(address, width));
            }
            self.work = self.work.by(Path::of(address));
            let next = self.next;
            self.behind = Some(self.look_ahead(bus, next));
            if write && address.wrapping_sub(next).wrapping_add(3) < 8 {
                // The instruction behind may be written.
                self.ahead = None;
            }
        }
        let Some(next) = self.behind else { return };
        if bus.is_shared() {
            return self.walk(bus, (self.work, next), Until::Access);
        }
        let passage = self.pipeline.reach_access(self.work, next);
        self.spend(bus, passage.cycles());
        self.count(passage);
    }

    /// The access that was approached has been answered: it began at `begun`. The pipeline has yet to wait as long.
    #[inline(always)]
    fn answered<B: Bus>(&mut self, bus: &B, begun: Cycle) {
        if bus.now() != begun {
            self.keep_waiting(bus.now() - begun);
        }
    }

    #[inline(never)]
    fn keep_waiting(&mut self, cycles: Cycle) {
        let cycles = cycles.min(LONGEST_WAIT) as u16;
        if self.pipeline.keep_waiting(cycles) {
            self.paid += u32::from(cycles);
        }
    }

    /// Reads data, which may lie unaligned.
    #[inline(always)]
    pub(super) fn load<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
    ) -> Result<u32, Leave> {
        self.approach(bus, address, width, false);
        let begun = bus.now();
        let value = if address & (width.bytes() - 1) != 0 || is_special(address) {
            self.access_otherwise(bus, address, width, Way::Read)?
        } else {
            bus.read(address, Access::data(width)).map_err(|_| Fault::Data(address))?
        };
        self.answered(bus, begun);
        Ok(value)
    }

    /// Writes data, which may lie unaligned.
    #[inline(always)]
    pub(super) fn store<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        value: u32,
        width: Width,
    ) -> Result<(), Leave> {
        self.approach(bus, address, width, true);
        let begun = bus.now();
        if address & (width.bytes() - 1) != 0 || is_special(address) {
            self.access_otherwise(bus, address, width, Way::Write(value))?;
        } else {
            let value = width.lanes(value);
            bus.write(address, value, Access::data(width)).map_err(|_| Fault::Data(address))?;
        }
        self.answered(bus, begun);
        Ok(())
    }

    /// Reads a word that has to lie aligned.
    #[inline(always)]
    pub(super) fn load_aligned<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
    ) -> Result<u32, Leave> {
        if address & (width.bytes() - 1) != 0 {
            return Err(Fault::Unaligned.into());
        }
        self.load(bus, address, width)
    }

    /// Writes a word that has to lie aligned.
    #[inline(always)]
    pub(super) fn store_aligned<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        value: u32,
        width: Width,
    ) -> Result<(), Leave> {
        if address & (width.bytes() - 1) != 0 {
            return Err(Fault::Unaligned.into());
        }
        self.store(bus, address, value, width)
    }

    #[inline(never)]
    fn access_otherwise<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
        way: Way,
    ) -> Result<u32, Leave> {
        if address & (width.bytes() - 1) == 0 {
            return self.access_special(bus, address, width, way);
        }
        if self.scb.traps_unaligned() {
            return Err(Fault::Unaligned.into());
        }
        // A word at an odd address moves as a byte, a half-word and a byte; else as two halves.
        let parts: &[(u32, Width)] = match (width, address & 1) {
            (Width::Word, 1) => &[(0, Width::Byte), (1, Width::Half), (3, Width::Byte)],
            (Width::Word, _) => &[(0, Width::Half), (2, Width::Half)],
            _ => &[(0, Width::Byte), (1, Width::Byte)],
        };
        let mut found = 0;
        for &(place, part) in parts {
            let at = address.wrapping_add(place);
            let way = match way {
                Way::Read => Way::Read,
                Way::Write(value) => Way::Write(value >> (8 * place)),
            };
            let value = if is_special(at) {
                self.access_special(bus, at, part, way)?
            } else {
                access_plain(bus, at, part, way)?
            };
            found |= value << (8 * place);
        }
        Ok(found)
    }

    fn access_special<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
        way: Way,
    ) -> Result<u32, Leave> {
        if address >> 28 == 0xE {
            return self.access_private(bus, address, width, way);
        }
        if !self.has_bit_bands {
            return access_plain(bus, address, width, way);
        }
        // The place that is accessed is as wide as the access.
        let (word, bit) = aliased(address);
        let place = word + ((bit / 8) & !(width.bytes() - 1));
        let mask = 1 << (bit - 8 * (place - word));
        let old = access_plain(bus, place, width, Way::Read)?;
        match way {
            Way::Read => Ok(u32::from(old & mask != 0)),
            Way::Write(value) => {
                let new = if value & 1 != 0 { old | mask } else { old & !mask };
                access_plain(bus, place, width, Way::Write(new))
            }
        }
    }

    /// A register of the private peripherals: the core's own, or a device's.
    fn access_private<B: Bus>(
        &mut self,
        bus: &mut B,
        address: u32,
        width: Width,
        way: Way,
    ) -> Result<u32, Leave> {
        if !self.is_privileged() {
            return Err(Fault::Data(address).into());
        }
        let answer = match way {
            Way::Read => self.read_private(bus, address, width),
            Way::Write(value) => {
                self.write_private(bus, address, width, width.lanes(value)).then_some(0)
            }
        };
        match answer {
            Some(value) => {
                let (write, seen) = match way {
                    Way::Read => (false, value),
                    Way::Write(written) => (true, width.lanes(written)),
                };
                bus.own_access(address, Access::data(width), write, seen);
                Ok(value)
            }
            None => access_plain(bus, address, width, way),
        }
    }
}

fn access_plain<B: Bus>(bus: &mut B, address: u32, width: Width, way: Way) -> Result<u32, Leave> {
    let access = Access::data(width);
    let answer = match way {
        Way::Read => bus.read(address, access),
        Way::Write(value) => bus.write(address, width.lanes(value), access).map(|()| 0),
    };
    answer.map_err(|_| Fault::Data(address).into())
}

#[cfg(test)]
mod tests {
    use super::aliased;

    #[test]
    fn a_place_of_an_alias_stands_for_a_bit() {
        // Byte 0xFFFFF, bit 7; ARM's own example.
        assert_eq!(aliased(0x23FF_FFFC), (0x200F_FFFC, 31));
        assert_eq!(aliased(0x2200_0000), (0x2000_0000, 0));
        assert_eq!(aliased(0x2200_001C), (0x2000_0000, 7));
        assert_eq!(aliased(0x4200_0080), (0x4000_0004, 0));
    }
}
