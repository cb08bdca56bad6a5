//! Opcodes decoded before. An entry depends on the opcode alone, so it never becomes wrong.

use super::decoder::{decode, Instruction};
use super::pipeline::Shape;

const ENTRIES: usize = 1 << 10;

/// The last instruction of each of so many sets of opcodes.
#[derive(Clone, Debug)]
pub(super) struct Memo(Box<[(u32, Decoded)]>);

/// The meaning of an opcode, and its way through the pipeline.
pub(super) type Decoded = (Instruction, Shape);

impl Memo {
    pub fn new() -> Self {
        Memo(vec![(0, shaped(0)); ENTRIES].into_boxed_slice())
    }

    /// The instruction of an opcode.
    #[inline(always)]
    pub fn entry(&mut self, opcode: u32) -> &Decoded {
        let place = opcode.wrapping_mul(0x9E37_79B1) >> (32 - ENTRIES.trailing_zeros());
        let entry = &mut self.0[place as usize % ENTRIES];
        if entry.0 != opcode {
            Self::replace(entry, opcode);
        }
        &entry.1
    }

    #[cold]
    #[inline(never)]
    fn replace(entry: &mut (u32, Decoded), opcode: u32) {
        *entry = (opcode, shaped(opcode));
    }
}

fn shaped(opcode: u32) -> Decoded {
    let one = decode(opcode);
    (one, Shape::of(&one))
}
