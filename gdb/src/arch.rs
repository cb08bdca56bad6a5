//! A core as the protocol has it: registers are bytes, in the order of their layout.

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

/// The bytes of all registers in the order of the target description; `None`: not available.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(pub Vec<Option<u8>>);

impl Registers for Values {
    type ProgramCounter = u32;

    fn pc(&self) -> u32 {
        0 // asked for by no part of the protocol in use
    }

    fn gdb_serialize(&self, write_byte: impl FnMut(Option<u8>)) {
        self.0.iter().copied().for_each(write_byte);
    }

    fn gdb_deserialize(&mut self, bytes: &[u8]) -> Result<(), ()> {
        self.0 = bytes.iter().copied().map(Some).collect();
        Ok(())
    }
}

/// A register by its number in the target description.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(pub usize);

impl RegId for Number {
    fn from_raw_id(id: usize) -> Option<(Self, Option<NonZeroUsize>)> {
        Some((Number(id), None))
    }
}
