//! Facts that the pipeline needs of an instruction, and of the one behind it.

/// How an instruction goes through the pipeline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Way {
    /// One cycle in execute.
    #[default]
    Simple,
    /// NOP: a load or store may take it along.
    Nop,
    /// IT.
    It,
    /// MUL.
    Multiply,
    /// MLA: its third operand may come straight from a long product.
    Accumulate,
    /// UMULL, SMULL.
    LongProduct,
    /// UMLAL, SMLAL.
    LongAccumulate,
    /// Other instructions of several cycles: divisions, MLS, those of the system.
    Several,
    /// A load of one register.
    Load,
    /// A store of one register.
    Store,
    /// A load or a store of several registers.
    List,
    /// TBB, TBH.
    Table,
    /// A branch whose target decode knows: B, BL, and BX, BLX, MOV of the link register.
    Early,
    /// A branch whose target execute finds.
    Late,
    /// CBZ, CBNZ.
    Compare,
    /// ADD to the program counter.
    Sum,
}

/// An instruction as the pipeline sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Its way.
    pub way: Way,
    /// Half-words of the opcode: 1 or 2.
    pub halves: u8,
    /// Accesses of a list.
    pub accesses: u8,
    /// Registers that make the address of a load or a store, without the program counter.
    pub address: u16,
    /// Registers that it writes, without the program counter.
    pub writes: u16,
    /// Both factors of an MLA.
    pub factors: u16,
    /// Ra of an MLA; the register of the high half of a long product.
    pub high: u16,
    /// The register of the low half of a long product; the base that is written back.
    pub low: u16,
    /// Registers that a list loads.
    pub list: u16,
    /// Both registers of a pair, in the order of their accesses.
    pub pair: [u8; 2],
    /// The address has an offset in a register.
    pub register_offset: bool,
    /// A store.
    pub store: bool,
    /// The base is written back, or the opcode is that of an LDM of 16 bits.
    pub writes_base: bool,
    /// A load of the program counter.
    pub loads_pc: bool,
    /// The stack pointer is loaded or stored.
    pub stack_data: bool,
    /// The branch has a condition of its own, or stands in an IT block.
    pub conditional: bool,
    /// The branch has a condition of its own.
    pub tests_flags: bool,
    /// A branch by the link register.
    pub by_link: bool,
    /// The link register is written, and the program counter is not.
    pub writes_link: bool,
    /// The opcode may set flags, whether it does here or not.
    pub may_set_flags: bool,
    /// MUL of 16 bits.
    pub narrow_multiply: bool,
    /// An IT behind it may be executed with it: 16 bits, neither load, store, branch nor product, in no IT block.
    pub folds: bool,
}

impl Shape {
    /// Whether it is a load, a store or a table branch.
    #[inline(always)]
    pub fn transfers(&self) -> bool {
        matches!(self.way, Way::Load | Way::Store | Way::List | Way::Table)
    }

    /// Whether it is a branch whose target is a sum with the program counter.
    #[inline(always)]
    pub fn adds_to_pc(&self) -> bool {
        matches!(self.way, Way::Table | Way::Sum)
    }

    /// Whether the store buffer takes it, so that its instruction ends with the address.
    #[inline(always)]
    pub fn is_buffered(&self) -> bool {
        self.way == Way::Store && !self.register_offset
    }

    /// Whether execute learns too late which cycle is its last.
    #[inline(always)]
    pub fn ends_late(&self) -> bool {
        self.transfers()
            || matches!(
                self.way,
                Way::Accumulate | Way::LongProduct | Way::LongAccumulate | Way::Several
            )
    }

    /// The register of the access `index` of a list, as a bit.
    pub fn listed(&self, index: u8) -> u16 {
        if self.pair != [0; 2] {
            return 1 << self.pair[usize::from(index & 1)];
        }
        let mut left = self.list;
        for _ in 0..index {
            left &= left.wrapping_sub(1);
        }
        left & left.wrapping_neg()
    }
}

/// A bus of the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Path {
    /// I-Code and D-Code, below 0x2000_0000: one memory answers both, one at a time.
    #[default]
    Code,
    /// System.
    System,
    /// The private peripheral bus.
    Private,
}

impl Path {
    /// The bus of an address.
    #[inline(always)]
    pub fn of(address: u32) -> Path {
        match address >> 29 {
            0 => Path::Code,
            7 => Path::Private,
            _ => Path::System,
        }
    }
}

/// Where fetching goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// The code lies on the System bus.
    pub system: bool,
    /// It begins with the upper half of a word.
    pub upper: bool,
}

impl Place {
    /// The place of an address.
    #[inline(always)]
    pub fn of(address: u32) -> Place {
        Place { system: Path::of(address) == Path::System, upper: address & 2 != 0 }
    }
}

/// The instruction behind the one that executes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Next {
    /// Its shape.
    pub shape: Shape,
    /// Its condition in an IT block fails.
    pub skipped: bool,
    /// It is a branch that decode knows, and its condition holds.
    pub taken: bool,
    /// Where such a branch goes.
    pub target: Place,
    /// The half-word behind it is an IT.
    pub it_follows: bool,
}

/// The work of the instruction in execute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Act {
    /// Cycles of a product or a quotient.
    pub cycles: u8,
    /// Accesses to data.
    pub accesses: u8,
    /// Their bus.
    pub path: Path,
    /// Where it branches to.
    pub target: Option<Place>,
}
