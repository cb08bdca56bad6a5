//! Time is counted in cycles of the core clock, from the cycle before the first fetch after reset.

/// A point in time or a duration, in core clock cycles.
pub type Cycle = u64;

/// Later than anything that can happen.
pub const NEVER: Cycle = Cycle::MAX;

/// A point in time or a duration in attoseconds, on which boards with different clocks agree.
pub type Attoseconds = u128;

/// Later than anything that can happen.
pub const NEVER_AS: Attoseconds = Attoseconds::MAX;

/// Attoseconds in a second.
pub const SECOND_AS: Attoseconds = 1_000_000_000_000_000_000;
