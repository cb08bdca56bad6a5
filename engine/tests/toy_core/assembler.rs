//! Programs for the core of these tests: one function for each kind of opcode.

use cyclescope_engine::image::{Image, Segment, Symbol};

pub const NOP: u16 = 0x0000;
pub const RET: u16 = 0xC000;
pub const RETI: u16 = 0xC001;
pub const EI: u16 = 0xC002;
pub const CAUSE: u16 = 0xC004; // r0 = level that requested the interrupt
pub const HOST: u16 = 0xC005;
/// Signals that the core waits for an interrupt.
pub const WAIT: u16 = 0xC006;
/// A branch to itself.
pub const STUCK: u16 = 0x6FFF;

/// Masks the inputs from this one on.
pub fn threshold(input: u8) -> u16 {
    0xC100 | u16::from(input)
}

pub fn ldi(r: u16, value: u8) -> u16 {
    0x1000 | r << 8 | u16::from(value)
}

pub fn addi(r: u16, value: u8) -> u16 {
    0x2000 | r << 8 | u16::from(value)
}

pub fn add(r: u16, other: u16) -> u16 {
    0x3000 | r << 8 | other
}

/// r = byte at r7:r6 + offset.
pub fn ld(r: u16, offset: u8) -> u16 {
    0x4000 | r << 8 | u16::from(offset)
}

pub fn st(r: u16, offset: u8) -> u16 {
    0x5000 | r << 8 | u16::from(offset)
}

/// A jump by so many words, counted from the opcode behind it.
pub fn jump(words: i16) -> u16 {
    0x6000 | words as u16 & 0xFFF
}

/// The same, unless the last result was zero or the last comparison equal.
pub fn jump_unless(words: i16) -> u16 {
    0x7000 | words as u16 & 0xFFF
}

pub fn call(word: u16) -> u16 {
    0x8000 | word
}

/// r = byte 0 to 255 of the data space.
pub fn input(r: u16, address: u8) -> u16 {
    0x9000 | r << 8 | u16::from(address)
}

pub fn output(r: u16, address: u8) -> u16 {
    0xA000 | r << 8 | u16::from(address)
}

pub fn compare(r: u16, value: u8) -> u16 {
    0xB000 | r << 8 | u16::from(value)
}

/// An image without a file: words by where they go, and names of words. It starts at `main`.
pub fn image(parts: &[(u16, &[u16])], names: &[(&str, u16)]) -> Image {
    let bytes = |words: &[u16]| words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let segment = |&(word, words): &(u16, &[u16])| Segment {
        address: 2 * u32::from(word),
        bytes: bytes(words),
    };
    let symbol = |&(name, word): &(&str, u16)| {
        (name.to_owned(), Symbol { address: 2 * u32::from(word), size: 0 })
    };
    let mut image = Image {
        name: "toy program".into(),
        segments: parts.iter().map(segment).collect(),
        symbols: names.iter().map(symbol).collect(),
        ..Image::default()
    };
    image.entry = image.address_of("main").unwrap();
    image
}
