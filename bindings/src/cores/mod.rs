//! One-instruction benches, one file for each core.

pub mod arm7tdmi;
