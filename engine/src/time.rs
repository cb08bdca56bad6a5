//! Time is counted in cycles of the core clock, from the cycle before the first fetch after reset.

/// A point in time or a duration, in core clock cycles.
pub type Cycle = u64;

/// Later than anything that can happen.
pub const NEVER: Cycle = Cycle::MAX;
