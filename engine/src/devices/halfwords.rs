//! Registers of 16 bits behind a bus of 32: an access is one of each halfword that it touches.

use crate::bus::Width;

/// A halfword of an access: its offset, which of its bits the access reaches, and their values when it writes.
pub type Part = (u32, u32, u32);

/// The halfwords of a write, the lower first.
pub fn written(offset: u32, width: Width, value: u32) -> impl Iterator<Item = Part> {
    let shift = 8 * (offset & 1);
    let halfword = offset & !1;
    let parts = match width {
        Width::Byte => [Some((halfword, 0xFF << shift, (value & 0xFF) << shift)), None],
        Width::Half => [Some((halfword, 0xFFFF, value & 0xFFFF)), None],
        Width::Word => {
            [Some((halfword, 0xFFFF, value & 0xFFFF)), Some((halfword + 2, 0xFFFF, value >> 16))]
        }
    };
    parts.into_iter().flatten()
}

/// The value of a read whose halfwords have these values.
pub fn read(offset: u32, width: Width, mut halfword: impl FnMut(u32) -> u32) -> u32 {
    let low = halfword(offset & !1) & 0xFFFF;
    match width {
        Width::Byte => low >> (8 * (offset & 1)),
        Width::Half => low,
        Width::Word => low | (halfword((offset & !1) + 2) & 0xFFFF) << 16,
    }
}

/// `old` with the bits of `mask` as in `value`.
pub fn merged(old: u32, mask: u32, value: u32) -> u32 {
    old & !mask | value & mask
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_width_touches_its_halfwords() {
        let parts = |offset, width, value| written(offset, width, value).collect::<Vec<_>>();
        let word = parts(4, Width::Word, 0x8765_4321);
        assert_eq!(word, [(4, 0xFFFF, 0x4321), (6, 0xFFFF, 0x8765)]);
        assert_eq!(parts(6, Width::Half, 0x4321), [(6, 0xFFFF, 0x4321)]);
        assert_eq!(parts(6, Width::Byte, 0x21), [(6, 0xFF, 0x21)]);
        assert_eq!(parts(7, Width::Byte, 0x21), [(6, 0xFF00, 0x2100)]);
    }

    #[test]
    fn a_read_has_the_bytes_of_its_halfwords() {
        let halfword = |offset: u32| 0x1100 * offset + 0x0022;
        assert_eq!(read(4, Width::Word, halfword), 0x6622_4422);
        assert_eq!(read(6, Width::Half, halfword), 0x6622);
        assert_eq!(read(6, Width::Byte, halfword) & 0xFF, 0x22);
        assert_eq!(read(7, Width::Byte, halfword), 0x66);
    }
}
