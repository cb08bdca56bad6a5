//! The flash patch and breakpoint unit: what a debugger on the part would set. The registers keep what is written;
//! no breakpoint and no patch of theirs is taken, as a debugger of a board stops it without them.

/// Comparators for code, then for literals.
const CODE: u32 = 6;
const LITERALS: u32 = 2;

/// Its registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Patches {
    enabled: bool,
    remap: u32,
    comparators: [u32; (CODE + LITERALS) as usize],
}

impl Patches {
    /// The register at an offset.
    pub fn read(&self, offset: u32) -> u32 {
        match offset {
            0x00 => LITERALS << 8 | CODE << 4 | u32::from(self.enabled),
            0x04 => self.remap,
            0x08..0x28 => self.comparators[(offset as usize - 8) / 4],
            _ => 0,
        }
    }

    pub fn write(&mut self, offset: u32, value: u32) {
        match offset {
            // The second bit is a key.
            0x00 if value & 2 != 0 => self.enabled = value & 1 != 0,
            0x04 => self.remap = value & 0x1FFF_FFE0 | 1 << 29,
            0x08..0x28 => self.comparators[(offset as usize - 8) / 4] = value & 0xDFFF_FFFD,
            _ => {}
        }
    }
}
