//! The cores, one folder each.

pub mod arm7tdmi;
