//! Moves of bytes by an instruction: a core states them, instruments that follow bytes apply them.
//!
//! A register has four lanes of 8 bits; lane 0 is the least significant.

/// A register of a core, of whatever bank, by the core's own number.
pub type Register = u8;

/// There are no registers from this number on.
pub const REGISTERS: usize = 64;

/// For each lane of a result the lane, or the byte of an access, that it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lanes(pub [Option<u8>; 4]);

impl Lanes {
    /// Nothing comes through.
    pub const NONE: Lanes = Lanes([None; 4]);
    /// Every lane stays where it is.
    pub const ALL: Lanes = Lanes([Some(0), Some(1), Some(2), Some(3)]);

    /// The lowest `count` lanes stay where they are.
    pub fn lowest(count: u8) -> Lanes {
        Lanes::ALL.filter(|lane| lane < count)
    }

    /// Lane n comes from lane n + `by`; none do from beyond the ends.
    pub fn shifted(by: i8) -> Lanes {
        let from = |lane: i8| u8::try_from(lane + by).ok().filter(|from| *from < 4);
        Lanes([from(0), from(1), from(2), from(3)])
    }

    /// Lane n comes from lane n + `by`, round the end.
    pub fn rotated(by: u32) -> Lanes {
        let from = |lane: u32| Some((lane.wrapping_add(by) & 3) as u8);
        Lanes([from(0), from(1), from(2), from(3)])
    }

    /// Those lanes of the result that `stays` accepts.
    #[must_use]
    pub fn filter(mut self, stays: impl Fn(u8) -> bool) -> Lanes {
        for lane in 0..4 {
            if !stays(lane) {
                self.0[usize::from(lane)] = None;
            }
        }
        self
    }

    /// These lanes of a value whose own lanes come through `inner`.
    #[must_use]
    pub fn of(self, inner: Lanes) -> Lanes {
        Lanes(self.0.map(|lane| inner.0[usize::from(lane?)]))
    }
}

/// An operand: a register, and the lanes of it that the result holds, changed or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The register.
    pub register: Register,
    /// For each lane of the result.
    pub lanes: Lanes,
}

/// One step of an instruction. Steps apply in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// The next access to data is a read: the register takes bytes of it. Byte 0 is that at the lowest
    /// address.
    Load {
        /// The register.
        to: Register,
        /// For each lane of the register the byte.
        bytes: Lanes,
    },
    /// The next access to data is a write of the lowest lanes of this register.
    Store {
        /// The register.
        from: Register,
    },
    /// A register becomes a result of these operands.
    Set {
        /// The register.
        to: Register,
        /// The operands; none of a result that holds no byte of a register.
        of: [Option<Operand>; 2],
    },
}

impl Move {
    /// The register becomes an address, a sum, or whatever else holds no byte of another.
    pub const fn clear(to: Register) -> Move {
        Move::Set { to, of: [None; 2] }
    }
}
