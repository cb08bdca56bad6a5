//! Opcodes decoded before. An entry depends on the opcode alone, so it never becomes wrong. Addresses find it faster
//! than opcodes do: its place is known before the opcode is.

use super::decoder::{decode, Class, Instruction};
use super::pipeline::{Automaton, Number, Shape, Way};

const ENTRIES: usize = 1 << 10;
/// Addresses of half-words whose instructions are near.
const NEAR: usize = 1 << 10;

/// The meaning of an opcode, and its way through the pipeline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Decoded {
    pub one: Instruction,
    opcode: u32,
    /// The number of its shape, and facts of that.
    pub shape: Number,
    pub accesses: u8,
    pub is_early: bool,
    pub is_by_link: bool,
    pub folds: bool,
    /// Its cycles depend on its operands; an exception may take its place before the last.
    pub takes_several: bool,
    pub is_long: bool,
}

impl Decoded {
    /// Its opcode.
    pub fn opcode(&self) -> u32 {
        self.opcode
    }
}

/// The last instruction of each of so many sets of opcodes, and of addresses.
#[derive(Debug)]
pub(super) struct Memo {
    entries: Box<[Decoded; ENTRIES]>,
    near: Box<[Decoded; NEAR]>,
    /// That of the automaton whose shapes are named.
    version: u64,
}

/// A copy remembers nothing.
impl Clone for Memo {
    fn clone(&self) -> Self {
        Memo::new()
    }
}

impl Memo {
    pub fn new() -> Self {
        let none = with_number(0, |_| 0);
        Memo { entries: Box::new([none; ENTRIES]), near: Box::new([none; NEAR]), version: u64::MAX }
    }

    /// Brings the instruction at `address` near, if it is not. Its opcode is this.
    #[inline(always)]
    pub fn bring(&mut self, address: u32, opcode: u32, automaton: &mut Automaton) {
        if self.near(address).opcode != opcode || self.version != automaton.version() {
            self.near[place(address)] = self.entry(opcode, automaton);
        }
    }

    /// The instruction that was brought near for `address`, or for another with the same place.
    #[inline(always)]
    pub fn near(&self, address: u32) -> &Decoded {
        &self.near[place(address)]
    }

    /// The instruction of an opcode.
    #[inline(never)]
    pub fn entry(&mut self, opcode: u32, automaton: &mut Automaton) -> Decoded {
        let place = opcode.wrapping_mul(0x9E37_79B1) >> (32 - ENTRIES.trailing_zeros());
        let entry = &mut self.entries[place as usize % ENTRIES];
        if entry.opcode != opcode || self.version != automaton.version() {
            *entry = decoded(opcode, automaton);
            if self.version != automaton.version() {
                self.forget(automaton);
                self.entries[place as usize % ENTRIES] = decoded(opcode, automaton);
            }
        }
        self.entries[place as usize % ENTRIES]
    }

    /// Numbers of shapes have become void.
    #[cold]
    fn forget(&mut self, automaton: &mut Automaton) {
        // Opcode 0 is in no other place than its own.
        let none = decoded(0, automaton);
        self.entries.fill(none);
        self.near.fill(none);
        self.version = automaton.version();
    }
}

/// The place of an address among those that are near.
#[inline(always)]
fn place(address: u32) -> usize {
    (address >> 1) as usize % NEAR
}

fn decoded(opcode: u32, automaton: &mut Automaton) -> Decoded {
    with_number(opcode, |shape| automaton.number(shape))
}

fn with_number(opcode: u32, number: impl FnOnce(Shape) -> Number) -> Decoded {
    let one = decode(opcode);
    let (shape, class) = (Shape::of(&one), one.class());
    let is_long = matches!(class, Class::Divide | Class::LongMultiply);
    Decoded {
        one,
        opcode,
        shape: number(shape),
        accesses: shape.accesses,
        is_early: shape.way == Way::Early,
        is_by_link: shape.by_link,
        folds: shape.folds,
        takes_several: is_long || class == Class::MultiplyAccumulate,
        is_long,
    }
}
