//! The cores, one folder each.

pub mod arm7tdmi;
pub mod avr;

use crate::core::Architecture;

/// Every core that the engine brings.
pub(crate) static ALL: [&dyn Architecture; 2] = [&arm7tdmi::ARCHITECTURE, &avr::ARCHITECTURE];
