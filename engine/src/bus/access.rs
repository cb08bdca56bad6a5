//! One access, as a core names it to its bus.

/// Width of one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Width {
    /// 8 bits.
    Byte = 0,
    /// 16 bits.
    Half = 1,
    /// 32 bits.
    Word = 2,
}

impl Width {
    /// Size in bytes: 1, 2 or 4.
    #[inline]
    pub const fn bytes(self) -> u32 {
        1 << self as u32
    }

    /// `address` with the bits below this width cleared, as the memory sees it.
    #[inline]
    pub const fn align(self, address: u32) -> u32 {
        address & !(self.bytes() - 1)
    }

    /// The low bits of `value` that an access of this width carries.
    #[inline]
    pub const fn lanes(self, value: u32) -> u32 {
        value & u32::MAX >> (u32::BITS - 8 * self.bytes())
    }
}

/// One access, as the core describes it to the bus: width, code or data, S or N, and the side signals
/// that a memory controller can see. It is packed in a byte: its low bits index a table of costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Access(u8);

impl Access {
    const CODE: u8 = 1 << 2;
    const SEQUENTIAL: u8 = 1 << 3;
    const BREAK_IN_FLOW: u8 = 1 << 4;
    /// It marks accesses in recordings. It has no place in the index, as no memory charges by it.
    const LOCK: u8 = 1 << 5;
    /// It has no place in the index: a memory whose writes cost something else than reads asks for it.
    const WRITE: u8 = 1 << 6;

    /// A non-sequential (N) data access.
    #[inline]
    pub const fn data(width: Width) -> Self {
        Access(width as u8)
    }

    /// A non-sequential (N) opcode fetch, not after a break in the flow of control.
    #[inline]
    pub const fn code(width: Width) -> Self {
        Access(width as u8 | Self::CODE)
    }

    /// The same access, sequential (S): its address follows the previous one.
    #[inline]
    pub const fn sequential(self) -> Self {
        Access(self.0 | Self::SEQUENTIAL)
    }

    /// The same access, non-sequential (N).
    #[inline]
    pub const fn nonsequential(self) -> Self {
        Access(self.0 & !Self::SEQUENTIAL)
    }

    /// The same fetch, marked as the first after a branch, an exception or a write to the PC.
    #[inline]
    pub const fn after_branch(self) -> Self {
        Access(self.0 | Self::BREAK_IN_FLOW)
    }

    /// The same access, holding the bus (SWP).
    #[inline]
    pub const fn locked(self) -> Self {
        Access(self.0 | Self::LOCK)
    }

    /// The same access to data, as the write that it is. Only the timing of a memory sees it.
    #[inline]
    pub const fn writing(self) -> Self {
        Access(self.0 | Self::WRITE)
    }

    /// The same access of another width.
    #[inline]
    pub const fn with_width(self, width: Width) -> Self {
        Access((self.0 & !3) | width as u8)
    }

    /// Width of the access.
    #[inline]
    pub const fn width(self) -> Width {
        match self.0 & 3 {
            0 => Width::Byte,
            1 => Width::Half,
            _ => Width::Word,
        }
    }

    /// `address` with the bits below the width cleared, as the memory sees it.
    #[inline]
    pub const fn align(self, address: u32) -> u32 {
        address & (u32::MAX << (self.0 & 3))
    }

    /// Whether the width is 32 bits.
    #[inline]
    pub const fn is_word(self) -> bool {
        self.0 & 3 == Width::Word as u8
    }

    /// An opcode fetch (nOPC low), not data.
    #[inline]
    pub const fn is_code(self) -> bool {
        self.0 & Self::CODE != 0
    }

    /// S rather than N.
    #[inline]
    pub const fn is_sequential(self) -> bool {
        self.0 & Self::SEQUENTIAL != 0
    }

    /// The first fetch after a break in the flow of control.
    #[inline]
    pub const fn is_break_in_flow(self) -> bool {
        self.0 & Self::BREAK_IN_FLOW != 0
    }

    /// The bus is held until the next access.
    #[inline]
    pub const fn is_locked(self) -> bool {
        self.0 & Self::LOCK != 0
    }

    /// Whether it is marked as [`writing`](Self::writing).
    #[inline]
    pub const fn is_write(self) -> bool {
        self.0 & Self::WRITE != 0
    }

    /// All that memories charge by as a rule: an index into a table of [`Access::COUNT`] costs.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % Self::COUNT
    }

    /// How many kinds of access [`Access::index`] distinguishes.
    pub const COUNT: usize = Self::LOCK as usize;

    /// Every kind of access, in the order of [`Access::index`].
    pub fn all() -> impl Iterator<Item = Access> {
        (0..Self::COUNT as u8).map(Access)
    }
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kind = if self.is_sequential() { 'S' } else { 'N' };
        let what = if self.is_code() { "code" } else { "data" };
        write!(f, "{kind} {what} {}", self.width().bytes())?;
        for (set, name) in [(self.is_break_in_flow(), " branch"), (self.is_locked(), " lock")] {
            if set {
                f.write_str(name)?;
            }
        }
        Ok(())
    }
}
