//! Opcodes decoded before. An entry depends on the opcode alone, so it never becomes wrong.

use super::decoder::{decode, Instruction};
use super::pipeline::{Shape, Shapes, Way};

const ENTRIES: usize = 1 << 10;

/// The last instruction of each of so many sets of opcodes, and the numbers of their shapes.
#[derive(Clone, Debug)]
pub(super) struct Memo {
    entries: Box<[(u32, Decoded)]>,
    pub shapes: Shapes,
}

/// The meaning of an opcode, and facts of its way through the pipeline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoded {
    pub one: Instruction,
    /// The number of its shape.
    pub shape: u16,
    /// Accesses of a list.
    pub accesses: u8,
    /// An IT behind it may be executed with it.
    pub folds: bool,
    /// Decode knows the branch.
    pub branches_early: bool,
    /// A branch by the link register.
    pub by_link: bool,
}

impl Memo {
    pub fn new() -> Self {
        let mut shapes = Shapes::default();
        let nothing = Decoded::of(0, &mut shapes).expect("shapes have space for one");
        Memo { entries: vec![(0, nothing); ENTRIES].into_boxed_slice(), shapes }
    }

    fn place(opcode: u32) -> usize {
        let place = opcode.wrapping_mul(0x9E37_79B1) >> (32 - ENTRIES.trailing_zeros());
        place as usize % ENTRIES
    }

    /// The instruction of an opcode, if it is here.
    #[inline(always)]
    pub fn get(&self, opcode: u32) -> Option<&Decoded> {
        let entry = &self.entries[Self::place(opcode)];
        (entry.0 == opcode).then_some(&entry.1)
    }

    /// Decodes an opcode. Returns none if too many shapes have numbers: then all have to be forgotten.
    pub fn learn(&mut self, opcode: u32) -> Option<Decoded> {
        let decoded = Decoded::of(opcode, &mut self.shapes)?;
        self.entries[Self::place(opcode)] = (opcode, decoded);
        Some(decoded)
    }
}

impl Decoded {
    fn of(opcode: u32, shapes: &mut Shapes) -> Option<Decoded> {
        let one = decode(opcode);
        let shape = Shape::of(&one);
        Some(Decoded {
            one,
            shape: shapes.number(shape)?,
            accesses: shape.accesses,
            folds: shape.folds,
            branches_early: shape.way == Way::Early,
            by_link: shape.by_link,
        })
    }
}
