//! The cores, one folder each.

pub mod arm7tdmi;

use crate::core::Architecture;

/// Every core that the engine brings.
pub(crate) static ALL: [&dyn Architecture; 1] = [&arm7tdmi::ARCHITECTURE];
