//! A core as the protocol has it: whatever its registers are, each has 32 bits.

use std::num::NonZeroUsize;

use gdbstub::arch::{Arch, RegId, Registers};

/// A core whose target description is made when the session begins.
#[derive(Debug)]
pub enum Described {}

impl Arch for Described {
    type Usize = u32;
    type Registers = Values;
    type BreakpointKind = usize;
    type RegId = Number;
}

/// The values of all registers in the order of the target description; `None`: not available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Vec<Option<u32>>);

impl Registers for Values {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        0 // asked for by no part of the protocol in use
    }

    fn gdb_serialize(&self, mut write_byte: impl FnMut(Option<u8>)) {
        for value in &self.0 {
            match value {
                Some(value) => value.to_le_bytes().into_iter().for_each(|b| write_byte(Some(b))),
                None => (0..4).for_each(|_| write_byte(None)),
            }
        }
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        let words = bytes.chunks_exact(4);
        if !words.remainder().is_empty() {
            return Err(());
        }
        self.0 = words.map(|word| word.try_into().ok().map(u32::from_le_bytes)).collect();
        Ok(())
    }
}

/// A register by its number in the target description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub usize);

impl RegId for Number {
    fn from_raw_id(id: usize) -> Option<(Self, Option<NonZeroUsize>)> {
        Some((Number(id), NonZeroUsize::new(4)))
    }
}
