//! Opcodes decoded before. An entry depends on the opcode alone, so it never becomes wrong.

use super::decoder::{decode, Instruction};

const ENTRIES: usize = 1 << 10;

/// The last instruction of each of so many sets of opcodes.
#[derive(Clone, Debug)]
pub(super) struct Memo(Box<[(u32, Instruction)]>);

impl Memo {
    pub fn new() -> Self {
        Memo(vec![(0, decode(0)); ENTRIES].into_boxed_slice())
    }

    /// The instruction of an opcode.
    #[inline(always)]
    pub fn instruction(&mut self, opcode: u32) -> &Instruction {
        let place = opcode.wrapping_mul(0x9E37_79B1) >> (32 - ENTRIES.trailing_zeros());
        let entry = &mut self.0[place as usize % ENTRIES];
        if entry.0 != opcode {
            Self::replace(entry, opcode);
        }
        &entry.1
    }

    #[cold]
    #[inline(never)]
    fn replace(entry: &mut (u32, Instruction), opcode: u32) {
        *entry = (opcode, decode(opcode));
    }
}
