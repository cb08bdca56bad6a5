//! Attributes of an ELF file: the profile that a program was built for (ARM IHI 0045, "Addenda to, and errata in,
//! the ABI").

/// Tags of attributes of a whole file.
const FILE: u64 = 1;
/// The version of the architecture; its values for the M profile are 11 to 13 and 16 and on.
const ARCHITECTURE: u64 = 6;
/// The profile, as a letter.
const PROFILE: u64 = 7;
/// It has a number and a text.
const COMPATIBILITY: u64 = 32;
/// The first two of these have texts as values; above them odd tags do.
const NAMES: [u64; 2] = [4, 5];

/// Bytes that are read from the front; none of these methods goes beyond the end.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn word(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_le_bytes(bytes)).ok()
    }

    /// Seven bits in each byte, the low ones first.
    fn number(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.take(1)?[0];
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.0.iter().position(|byte| *byte == 0)?;
        let text = self.take(length)?;
        self.take(1)?;
        Some(text)
    }
}

/// Whether the attributes of a file say that it is for the M profile. A file without them is not. `section` gives the
/// bytes of the first section of a type.
pub(super) fn is_m_profile<'a>(section: &dyn Fn(u32) -> Option<&'a [u8]>) -> bool {
    section(object::elf::SHT_ARM_ATTRIBUTES).and_then(profile).unwrap_or(false)
}

fn profile(section: &[u8]) -> Option<bool> {
    let mut all = Reader(section);
    if all.take(1)? != b"A" {
        return None;
    }
    while !all.0.is_empty() {
        let length = all.word()?;
        let mut vendor = Reader(all.take(length.checked_sub(4)?)?);
        if vendor.text()? != b"aeabi" {
            continue;
        }
        while !vendor.0.is_empty() {
            let before = vendor.0.len();
            let tag = vendor.number()?;
            let length = vendor.word()?;
            let inside = vendor.take(length.checked_sub(before - vendor.0.len())?)?;
            if tag == FILE {
                return of_file(Reader(inside));
            }
        }
    }
    None
}

fn of_file(mut attributes: Reader) -> Option<bool> {
    let mut is_m = None;
    while !attributes.0.is_empty() {
        let tag = attributes.number()?;
        if tag == COMPATIBILITY {
            attributes.number()?;
            attributes.text()?;
        } else if NAMES.contains(&tag) || tag > COMPATIBILITY && tag & 1 != 0 {
            attributes.text()?;
        } else {
            let value = attributes.number()?;
            match tag {
                PROFILE => is_m = Some(value == u64::from(b'M')),
                ARCHITECTURE if matches!(value, 11..=13 | 16..) => is_m = Some(true),
                _ => {}
            }
        }
    }
    is_m
}

#[cfg(test)]
mod tests {
    use super::{is_m_profile, profile};

    /// A section with these attributes of the file.
    fn section(attributes: &[u8]) -> Vec<u8> {
        let inner = [&[1], &u32::to_le_bytes(attributes.len() as u32 + 5)[..], attributes].concat();
        let vendor = [b"aeabi\0", &inner[..]].concat();
        [b"A", &u32::to_le_bytes(vendor.len() as u32 + 4)[..], &vendor].concat()
    }

    #[test]
    fn the_profile_is_found_behind_a_name() {
        let of = |attributes: &[u8]| profile(&section(attributes)) == Some(true);
        assert!(of(b"\x05Cortex-M3\0\x06\x0A\x07M\x09\x02"));
        assert!(of(b"\x06\x0D"));
        assert!(!of(b"\x05ARM7TDMI-S\0\x06\x02\x08\x01\x09\x01"));
        assert!(!of(b"\x06\x0A\x07A"));
        assert!(!is_m_profile(&|_| None));
    }

    #[test]
    fn a_section_that_is_cut_short_says_nothing() {
        let whole = section(b"\x05Cortex-M3\0\x06\x0A\x07M\x09\x02");
        assert!((0..whole.len()).all(|length| profile(&whole[..length]) != Some(true)));
    }
}
